/** HTML as a template literal, which escapes texts, and the elements that the site and the console share. @module */

/** A text that is HTML already, so that {@linkcode markup} does not escape it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What a template may contain. */
type Value = string | number | Html | Html[] | undefined | false;

/**
 * A template tag that makes HTML. It escapes texts and numbers. `undefined` and `false` become nothing, and a list
 * becomes a line for each of its items.
 */
export function markup(strings: TemplateStringsArray, ...values: Value[]): Html {
  let text = strings[0] ?? "";
  values.forEach((value, index) => text += show(value) + strings[index + 1]);
  return new Html(text);
}

/** An image with another image for dark mode. @param dark the URL of the image for dark mode, if there is one */
export function picture(image: Html, dark: string | undefined): Html {
  if (!dark) return image;
  return markup`<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)">${image}</picture>`;
}

/** A select field with its label. @param choices the values to choose from, with their labels */
export function select(
  { name, label, chosen }: { name: string; label: string; chosen?: string | undefined },
  choices: readonly (readonly [value: string, label: string])[],
): Html {
  const options = choices.map(([value, text]) =>
    markup`<option value="${value}"${value === chosen && markup` selected`}>${text}</option>`
  );
  return markup`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}">
${options}
</select>
</div>`;
}

/** Escapes a text for the content of an element or for an attribute in quotes. */
export function escapeHtml(text: string): string {
  // A test comes first, because most texts have none of these characters, and one test costs less than five
  // replacements.
  if (!/[&<>"']/.test(text)) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

function show(value: Value): string {
  if (value === undefined || value === false) return "";
  if (Array.isArray(value)) return value.join("\n");
  return value instanceof Html ? value.text : escapeHtml(String(value));
}
