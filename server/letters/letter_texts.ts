/** Renders the texts of letters, and fills them for a person. @module */
import { type BrandColors, escapeMarkdown, faultIn, fill, fillHtml } from "../content/mod.ts";
import type { Language, Mode, PlaceholderOptions, Placeholders } from "../content/mod.ts";
import { placeholdersOf, renderMailHtml, textRenderer } from "../content/mod.ts";
import { ConfigError } from "../config/mod.ts";
import { LETTER_KINDS } from "../waitlist/mod.ts";
import type { LetterText } from "./letter.ts";

export interface LettersOptions extends PlaceholderOptions {
  languages: Language[];
  baseUrl: string;
  colors: Readonly<Record<Mode, BrandColors>>;
  address?: string[] | undefined;
  /** The contact address, as far as it is configured: answers go there if it is a mailbox. */
  replyTo?: string | undefined;
}

/** The letters of people, the one by which operators try mail out, and the one that tells them of trouble. */
const KINDS = [...LETTER_KINDS, "test", "attention"] as const;

/** What a letter says about its recipient. */
export type LetterValues =
  & {
    /** The letter's id in ASCII letters, digits, `-` and `_`; it stays the same over all tries. */
    id: string;
    /** The language of the recipient; the first language takes the place of one that has no letters. */
    lang: string;
    placeUrl: string;
    /** The address to which a mail program posts to leave the list with one click (RFC 8058). */
    leaveUrl: string;
  }
  & ({ kind: "confirmation" | "link" | "test" } | {
    kind: "invitation";
    invitationUrl: string;
    expiresAt?: string;
  } | { kind: "attention"; sentences: string[]; overviewUrl: string });

/** The name of the page that says who runs the site. */
const IMPRINT = "imprint";

/** Makes the function that writes letters. @throws an Error that names a file and what is wrong with it */
export function createLetters(options: LettersOptions): (values: LetterValues) => LetterText {
  const { languages, baseUrl, replyTo } = options;
  const answersTo = replyTo?.startsWith("mailto:") && decodeURIComponent(new URL(replyTo).pathname);
  const first = languages[0]!;
  const messageHost = new URL(baseUrl).hostname;
  const letters = new Map(languages.flatMap((language) => {
    const unknown = language.letters.find(({ name }) => KINDS.every((kind) => kind !== name));
    if (unknown) {
      const known = KINDS.join(", ");
      throw new ConfigError(`${unknown.file}: no letter has this name; the letters are ${known}`);
    }
    return KINDS.map((kind) =>
      [`${language.lang}/${kind}`, prepare(kind, language, options)] as const
    );
  }));

  return (values) => {
    const { kind, id, placeUrl, leaveUrl } = values;
    if (!/^[\w-]+$/.test(id)) throw new Error(`The id of a letter is '${id}'`);
    const language = languages.find((language) => language.lang === values.lang) ?? first;
    const { lang } = language;
    const render = kind === "attention"
      ? prepare(kind, language, options, values.sentences)
      : letters.get(`${lang}/${kind}`)!;
    const { subject, text, html } = render({
      place_url: placeUrl,
      ...(kind === "invitation" && {
        invitation_url: values.invitationUrl,
        invitation_expiry: expiryOf(values, language),
      }),
      ...kind === "attention" && { overview_url: values.overviewUrl },
    });
    return {
      // A header is one line, whatever stands in a name.
      subject: subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim(),
      text,
      html,
      headers: {
        "Message-ID": `<${id}@${messageHost}>`,
        // Keeps holiday notices and other answers by machines away (RFC 3834).
        "Auto-Submitted": "auto-generated",
        "Content-Language": lang,
        ...answersTo && { "Reply-To": answersTo },
        ...kind !== "attention" && {
          "List-Unsubscribe": `<${new URL(leaveUrl).href}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
      },
    };
  };
}

/** Says until when an invitation holds; nothing where it always does. */
function expiryOf({ expiresAt }: { expiresAt?: string }, { texts }: Language): string {
  if (expiresAt === undefined) return "";
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  const { format: write } = new Intl.DateTimeFormat(texts.locale.replace("_", "-"), format);
  return texts.place.invitation_expires.replace("{time}", `${write(new Date(expiresAt))} UTC`);
}

const STAND_IN = "https://example.com/needed";

/** The addresses that letters are sent for; the person's page unless named here. */
const NEEDED: Placeholders = { invitation: "invitation_url", attention: "overview_url" };

/** Renders a letter once with stand-ins, so that a fault stops the start. @param sentences the `{{attention}}` list */
function prepare(
  kind: typeof KINDS[number],
  language: Language,
  options: LettersOptions,
  sentences: string[] = [],
) {
  const { lang, letters, pages } = language;
  const imprint = pages.find(({ name }) => name === IMPRINT);
  if (!imprint) {
    throw new ConfigError(`content/${lang}/${IMPRINT}.md is missing, to which letters lead`);
  }
  const imprintUrl = `${options.baseUrl}${imprint.path}`;
  const { address = [] } = options;
  const lines = Object.fromEntries(address.map((line, index) => [`address_${index}`, line]));
  const common = { ...placeholdersOf(options, lang), imprint_url: imprintUrl, ...lines };
  const source = letters.find(({ name }) => name === kind);
  if (!source) throw new ConfigError(`content/${lang}/letters/${kind}.md is missing`);
  const needed = NEEDED[kind] ?? "place_url";
  const list = sentences.map((each) => `- ${escapeMarkdown(each.replaceAll("{{", "{ {"))}`);
  try {
    const { subject } = source;
    const postal = Object.keys(lines).map((name) => `{{${name}}}`).join("\\\n");
    const body = `${source.body.replace("{{attention}}", () => list.join("\n"))}\n\n${postal}`;
    const html = renderMailHtml({ lang, title: subject, markdown: body }, options.colors);
    const text = textRenderer(body);
    const render = (own: Placeholders) => {
      const values = { ...common, ...own };
      return { subject: fill(subject, values), text: text(values), html: fillHtml(html, values) };
    };
    // Not looked for in the source, which can have it in a comment.
    const others = kind === "invitation" ? { invitation_expiry: "-" } : {};
    if (kind === "attention" && !source.body.includes("{{attention}}")) {
      throw new Error("the letter lacks {{attention}}, the trouble that it is sent for");
    }
    if (!render({ place_url: "-", ...others, [needed]: STAND_IN }).text.includes(STAND_IN)) {
      throw new Error(`the letter lacks {{${needed}}}, the address that it is sent for`);
    }
    return render;
  } catch (error) {
    throw faultIn(source.file, error);
  }
}
