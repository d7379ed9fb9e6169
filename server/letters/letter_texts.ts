/** Renders the letters of `content/` at the start, and fills their placeholders for each recipient. @module */
import {
  type Brand,
  type BrandColors,
  escapeMarkdown,
  fill,
  fillHtml,
  formatEnd,
  type Language,
  type MailPicture,
  type Mode,
  type PlaceholderOptions,
  type Placeholders,
  placeholdersOf,
  renderMailHtml,
  textRenderer,
  toFileError,
} from "../content/mod.ts";
import { ConfigError } from "../config/mod.ts";
import { type Lang, LETTER_KINDS } from "../waitlist/mod.ts";
import type { LetterText } from "./letter.ts";
import { type LetterPicture, type LetterPictures, letterPicturesOf } from "./letter_pictures.ts";

export interface LettersOptions extends PlaceholderOptions {
  languages: Language[];
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The logo of all letters, and what only an invitation shows: slogan, promise and picture. */
  brand: LetterBrand;
  /** The colours of the HTML part. */
  colors: Readonly<Record<Mode, BrandColors>>;
  /** The postal address of the company, with one entry for each line. It stands at the end of each letter. */
  address?: string[] | undefined;
  /** The configured contact address. A `mailto:` address becomes `Reply-To`. */
  replyTo?: string | undefined;
}

type LetterBrand = Pick<Brand, "logo" | "letterLogo" | "tagline" | "promise" | "picture">;

/** The kinds of letters: those to people on the list, the test letter, and the letter about trouble to `NOTIFY_TO`. */
const KINDS = [...LETTER_KINDS, "test", "attention"] as const;

/** The values of a letter that depend on its recipient. */
interface RecipientValues {
  /** The letter's id, of ASCII letters, digits, `-` and `_`. It stays the same over all attempts. */
  id: string;
  /**
   * The recipient's language. If the service has no letters in this language, the first language of the site is used.
   */
  lang: string;
  /** The link to the recipient's self-service page. A letter about no person has a link to a general page instead. */
  placeUrl: string;
  /** The URL to which a mail program posts to leave the list with one click (RFC 8058). */
  leaveUrl: string;
}

/** All values of a letter. `expiresAt` is the moment at which the invitation expires, a date-time. */
export type LetterValues =
  & RecipientValues
  & (
    | { kind: "confirmation" | "link" | "test" }
    | { kind: "invitation"; invitationUrl: string; expiresAt?: string }
    | { kind: "attention"; sentences: string[]; overviewUrl: string }
  );

/** The name of the page in `content/` that says who runs the site. */
const IMPRINT = "imprint";

/** Makes the function that writes letters. @throws an Error that names a file of `content/` and its fault */
export function createLetters(options: LettersOptions): (values: LetterValues) => LetterText {
  const { languages, baseUrl, replyTo } = options;
  const replyAddress = replyTo?.startsWith("mailto:") &&
    decodeURIComponent(new URL(replyTo).pathname);
  const defaultLanguage = languages[0]!;
  const messageHost = new URL(baseUrl).hostname;
  const pictures = letterPicturesOf(options.brand);
  const letters = new Map(languages.flatMap((language) => {
    const unknown = language.letters.find(({ name }) => KINDS.every((kind) => kind !== name));
    if (unknown) {
      const names = KINDS.join(", ");
      throw new ConfigError(`${unknown.label}: no letter has this name; the letters are ${names}`);
    }
    return KINDS.map((kind) =>
      [`${language.lang}/${kind}`, prepareLetter(kind, language, { ...options, pictures })] as const
    );
  }));

  return (values) => {
    const { kind, id, placeUrl, leaveUrl } = values;
    if (!/^[\w-]+$/.test(id)) throw new Error(`The id of a letter is '${id}'`);
    const language = languages.find((language) => language.lang === values.lang) ??
      defaultLanguage;
    const { lang } = language;
    const render = kind === "attention"
      ? prepareLetter(kind, language, { ...options, pictures }, values.sentences)
      : letters.get(`${lang}/${kind}`)!;
    const { subject, text, html, parts } = render({
      place_url: placeUrl,
      ...(kind === "invitation" && {
        invitation_url: values.invitationUrl,
        invitation_expiry: expirySentence(values, language),
      }),
      ...kind === "attention" && { overview_url: values.overviewUrl },
    });
    return {
      // A header is one line, but the name of the site may have line ends.
      subject: subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim(),
      text,
      html,
      parts,
      headers: {
        "Message-ID": `<${id}@${messageHost}>`,
        // Prevents holiday notices and other automatic answers (RFC 3834).
        "Auto-Submitted": "auto-generated",
        "Content-Language": lang,
        ...replyAddress && { "Reply-To": replyAddress },
        ...kind !== "attention" && {
          "List-Unsubscribe": `<${new URL(leaveUrl).href}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
      },
    };
  };
}

/** Says when an invitation expires. The text is empty for an invitation that does not expire. */
function expirySentence({ expiresAt }: { expiresAt?: string }, { texts }: Language): string {
  if (expiresAt === undefined) return "";
  return texts.place.invitation_expires.replace("{time}", formatEnd(expiresAt, texts));
}

/** Makes the letter to one recipient, by filling the placeholders of this recipient. */
type RenderLetter = (recipient: Placeholders) => Omit<LetterText, "headers">;

interface PrepareOptions extends LettersOptions {
  pictures: LetterPictures;
}

type AnyLetterKind = typeof KINDS[number];

/**
 * Renders the parts of a letter that are the same for each recipient, and checks that the letter has its link.
 *
 * @param sentences the sentences about trouble, which replace `{{attention}}` as a list
 * @throws an Error that names the file and its fault
 */
function prepareLetter(
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
    const render = rendererOf(source, { kind, language, options, sentences, imprintUrl });
    checkLetter(kind, source, render);
    return render;
  } catch (error) {
    throw toFileError(source.label, error);
  }
}

type LetterSource = Language["letters"][number];

function rendererOf(
  { subject, preheader, body }: LetterSource,
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
  const addressLines = Object.fromEntries(
    address.map((line, index) => [`address_${index}`, line]),
  );
  const { texts, picture } = advertisingOf(kind, language, options);
  const sharedValues = {
    ...placeholdersOf(options, lang),
    imprint_url: imprintUrl,
    ...addressLines,
    ...texts,
  };
  const postalAddress = Object.keys(addressLines).map((name) => `{{${name}}}`).join("\\\n");
  // A sentence may have `{{` in it, which must not be read as the beginning of a placeholder.
  const list = sentences.map((sentence) => `- ${escapeMarkdown(sentence.replaceAll("{{", "{ {"))}`);
  const text = withoutEmptyLines(body, texts).replace("{{attention}}", () => list.join("\n"));
  const markdown = `${text}\n\n${postalAddress}`;
  const html = renderMailHtml({
    lang,
    title: subject,
    markdown,
    preheader,
    logo: logo?.shown,
    picture: picture?.shown,
  }, colors);
  const fillText = textRenderer(markdown);
  const parts = [logo?.part, picture?.part].filter((part) => part !== undefined);
  return (recipient) => {
    const values = { ...sharedValues, ...recipient };
    return {
      subject: fill(subject, values),
      text: fillText(values),
      html: fillHtml(html, values),
      parts,
    };
  };
}

/** The placeholder of the link that a letter must have, by the kind of letter. All other kinds need `place_url`. */
const NEEDED_LINKS: Placeholders = { invitation: "invitation_url", attention: "overview_url" };

/** The link that takes the place of the real link when a letter is checked at the start of the service. */
const STAND_IN = "https://example.com/needed";

/**
 * Checks that a letter has the link for which it is sent. A letter about trouble must also have the list of problems.
 * @throws an Error about what the letter lacks
 */
function checkLetter(
  kind: AnyLetterKind,
  { body }: LetterSource,
  render: RenderLetter,
): void {
  if (kind === "attention" && !body.includes("{{attention}}")) {
    throw new Error("the letter lacks {{attention}}, which stands for the list of problems");
  }
  const needed = NEEDED_LINKS[kind] ?? "place_url";
  const expiry = kind === "invitation" ? { invitation_expiry: "-" } : {};
  // The check reads the rendered text, because the source may have the placeholder in a comment only.
  if (!render({ place_url: "-", ...expiry, [needed]: STAND_IN }).text.includes(STAND_IN)) {
    throw new Error(`the letter lacks {{${needed}}}, the link for which the letter is sent`);
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
): { texts: Placeholders; picture?: LetterPicture<MailPicture> | undefined } {
  if (kind !== "invitation") return { texts: {} };
  // The brand has no texts in a language that only the overlay adds. The letter then has neither slogan nor promise.
  const { tagline, promise } = brand;
  const textIn = (texts: typeof tagline): string => texts?.[lang as Lang] ?? "";
  return {
    texts: { tagline: textIn(tagline), promise: textIn(promise) },
    picture: pictures.picture[lang as Lang],
  };
}

/** Removes each line that consists only of a placeholder whose text is empty, together with the line break. */
function withoutEmptyLines(markdown: string, texts: Placeholders): string {
  const empty = Object.keys(texts).filter((name) => texts[name] === "");
  return empty.reduce(
    (text, name) => text.replace(new RegExp(`^\\{\\{${name}\\}\\}\\\\?\n`, "gm"), ""),
    markdown,
  );
}
