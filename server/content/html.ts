/** HTML as a template literal, which escapes texts. @module */

/** A text that is already HTML, so that {@linkcode markup} does not escape it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Gives the HTML, so that a list of `Html` can be joined. */
  toString(): string {
    return this.text;
  }
}

/** What a template may contain. */
type TemplateValue = string | number | Html | Html[] | undefined | false;

/**
 * A template tag that makes HTML. It escapes texts and numbers. `undefined` and `false` become nothing, and each item
 * of a list becomes a line.
 */
export function markup(strings: TemplateStringsArray, ...values: TemplateValue[]): Html {
  let text = strings[0] ?? "";
  values.forEach((value, index) => text += toText(value) + strings[index + 1]);
  return new Html(text);
}

/** Escapes a text for the content of an element or for an attribute in quotes. */
export function escapeHtml(text: string): string {
  // Most texts have none of these characters, and one test costs less than five replacements.
  if (!/[&<>"']/.test(text)) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

/** Gives the HTML of a value in a template. */
function toText(value: TemplateValue): string {
  if (value === undefined || value === false) return "";
  if (Array.isArray(value)) return value.join("\n");
  return value instanceof Html ? value.text : escapeHtml(String(value));
}
