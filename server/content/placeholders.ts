/** Fills placeholders such as `{{site_name}}`, and chooses parts between `{{if mail}}` and `{{end}}`. @module */
import { STATES } from "../../shared/schemas.ts";
import { escapeHtml } from "./html.ts";

/** The values of placeholders, by name: those of the pages, or those of a letter. */
export type Placeholders = Readonly<Record<string, string>>;

/** The settings that the values of pages and letters come from. */
export interface PlaceholderOptions {
  siteName: string;
  /** `mailto:` or `https:` address. */
  contact: string;
  unconfirmedDays: number;
  /** How long a backup that the service makes each day is kept, in days; absent where it makes none. */
  backupDays?: number | undefined;
}

/** The placeholders that pages and letters have in common. */
export function placeholdersOf(options: PlaceholderOptions, lang: string) {
  const { siteName, contact, unconfirmedDays, backupDays = 0 } = options;
  const days = new Intl.NumberFormat(lang, { style: "unit", unit: "day", unitDisplay: "long" });
  return {
    site_name: siteName,
    contact,
    // As people write it: the e-mail address, or the URL without its protocol.
    contact_name: contact.startsWith("mailto:")
      ? new URL(contact).pathname
      : contact.replace(/^https:\/\//, "").replace(/\/$/, ""),
    unconfirmed_days: days.format(unconfirmedDays),
    backup_days: days.format(backupDays),
  };
}

/** Fills the placeholders of plain text. @throws an Error that names an unknown placeholder */
export const fill = (text: string, values: Placeholders): string =>
  replace(text, values, (value) => value);

/** Fills the placeholders of HTML, in URLs too, where Markdown has percent-encoded the braces. */
export const fillHtml = (html: string, values: Placeholders): string =>
  replace(html, values, escapeHtml);

/** Fills the placeholders of Markdown. In code and in URLs the values are not escaped. */
export function fillMarkdown(markdown: string, values: Placeholders): string {
  return markdown.split(/(```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\))/).map((part) =>
    replace(part, values, (value) => {
      if (part.startsWith("`")) return value;
      // A bracket would end the URL.
      if (part.startsWith("](")) return value.replaceAll("(", "%28").replaceAll(")", "%29");
      return escapeMarkdown(value);
    })
  ).join("");
}

function replace(text: string, values: Placeholders, escape: (value: string) => string): string {
  return text.replace(/(?:\{\{|%7B%7B)(.*?)(?:\}\}|%7D%7D)/g, (_, name: string) => {
    if (Object.hasOwn(values, name)) return escape(values[name]!);
    const known = Object.keys(values).map((name) => `{{${name}}}`).join(", ");
    throw new Error(`{{${name}}} is not a placeholder; the placeholders are ${known}`);
  });
}

/** Escapes a text, so that it stands in Markdown as it is. */
export function escapeMarkdown(text: string): string {
  // A URL stays a link if it has no character of Markdown.
  if (/^https?:\/\/[^\s*_[\]<>`]+$/.test(text)) return text;
  return text.replace(/[\\`*_[\]<>#|&]/g, "\\$&");
}

/**
 * Letters are sent, other sites may show the form in a frame, backups happen by themselves, the home
 * page leads to the developers', it has the built-in picture; people are asked for role or use case on their page; and
 * there, the person's state.
 */
const CONDITIONS = ["mail", "embed", "backups", "developers", "sun", "answers", ...STATES] as const;

export type Condition = typeof CONDITIONS[number];

/** The lines of a part, each of which is a line of its own. */
const PART = /^\{\{if ([^}]*)\}\}\n([\s\S]*?)(?:^\{\{else\}\}\n([\s\S]*?))?^\{\{end\}\}\n/gm;

/** Leaves out the parts whose condition does not hold. @throws an Error that names what is no part */
export function chooseParts(text: string, holding: readonly Condition[]): string {
  const chosen = text.replace(PART, (_, name: Condition, part: string, otherwise = "") => {
    if (CONDITIONS.includes(name)) return holding.includes(name) ? part : otherwise;
    throw new Error(`{{if ${name}}} has no condition; the conditions are ${CONDITIONS.join(", ")}`);
  });
  const [left] = /\{\{(?:if [^}]*|else|end)\}\}/.exec(chosen) ?? [];
  if (left === undefined) return chosen;
  throw new Error(`${left} must be on a line of its own, between {{if …}} and {{end}} of one part`);
}
