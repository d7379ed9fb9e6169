/**
 * Writes letters: chooses the letter of `content/` by its kind and language, fills in the values of the recipient, and
 * adds the headers. `prepare_letter.ts` renders what is the same for each recipient. @module
 */
import { ConfigError } from "../config/mod.ts";
import { formatEnd, type Language, type Placeholders } from "../content/mod.ts";
import type { LetterText } from "./letter.ts";
import { letterPicturesOf } from "./letter_pictures.ts";
import {
  ALL_LETTER_KINDS,
  prepareLetter,
  type PrepareOptions,
  type RenderLetter,
} from "./prepare_letter.ts";

/** The form of a letter's id, which becomes a part of the header `Message-ID`. */
const LETTER_ID = /^[\w-]+$/;

/** What {@linkcode createLetterWriter} needs. */
export interface LetterWriterOptions extends Omit<PrepareOptions, "pictures"> {
  languages: Language[];
  /** The configured contact address. A `mailto:` address becomes `Reply-To`. */
  replyTo?: string | undefined;
}

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

/** Makes the function that writes letters. @throws an Error that names a file of `content/` and its fault */
export function createLetterWriter(
  options: LetterWriterOptions,
): (values: LetterValues) => LetterText {
  const { languages, baseUrl, replyTo } = options;
  const replyAddress = replyTo?.startsWith("mailto:") &&
    decodeURIComponent(new URL(replyTo).pathname);
  const defaultLanguage = languages[0]!;
  const messageHost = new URL(baseUrl).hostname;
  const prepareOptions = { ...options, pictures: letterPicturesOf(options.brand) };
  const preparedLetters = prepareLetters(languages, prepareOptions);

  return (values) => {
    const { kind, id, leaveUrl } = values;
    if (!LETTER_ID.test(id)) throw new Error(`The id of a letter is '${id}'`);
    const language = languages.find((language) => language.lang === values.lang) ??
      defaultLanguage;
    const { lang } = language;
    const render = kind === "attention"
      ? prepareLetter(kind, language, prepareOptions, values.sentences)
      : preparedLetters.get(`${lang}/${kind}`)!;
    const { subject, text, html, pictureFiles } = render(recipientPlaceholders(values, language));
    return {
      // A header is one line, but the name of the site may have line ends.
      subject: subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim(),
      text,
      html,
      pictureFiles,
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

/** Prepares all letters in all languages. Gives a letter by its language and its kind, such as `en/invitation`. */
function prepareLetters(
  languages: Language[],
  options: PrepareOptions,
): Map<string, RenderLetter> {
  const preparedLetters = new Map<string, RenderLetter>();
  for (const language of languages) {
    refuseUnknownLetters(language);
    for (const kind of ALL_LETTER_KINDS) {
      preparedLetters.set(`${language.lang}/${kind}`, prepareLetter(kind, language, options));
    }
  }
  return preparedLetters;
}

/** @throws a {@linkcode ConfigError} if a language has a letter with a name that is no kind of letter */
function refuseUnknownLetters({ letters }: Language): void {
  const unknownLetter = letters.find(({ name }) => ALL_LETTER_KINDS.every((kind) => kind !== name));
  if (!unknownLetter) return;
  const names = ALL_LETTER_KINDS.join(", ");
  throw new ConfigError(
    `${unknownLetter.label}: no letter has this name; the letters are ${names}`,
  );
}

/** Gives the values of the placeholders that depend on the recipient. */
function recipientPlaceholders(values: LetterValues, language: Language): Placeholders {
  const commonValues = { place_url: values.placeUrl };
  switch (values.kind) {
    case "invitation":
      return {
        ...commonValues,
        invitation_url: values.invitationUrl,
        invitation_expiry: expirySentence(values, language),
      };
    case "attention":
      return { ...commonValues, overview_url: values.overviewUrl };
    default:
      return commonValues;
  }
}

/** Says when an invitation expires. The text is empty for an invitation that does not expire. */
function expirySentence({ expiresAt }: { expiresAt?: string }, { texts }: Language): string {
  if (expiresAt === undefined) return "";
  return texts.place.invitation_expires.replace("{time}", formatEnd(expiresAt, texts));
}
