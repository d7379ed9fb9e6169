/** Makes files look as they do in one mode, whatever the setting of the visitor's system. @module */
import { type ContentFile, type Mode, MODES } from "../content/mod.ts";
import type { Assets } from "./assets.ts";
import type { Forms } from "./render.ts";

/** Replaces what asks for the setting of the visitor's system by the answer. */
export function fixMode(text: string, mode: Mode): string {
  return text
    .replaceAll(
      /\(prefers-color-scheme: *(light|dark)\)/g,
      (_, asked) => asked === mode ? "(min-width: 0)" : "(max-width: 0)",
    )
    .replaceAll(/(color-scheme(?:: *|" content="))light dark/g, `$1${mode}`);
}

/** Makes style sheets for each mode, in a folder of its name. @param names those of the style sheets */
export function fixedStyles(files: ContentFile[], names: string[]): ContentFile[] {
  const sheets = files.filter(({ name }) => names.includes(name));
  return MODES.flatMap((mode) =>
    sheets.map((sheet) => {
      const text = fixMode(new TextDecoder().decode(sheet.bytes), mode);
      return { ...sheet, name: `${mode}/${sheet.name}`, bytes: new TextEncoder().encode(text) };
    })
  );
}

/** Makes a page for each mode, with the style sheets of {@linkcode fixedStyles}. */
export function fixedPages(forms: Forms, assets: Assets): Record<Mode, Forms> {
  const fixed = (mode: Mode): Forms => {
    const html = fixMode(forms.html, mode).replaceAll(
      /(?<=rel="stylesheet" href=")\/assets\/([\w.-]+)[^"]*/g,
      (_, name) => assets.address(`${mode}/${name}`),
      // What the form leads to without scripts is looked at in the same mode.
    ).replaceAll(/(?<=<form method="post" action=")[^"]+/g, `$&?theme=${mode}`);
    return { ...forms, html };
  };
  return { light: fixed("light"), dark: fixed("dark") };
}
