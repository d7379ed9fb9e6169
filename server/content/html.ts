/** A text that is HTML, and is not escaped again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Value = string | number | Html | Html[] | undefined | false;

/** A template tag that escapes all but {@linkcode Html}; `undefined` and `false` give no text, list items lines. */
export function markup(strings: TemplateStringsArray, ...values: Value[]): Html {
  let text = strings[0] ?? "";
  values.forEach((value, index) => text += show(value) + strings[index + 1]);
  return new Html(text);
}

/** An image, in whose place visitors whose system is dark see the one at another address, if there is one. */
export function picture(image: Html, dark: string | undefined): Html {
  if (!dark) return image;
  return markup`<picture><source srcset="${dark}" media="(prefers-color-scheme: dark)">${image}</picture>`;
}

/** A field with some values to choose from. @param names the values with what they are called */
export function select(
  { name, label, chosen }: { name: string; label: string; chosen?: string | undefined },
  names: readonly (readonly [value: string, name: string])[],
): Html {
  const options = names.map(([value, text]) =>
    markup`<option value="${value}"${value === chosen && markup` selected`}>${text}</option>`
  );
  return markup`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}">
${options}
</select>
</div>`;
}

/** Escapes text for HTML, for the content of an element and for a quoted attribute. */
export function escapeHtml(text: string): string {
  // Most texts have none of these characters, and one test is faster than five replacements.
  if (!/[&<>"']/.test(text)) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}

function show(value: Value): string {
  if (value === undefined || value === false) return "";
  if (Array.isArray(value)) return value.join("\n");
  return value instanceof Html ? value.text : escapeHtml(String(value));
}
