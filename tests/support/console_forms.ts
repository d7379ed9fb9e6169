import assert from "node:assert/strict";

/** The hidden fields of the form on a page of the console that has a button with this label. */
export function fieldsOf(html: string, button: string): Record<string, string> {
  const text = `>${button}</button>`;
  const [before = ""] = html.split(text);
  // A button with the attribute `form` belongs to the form with this id.
  const owner = before.slice(before.lastIndexOf("<button")).match(/ form="([\w-]+)"/)?.[1];
  const form = html.split("<form").find((each) => each.includes(owner ? ` id="${owner}"` : text));
  assert.ok(form, `a button '${button}' in ${html}`);
  const fields = form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries(
    Array.from(fields, ([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")]),
  );
}

/** The addresses of links and forms on a page. */
export function urlsOf(html: string): string[] {
  return Array.from(html.matchAll(/(?:href|action|src)="([^"]*)"/g), ([, url = ""]) => url);
}

/** The text of a page, with one space between words. */
export function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}
