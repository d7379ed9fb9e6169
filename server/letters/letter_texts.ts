/**
 * The letters: reads their texts, and fills them for a person. The other files of this folder send letters and
 * events; what is due, and when to try again, is the store's.
 *
 * @module
 */
import {
  type BrandColors,
  fill,
  fillHtml,
  type Language,
  type Mode,
  type PlaceholderOptions,
  type Placeholders,
  placeholdersOf,
  renderMailHtml,
  type SourceLetter,
  textRenderer,
} from "../content/mod.ts";
import { LETTER_KINDS, type LetterKind } from "../waitlist/mod.ts";
import type { LetterText } from "./letter.ts";

/** The settings that all letters have in common. */
export interface LettersOptions extends PlaceholderOptions {
  languages: Language[];
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  colors: Readonly<Record<Mode, BrandColors>>;
}

/** What a letter says about its recipient. */
export type LetterValues =
  & {
    /** The letter's id in ASCII letters, digits, `-` and `_`; it stays the same over all tries. */
    id: string;
    /** The language of the recipient; the first language takes the place of one that has no letters. */
    lang: string;
    /** The address of the recipient's page. */
    placeUrl: string;
    /** The address to which a mail program posts to leave the list with one click (RFC 8058). */
    leaveUrl: string;
  }
  & ({ kind: "confirmation" | "link" } | { kind: "invitation"; invitationUrl: string });

/** Makes the text of a letter. */
export type Letters = (values: LetterValues) => LetterText;

/** The name of the page that says who runs the site. */
const IMPRINT = "imprint";

/**
 * Makes the function that makes letters.
 *
 * @throws an Error that names a file and what is wrong with it
 */
export function createLetters(options: LettersOptions): Letters {
  const { languages, baseUrl, colors } = options;
  const [first] = languages;
  if (!first) throw new Error("There are no languages to write letters in");
  const messageHost = new URL(baseUrl).hostname;
  const letters = new Map(languages.flatMap((language) => {
    checkNames(language.letters);
    const common = commonValues(language, options);
    return LETTER_KINDS.map((kind) =>
      [`${language.lang}/${kind}`, prepare(kind, language, { common, colors })] as const
    );
  }));

  return (values) => {
    const { kind, id, placeUrl, leaveUrl } = values;
    if (!/^[\w-]+$/.test(id)) throw new Error(`The id of a letter is '${id}'`);
    const lang = languages.some((language) => language.lang === values.lang)
      ? values.lang
      : first.lang;
    const { subject, text, html } = letters.get(`${lang}/${kind}`)!({
      place_url: placeUrl,
      ...(kind === "invitation" && { invitation_url: values.invitationUrl }),
    });
    return {
      subject: oneLine(subject),
      text,
      html,
      headers: {
        "Message-ID": `<${id}@${messageHost}>`,
        // Keeps holiday notices and other answers by machines away (RFC 3834).
        "Auto-Submitted": "auto-generated",
        "Content-Language": lang,
        "List-Unsubscribe": `<${new URL(leaveUrl).href}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    };
  };
}

function commonValues(language: Language, options: LettersOptions): Placeholders {
  const imprint = language.pages.find(({ name }) => name === IMPRINT);
  if (!imprint) {
    throw new Error(`content/${language.lang}/${IMPRINT}.md is missing, to which letters lead`);
  }
  const imprint_url = `${options.baseUrl}${imprint.path}`;
  return { ...placeholdersOf(options, language.lang), imprint_url };
}

function checkNames(letters: SourceLetter[]): void {
  const unknown = letters.find(({ name }) => !LETTER_KINDS.some((kind) => kind === name));
  if (!unknown) return;
  const known = LETTER_KINDS.join(", ");
  throw new Error(`${unknown.file}: no letter has this name; the letters are ${known}`);
}

/** What the letters of a language have in common. */
interface RenderOptions extends Pick<LettersOptions, "colors"> {
  common: Placeholders;
}

/** The address that a letter is sent for. */
const NEEDED: Record<LetterKind, "place_url" | "invitation_url"> = {
  confirmation: "place_url",
  invitation: "invitation_url",
  link: "place_url",
};

/** Stands in for the address that a letter is sent for. */
const STAND_IN = "https://example.com/needed";

/** Renders a letter once with stand-ins for the values of a person, so that a fault stops the start. */
function prepare(kind: LetterKind, language: Language, given: RenderOptions) {
  const source = language.letters.find(({ name }) => name === kind);
  if (!source) throw new Error(`content/${language.lang}/letters/${kind}.md is missing`);
  const needed = NEEDED[kind];
  try {
    const render = renderer(source, language.lang, given);
    // Not looked for in the source, which can have it in a comment.
    const { text } = render({ place_url: "-", [needed]: STAND_IN });
    if (!text.includes(STAND_IN)) {
      throw new Error(`the letter lacks {{${needed}}}, the address that it is sent for`);
    }
    return render;
  } catch (error) {
    throw new Error(`${source.file}: ${(error as Error).message}`);
  }
}

function renderer(
  { subject, body }: SourceLetter,
  lang: string,
  { common, colors }: RenderOptions,
) {
  const html = renderMailHtml({ lang, title: subject, markdown: body, colors });
  const text = textRenderer(body);
  return (own: Placeholders) => {
    const values = { ...common, ...own };
    return { subject: fill(subject, values), text: text(values), html: fillHtml(html, values) };
  };
}

/** A header is one line, whatever stands in a name. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
