/**
 * Makes pages for frames that are always light or always dark, whatever mode the visitor's system asks for. The
 * patterns in this file depend on the HTML of `page.ts` and `sign_up_form.ts`; `form_in_frame_test.ts` fails if they no
 * longer match.
 * @module
 */
import { type ContentFile, type Mode, MODES } from "../content/mod.ts";
import type { Assets } from "./assets.ts";
import type { RenderedPage } from "./page.ts";

/** The query parameter by which a site chooses the mode for its frame. `theme` is the public name of the mode. */
export const MODE_PARAMETER = "theme";

/**
 * Replaces the conditions in HTML or a style sheet that ask for the light or dark mode of the visitor's system. The new
 * conditions always hold for `mode`, and never for the other mode. A `color-scheme` with both modes gets `mode` only.
 */
export function fixMode(text: string, mode: Mode): string {
  return text
    .replaceAll(
      /\(prefers-color-scheme: *(light|dark)\)/g,
      (_, askedMode) => askedMode === mode ? "(min-width: 0)" : "(max-width: 0)",
    )
    .replaceAll(/(color-scheme(?:: *|" content="))light dark/g, `$1${mode}`);
}

/**
 * Makes a copy of style sheets for each mode. The copies for a mode are in a folder with the name of the mode.
 * @param names the names of the style sheets
 */
export function fixedStyles(files: ContentFile[], names: string[]): ContentFile[] {
  const sheets = files.filter(({ name }) => names.includes(name));
  return MODES.flatMap((mode) =>
    sheets.map((sheet) => {
      const text = fixMode(new TextDecoder().decode(sheet.bytes), mode);
      return { ...sheet, name: `${mode}/${sheet.name}`, bytes: new TextEncoder().encode(text) };
    })
  );
}

/** Makes a copy of a page for each mode. The copies load the style sheets of {@linkcode fixedStyles}. */
export function fixedPages(page: RenderedPage, assets: Assets): Record<Mode, RenderedPage> {
  const fixPage = (mode: Mode): RenderedPage => {
    const htmlWithStyles = fixMode(page.html, mode).replaceAll(
      /(?<=rel="stylesheet" href=")\/assets\/([\w.-]+)[^"]*/g,
      (_, name) => assets.url(`${mode}/${name}`),
    );
    // Without scripts, the form leads to another page, which must have the same mode. The paths to which forms are sent
    // have no query yet.
    const html = htmlWithStyles.replaceAll(
      /(?<=<form method="post" action=")[^"]+/g,
      `$&?${MODE_PARAMETER}=${mode}`,
    );
    return { html, markdown: page.markdown };
  };
  return { light: fixPage("light"), dark: fixPage("dark") };
}
