/**
 * Prepares the letters of `content/`: renders what is the same for each recipient. A prepared letter then fills in the
 * placeholders of one recipient. `letter_texts.ts` chooses the letter and adds the headers. @module
 */
import { LETTER_KINDS } from "../../shared/letter_kinds.ts";
import { ConfigError } from "../config/mod.ts";
import {
  type Brand,
  type BrandColors,
  createLetterTextRenderer,
  escapeMarkdown,
  fill,
  fillHtml,
  type Language,
  type Mode,
  type PlaceholderOptions,
  type Placeholders,
  placeholdersOf,
  renderLetterHtml,
  type SourceLetter,
  toFileError,
} from "../content/mod.ts";
import type { Lang } from "../waitlist/mod.ts";
import type { LetterText } from "./letter.ts";
import type { LetterPicture, LetterPictures } from "./letter_pictures.ts";

/** The kinds of letters: those to people on the list, the test letter, and the letter about trouble to `NOTIFY_TO`. */
export const ALL_LETTER_KINDS = [...LETTER_KINDS, "test", "attention"] as const;

type AnyLetterKind = typeof ALL_LETTER_KINDS[number];

/** What {@linkcode prepareLetter} needs besides the letter: the values of the site that letters show. */
export interface PrepareOptions extends PlaceholderOptions {
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The logo of all letters, and what only an invitation shows: slogan, promise and picture. */
  brand: LetterBrand;
  /** The colours of the HTML part. */
  colors: Readonly<Record<Mode, BrandColors>>;
  /** The postal address of the company, with one entry for each line. It stands at the end of each letter. */
  address?: string[] | undefined;
  pictures: LetterPictures;
}

type LetterBrand = Pick<Brand, "logo" | "letterLogo" | "tagline" | "promise" | "picture">;

/** The name of the page in `content/` that says who runs the site. */
const IMPRINT = "imprint";

/** Makes the letter to one recipient, by filling the placeholders of this recipient. */
export type RenderLetter = (recipient: Placeholders) => Omit<LetterText, "headers">;

/**
 * Renders the parts of a letter that are the same for each recipient, and checks that the letter has its link.
 *
 * @param sentences the sentences about trouble, which replace `{{attention}}` as a list
 * @throws an Error that names the file and its fault
 */
export function prepareLetter(
  kind: AnyLetterKind,
  language: Language,
  options: PrepareOptions,
  sentences: string[] = [],
): RenderLetter {
  const { lang, letters, pages } = language;
  const imprint = pages.find(({ name }) => name === IMPRINT);
  if (!imprint) {
    throw new ConfigError(`content/${lang}/${IMPRINT}.md is missing, to which letters lead`);
  }
  const source = letters.find(({ name }) => name === kind);
  if (!source) throw new ConfigError(`content/${lang}/letters/${kind}.md is missing`);
  const imprintUrl = `${options.baseUrl}${imprint.path}`;
  try {
    const render = createRenderer(source, { kind, language, options, sentences, imprintUrl });
    checkLetter(kind, source, render);
    return render;
  } catch (error) {
    throw toFileError(source.label, error);
  }
}

/** Makes the function that fills in the placeholders of one recipient. */
function createRenderer(
  { subject, preheader, body }: SourceLetter,
  { kind, language, options, sentences, imprintUrl }: {
    kind: AnyLetterKind;
    language: Language;
    options: PrepareOptions;
    sentences: string[];
    imprintUrl: string;
  },
): RenderLetter {
  const { lang } = language;
  const { address = [], pictures: { logo }, colors } = options;
  const { values: advertisingValues, picture } = advertisingOf(kind, language, options);
  // The address comes from the configuration, so it goes into the Markdown as placeholders: their values are filled in
  // after the Markdown is rendered, so that `*` or `{{` in an address stays as it is.
  const addressLines = Object.fromEntries(
    address.map((line, index) => [`address_${index}`, line]),
  );
  const commonValues = {
    ...placeholdersOf(options, lang),
    imprint_url: imprintUrl,
    ...addressLines,
    ...advertisingValues,
  };
  const text = withSentences(withoutEmptyLines(body, advertisingValues), sentences);
  const postalAddress = Object.keys(addressLines).map((name) => `{{${name}}}`).join("\\\n");
  const markdown = `${text}\n\n${postalAddress}`;
  const html = renderLetterHtml({
    lang,
    title: subject,
    markdown,
    preheader,
    logo: logo?.inlinePicture,
    picture: picture?.inlinePicture,
  }, colors);
  const fillText = createLetterTextRenderer(markdown);
  const pictureFiles = [logo?.file, picture?.file].filter((file) => file !== undefined);
  return (recipient) => {
    const values = { ...commonValues, ...recipient };
    return {
      subject: fill(subject, values),
      text: fillText(values),
      html: fillHtml(html, values),
      pictureFiles,
    };
  };
}

/** The placeholder of the link that a letter must have, by the kind of letter. All other kinds need `place_url`. */
const NEEDED_LINKS: Placeholders = { invitation: "invitation_url", attention: "overview_url" };

/** The link that takes the place of the real link when a letter is checked at the start of the service. */
const STAND_IN_LINK = "https://example.com/needed";

/**
 * Checks that a letter has the link for which it is sent. A letter about trouble must also have the list of problems.
 * @throws an Error about what the letter lacks
 */
function checkLetter(
  kind: AnyLetterKind,
  { body }: SourceLetter,
  render: RenderLetter,
): void {
  if (kind === "attention" && !body.includes("{{attention}}")) {
    throw new Error("the letter lacks {{attention}}, which stands for the list of problems");
  }
  const neededLink = NEEDED_LINKS[kind] ?? "place_url";
  // The other placeholders of one recipient get any value, because a placeholder without a value is an error.
  const expiry = kind === "invitation" ? { invitation_expiry: "-" } : {};
  // The check reads the rendered text, because the source may have the placeholder in a comment only.
  const { text } = render({ place_url: "-", ...expiry, [neededLink]: STAND_IN_LINK });
  if (!text.includes(STAND_IN_LINK)) {
    throw new Error(`the letter lacks {{${neededLink}}}, the link for which the letter is sent`);
  }
}

/**
 * Gives the brand's advertising for a letter: slogan, promise and picture. Only an invitation has them; the other
 * letters have no advertising.
 */
function advertisingOf(
  kind: AnyLetterKind,
  { lang }: Language,
  { brand, pictures }: { brand: LetterBrand; pictures: LetterPictures },
): { values: Placeholders; picture?: LetterPicture | undefined } {
  if (kind !== "invitation") return { values: {} };
  // The brand has no texts in a language that only the overlay adds. The letter then has neither slogan nor promise.
  const { tagline, promise } = brand;
  const inLanguage = (textByLang: typeof tagline): string => textByLang?.[lang as Lang] ?? "";
  return {
    values: { tagline: inLanguage(tagline), promise: inLanguage(promise) },
    picture: pictures.pictureByLang[lang as Lang],
  };
}

/** Replaces `{{attention}}` by a list of sentences. */
function withSentences(markdown: string, sentences: string[]): string {
  const listItems = sentences.map((sentence) => {
    // A sentence may have `{{` in it, which must not be read as the beginning of a placeholder.
    return `- ${escapeMarkdown(sentence.replaceAll("{{", "{ {"))}`;
  });
  return markdown.replace("{{attention}}", () => listItems.join("\n"));
}

/** Removes each line that consists only of a placeholder whose value is empty, together with the line break. */
function withoutEmptyLines(markdown: string, values: Placeholders): string {
  const emptyNames = Object.keys(values).filter((name) => values[name] === "");
  let remaining = markdown;
  for (const name of emptyNames) {
    remaining = remaining.replace(new RegExp(`^\\{\\{${name}\\}\\}\\\\?\n`, "gm"), "");
  }
  return remaining;
}
