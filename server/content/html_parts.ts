/**
 * The HTML that pages and console have in common: a picture with its dark form, and a select field. @module
 */
import { type Html, markup } from "./html.ts";

/** An image, and the image that replaces it in dark mode. @param dark the URL of the latter, if there is one */
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
