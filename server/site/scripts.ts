/**
 * Which scripts the pages can load: all scripts of `assets/`, or only the built-in scripts. The Content-Security-Policy
 * of the pages allows these scripts only. This file also prepares the built-in scripts: it puts them into a folder of
 * their own, and removes their comments. @module
 */
import { createHash } from "node:crypto";
import type { ContentFile } from "../content/mod.ts";
import { type Assets, ASSETS_PATH } from "./assets.ts";

/** The scripts that pages can load. */
export interface Scripts {
  /** Returns the URL of a script by its file name. @throws an Error if there is no such script */
  url: (name: string) => string;
  /** The URLs that the Content-Security-Policy allows: the value of `script-src` (CSP Level 3 §6.1.10). */
  cspSource: string;
}

/** The folder of the built-in scripts among the assets. */
interface BuiltInFolder {
  /** The scripts, with the folder in their names. */
  files: ContentFile[];
  /** Returns only the scripts of this folder. The assets must already have the files of the folder. */
  scriptsIn: (assets: Assets, baseUrl: string) => Scripts;
}

/**
 * Puts the built-in scripts into a folder whose name has a digest of the scripts. The overlay cannot have a file in
 * this folder, because the `assets/` of the overlay has no folders.
 */
export function createBuiltInFolder(scripts: ContentFile[]): BuiltInFolder {
  const hash = createHash("sha256");
  for (const { name, bytes } of scripts) hash.update(`${name} ${bytes.byteLength}\n`).update(bytes);
  const folder = `scripts-${hash.digest("hex").slice(0, 16)}/`;
  return {
    files: scripts.map((script) => {
      const text = withoutCommentLines(new TextDecoder().decode(script.bytes));
      return { ...script, name: folder + script.name, bytes: new TextEncoder().encode(text) };
    }),
    scriptsIn: (assets, baseUrl) => ({
      url: (name) => assets.url(folder + name),
      // A Content Security Policy can name a path only together with its origin.
      cspSource: `${baseUrl}${ASSETS_PATH}${folder}`,
    }),
  };
}

/** Removes the comment lines of a built-in script, so that visitors load a third less. */
export const withoutCommentLines = (script: string): string =>
  script.replaceAll(/^ *(?:\/\/.*|\/\*\*[^]*?\*\/)\n/gm, "");

/** Returns all scripts of the assets. A script of the overlay replaces the built-in script of the same name. */
export const allScripts = (assets: Assets): Scripts => ({
  url: assets.url,
  cspSource: "'self'",
});
