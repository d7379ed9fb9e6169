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

/** A value to choose from, with its label. */
type Choice = readonly [value: string, label: string];

/** Choices that a browser shows below a heading. */
export interface ChoiceGroup {
  heading: string;
  choices: readonly Choice[];
}

/**
 * A select field with its label. @param options.hint the text below the field
 * @param choices the values to choose from, and groups of such values
 */
export function select(
  { name, label, chosen, hint }: {
    name: string;
    label: string;
    chosen?: string | undefined;
    hint?: string | undefined;
  },
  choices: readonly (Choice | ChoiceGroup)[],
): Html {
  const showChoice = ([value, text]: Choice) =>
    markup`<option value="${value}"${value === chosen && markup` selected`}>${text}</option>`;
  const options = choices.map((choice) =>
    "heading" in choice
      ? markup`<optgroup label="${choice.heading}">${choice.choices.map(showChoice)}</optgroup>`
      : showChoice(choice)
  );
  return markup`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}"${hint && markup` aria-describedby="${name}-hint"`}>
${options}
</select>${hint && markup`\n<p class="hint" id="${name}-hint">${hint}</p>`}
</div>`;
}
