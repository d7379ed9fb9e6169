/** Makes pages for frames that are always light or always dark, whatever mode the visitor's system asks for. @module */
import { type ContentFile, type Mode, MODES } from "../content/mod.ts";
import type { Assets } from "./assets.ts";
import type { RenderedPage } from "./page.ts";

/**
 * Replaces the conditions in HTML or a style sheet that ask for the light or dark mode of the visitor's system. The new
 * conditions always hold for the given mode, and never for the other mode. A `color-scheme` with both modes gets the
 * given mode only.
 */
export function fixMode(text: string, mode: Mode): string {
  return text
    .replaceAll(
      /\(prefers-color-scheme: *(light|dark)\)/g,
      (_, asked) => asked === mode ? "(min-width: 0)" : "(max-width: 0)",
    )
    .replaceAll(/(color-scheme(?:: *|" content="))light dark/g, `$1${mode}`);
}

/** Makes copies of style sheets for each mode, in a folder with the name of the mode. @param names the style sheets */
export function fixedStyles(files: ContentFile[], names: string[]): ContentFile[] {
  const sheets = files.filter(({ name }) => names.includes(name));
  return MODES.flatMap((mode) =>
    sheets.map((sheet) => {
      const text = fixMode(new TextDecoder().decode(sheet.bytes), mode);
      return { ...sheet, name: `${mode}/${sheet.name}`, bytes: new TextEncoder().encode(text) };
    })
  );
}

/** Makes a copy of a page for each mode, with the style sheets of {@linkcode fixedStyles}. */
export function fixedPages(page: RenderedPage, assets: Assets): Record<Mode, RenderedPage> {
  const fixed = (mode: Mode): RenderedPage => {
    const withStyles = fixMode(page.html, mode).replaceAll(
      /(?<=rel="stylesheet" href=")\/assets\/([\w.-]+)[^"]*/g,
      (_, name) => assets.url(`${mode}/${name}`),
    );
    // Without scripts, the form leads to another page, which must have the same mode.
    const html = withStyles.replaceAll(
      /(?<=<form method="post" action=")[^"]+/g,
      `$&?theme=${mode}`,
    );
    return { html, markdown: page.markdown };
  };
  return { light: fixed("light"), dark: fixed("dark") };
}
