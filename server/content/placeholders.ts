/** Fills placeholders such as `{{site_name}}`, and removes parts between `{{if mail}}` and `{{end}}`. @module */
import { STATES } from "../../shared/schemas.ts";
import { escapeHtml } from "./html.ts";

/** The values of placeholders, by name. */
export type Placeholders = Readonly<Record<string, string>>;

/** The settings from which the placeholders of pages and letters get their values. */
export interface PlaceholderOptions {
  siteName: string;
  /** The contact address, `mailto:` or `https:`. */
  contact: string;
  /** How long the service keeps an unconfirmed person, in days. */
  unconfirmedDays: number;
  /** How long the service keeps its daily backups, in days; absent if it makes no backups. */
  backupDays?: number | undefined;
}

/** Returns the values of the placeholders that pages and letters have in common. */
export function placeholdersOf(options: PlaceholderOptions, lang: string): Placeholders {
  const { siteName, contact, unconfirmedDays, backupDays = 0 } = options;
  const days = new Intl.NumberFormat(lang, { style: "unit", unit: "day", unitDisplay: "long" });
  return {
    site_name: siteName,
    contact,
    // The contact as people write it: the e-mail address, or the URL without its protocol.
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

/** Fills the placeholders of HTML, also in URLs, where Markdown has percent-encoded the braces. */
export const fillHtml = (html: string, values: Placeholders): string =>
  replace(html, values, escapeHtml);

/** Fills the placeholders of Markdown. Values are escaped for Markdown, except in code and in URLs. */
export function fillMarkdown(markdown: string, values: Placeholders): string {
  return markdown.split(/(```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\))/).map((part) =>
    replace(part, values, (value) => {
      if (part.startsWith("`")) return value;
      // Parentheses are percent-encoded, because a closing parenthesis would end the URL.
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

/** Escapes a text, so that Markdown shows it unchanged. */
export function escapeMarkdown(text: string): string {
  // A URL without special characters of Markdown is returned unchanged, so that it becomes a link.
  if (/^https?:\/\/[^\s*_[\]<>`]+$/.test(text)) return text;
  return text.replace(/[\\`*_[\]<>#|&]/g, "\\$&");
}

/**
 * The conditions that `{{if …}}` can name. `content/README.md` explains them. The text of a person's page can also name
 * the states of the person.
 */
const CONDITIONS = [
  /** The service sends letters. */
  "mail",
  /** Other sites may show the form in a frame. */
  "embed",
  /** The service makes backups by itself. */
  "backups",
  /** The home page leads to the pages for developers. */
  "developers",
  /** The home page has the picture `dawn.svg`: the built-in picture or a picture of the overlay. */
  "sun",
  // Each condition from `tagline` to `address` holds if `brand.yaml` has the member with this name.
  "tagline",
  "headline",
  "promise",
  "picture",
  "address",
  /** A person's page asks for role or use case. */
  "answers",
  /** A person's page has the link to recommend. This condition does not hold for a person who has not confirmed. */
  "referrals",
  ...STATES,
] as const;

/** The name of a condition. */
export type Condition = typeof CONDITIONS[number];

/**
 * Matches a part of a text that has a condition. `{{if …}}`, `{{else}}` and `{{end}}` each have a line of their own.
 */
const PART = /^\{\{if ([^}]*)\}\}\n([\s\S]*?)(?:^\{\{else\}\}\n([\s\S]*?))?^\{\{end\}\}\n/gm;

/**
 * Removes the parts whose condition does not hold.
 *
 * @param holding the conditions that hold
 * @throws an Error that names an unknown condition, or a line that belongs to no part
 */
export function chooseParts(text: string, holding: readonly Condition[]): string {
  const chosen = text.replace(PART, (_, name: Condition, part: string, otherwise = "") => {
    if (CONDITIONS.includes(name)) return holding.includes(name) ? part : otherwise;
    throw new Error(`{{if ${name}}} has no condition; the conditions are ${CONDITIONS.join(", ")}`);
  });
  const [unmatched] = /\{\{(?:if [^}]*|else|end)\}\}/.exec(chosen) ?? [];
  if (unmatched === undefined) return chosen;
  throw new Error(
    `${unmatched} must be on a line of its own, between {{if …}} and {{end}} of one part`,
  );
}
