/**
 * Fills the placeholders in the texts of `content/`, such as `{{site_name}}`, and chooses the parts that are there
 * under a condition:
 *
 * ```md
 * {{if mail}}
 *
 * A letter is on its way.
 *
 * {{else}}
 *
 * We will write to you.
 *
 * {{end}}
 * ```
 *
 * @module
 */
import { escapeHtml } from "./html.ts";

/** The values of placeholders, by name: those of the pages, or those of a letter. */
export type Placeholders = Readonly<Record<string, string>>;

/** The settings that the values come from. */
export interface PlaceholderOptions {
  siteName: string;
  /** `mailto:` or `https:` address. */
  contact: string;
  /** The public origin, without a trailing slash. */
  baseUrl: string;
  /** The published sandbox client, id and secret in one. */
  sandboxClient: string;
}

/** Returns the placeholders with their values. */
export function placeholdersOf(options: PlaceholderOptions) {
  const { siteName, contact, baseUrl, sandboxClient } = options;
  return {
    site_name: siteName,
    contact,
    contact_name: contactName(contact),
    base_url: baseUrl,
    sandbox_client: sandboxClient,
  };
}

/** A contact address as people write it: the e-mail address, or the URL without its protocol. */
export function contactName(contact: string): string {
  return contact.startsWith("mailto:")
    ? new URL(contact).pathname
    : contact.replace(/^https:\/\//, "").replace(/\/$/, "");
}

/**
 * Fills the placeholders of plain text.
 *
 * @throws an Error that names an unknown placeholder
 */
export function fill(text: string, values: Placeholders): string {
  return replace(text, values, (value) => value);
}

/** Fills the placeholders of HTML, in URLs too, where Markdown has percent-encoded the braces. */
export function fillHtml(html: string, values: Placeholders): string {
  return replace(html, values, escapeHtml);
}

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
    const value = new Map(Object.entries(values)).get(name);
    if (value === undefined) {
      const known = Object.keys(values).map((name) => `{{${name}}}`).join(", ");
      throw new Error(`{{${name}}} is not a placeholder; the placeholders are ${known}`);
    }
    return escape(value);
  });
}

function escapeMarkdown(text: string): string {
  // A URL stays a link if it has no character of Markdown.
  if (/^https?:\/\/[^\s*_[\]<>`]+$/.test(text)) return text;
  return text.replace(/[\\`*_[\]<>#|&]/g, "\\$&");
}

/**
 * The conditions: whether letters are sent, and whether other sites may show the form in a frame; and, on the page of
 * a person, the state of the person.
 */
export const CONDITIONS = ["mail", "embed", "unconfirmed", "waiting", "invited"] as const;

/** A condition. */
export type Condition = typeof CONDITIONS[number];

/**
 * Leaves out the parts whose condition does not hold.
 *
 * @throws an Error that names an unknown condition, or a line that begins or ends no part
 */
export function chooseParts(text: string, holding: readonly Condition[]): string {
  const chosen = text.replace(PART, (_, name: string, part: string, otherwise = "") => {
    if (!CONDITIONS.some((condition) => condition === name)) {
      throw new Error(
        `{{if ${name}}} has no condition; the conditions are ${CONDITIONS.join(", ")}`,
      );
    }
    return holding.some((condition) => condition === name) ? part : otherwise;
  });
  const [left] = /\{\{(?:if [^}]*|else|end)\}\}/.exec(chosen) ?? [];
  if (left === undefined) return chosen;
  throw new Error(`${left} must be on a line of its own, between {{if …}} and {{end}} of one part`);
}

/** The lines of a part, each of which is a line of its own. */
const PART = /^\{\{if ([^}]*)\}\}\n([\s\S]*?)(?:^\{\{else\}\}\n([\s\S]*?))?^\{\{end\}\}\n/gm;
