/**
 * Fills placeholders such as `{{site_name}}` in the texts of pages and letters. `conditions.ts` chooses the parts
 * between `{{if …}}` and `{{end}}`. @module
 */
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
  replacePlaceholders(text, values, (value) => value);

/** Fills the placeholders of HTML, also in URLs, where Markdown has percent-encoded the braces. */
export const fillHtml = (html: string, values: Placeholders): string =>
  replacePlaceholders(html, values, escapeHtml);

/** Fills the placeholders of Markdown. Values are escaped for Markdown, except in code and in URLs. */
export function fillMarkdown(markdown: string, values: Placeholders): string {
  return markdown.split(/(```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\))/).map((part) =>
    replacePlaceholders(part, values, (value) => {
      if (part.startsWith("`")) return value;
      // Parentheses are percent-encoded, because a closing parenthesis would end the URL.
      if (part.startsWith("](")) return value.replaceAll("(", "%28").replaceAll(")", "%29");
      return escapeMarkdown(value);
    })
  ).join("");
}

function replacePlaceholders(
  text: string,
  values: Placeholders,
  escape: (value: string) => string,
): string {
  return text.replace(/(?:\{\{|%7B%7B)(.*?)(?:\}\}|%7D%7D)/g, (_, name: string) => {
    if (Object.hasOwn(values, name)) return escape(values[name]!);
    const knownNames = Object.keys(values).map((name) => `{{${name}}}`).join(", ");
    throw new Error(`{{${name}}} is not a placeholder; the placeholders are ${knownNames}`);
  });
}

/** Escapes a text, so that Markdown shows it unchanged. */
export function escapeMarkdown(text: string): string {
  // A URL without special characters of Markdown is returned unchanged, so that it becomes a link.
  if (/^https?:\/\/[^\s*_[\]<>`]+$/.test(text)) return text;
  return text.replace(/[\\`*_[\]<>#|&]/g, "\\$&");
}
