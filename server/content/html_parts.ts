/** The HTML that pages and console have in common: a picture for light and dark mode, and a select field. @module */
import { type Html, markup } from "./html.ts";

/**
 * A picture.
 * @param image the image for light mode @param darkUrl the URL of the image for dark mode, if there is such an image
 */
export function picture(image: Html, darkUrl: string | undefined): Html {
  if (!darkUrl) return image;
  return markup`<picture><source srcset="${darkUrl}" media="(prefers-color-scheme: dark)">${image}</picture>`;
}

/**
 * A select field with its label. @param options.hint the text below the field
 * @param choices the values to choose from, with their labels
 */
export function select(
  { name, label, chosen, hint }: {
    name: string;
    label: string;
    chosen?: string | undefined;
    hint?: string | undefined;
  },
  choices: readonly (readonly [value: string, label: string])[],
): Html {
  const options = choices.map(([value, text]) =>
    markup`<option value="${value}"${value === chosen && markup` selected`}>${text}</option>`
  );
  return markup`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}"${hint && markup` aria-describedby="${name}-hint"`}>
${options}
</select>${hint && markup`\n<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`;
}
