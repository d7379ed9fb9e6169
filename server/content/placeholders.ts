/**
 * What a text of `content/` can name in double braces, such as `{{site_name}}`.
 *
 * @module
 */
import { escapeHtml } from "./html.ts";

/** The values by their names. */
export type Placeholders = ReturnType<typeof placeholdersOf>;

/** What the values are made from. */
export interface PlaceholderOptions {
  siteName: string;
  /** `mailto:` or `https:` address. */
  contact: string;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The published sandbox client, id and secret in one. */
  sandboxClient: string;
}

/** The placeholders and their values. */
export function placeholdersOf(options: PlaceholderOptions) {
  const { siteName, contact, baseUrl, sandboxClient } = options;
  return {
    site_name: siteName,
    contact,
    // As a person writes it: the mailbox, or the address without its protocol.
    contact_name: contact.startsWith("mailto:")
      ? new URL(contact).pathname
      : contact.replace(/^https:\/\//, "").replace(/\/$/, ""),
    base_url: baseUrl,
    sandbox_client: sandboxClient,
  };
}

/**
 * Fills the placeholders of plain text.
 *
 * @throws an Error naming a placeholder that is not known
 */
export function fill(text: string, values: Placeholders): string {
  return replace(text, values, (value) => value);
}

/** Fills the placeholders of HTML, those in addresses too, where Markdown has percent-encoded the braces. */
export function fillHtml(html: string, values: Placeholders): string {
  return replace(html, values, escapeHtml);
}

/** Fills the placeholders of Markdown; in code and in addresses the values stand as they are. */
export function fillMarkdown(markdown: string, values: Placeholders): string {
  return markdown.split(/(```[\s\S]*?```|`[^`\n]*`|\]\([^)]*\))/).map((part) =>
    replace(part, values, (value) => {
      if (part.startsWith("`")) return value;
      // A bracket would end the address.
      if (part.startsWith("](")) return value.replaceAll("(", "%28").replaceAll(")", "%29");
      return escapeMarkdown(value);
    })
  ).join("");
}

function replace(text: string, values: Placeholders, escape: (value: string) => string): string {
  return text.replace(/(?:\{\{|%7B%7B)(.*?)(?:\}\}|%7D%7D)/g, (_, name: string) => {
    const value = new Map(Object.entries(values)).get(name);
    if (value === undefined) {
      const known = Object.keys(values).map((name) => `{{${name}}}`).join(", ");
      throw new Error(`{{${name}}} is no placeholder; the placeholders are ${known}`);
    }
    return escape(value);
  });
}

function escapeMarkdown(text: string): string {
  // An address with a protocol stays readable and clickable; nothing in it starts a markup.
  if (/^https?:\/\/[^\s*_[\]<>`]+$/.test(text)) return text;
  return text.replace(/[\\`*_[\]<>#|&]/g, "\\$&");
}
