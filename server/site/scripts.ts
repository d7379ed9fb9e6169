/** Which scripts the pages load, from which addresses, and what the policy of the pages lets run. @module */
import { createHash } from "node:crypto";
import type { ContentFile } from "../content/mod.ts";
import { type Assets, ASSETS_PATH } from "./assets.ts";

/** The scripts that a page can load. */
export interface Scripts {
  /** Returns the address of a script by the name of its file. @throws an Error if there is no such script */
  address: (name: string) => string;
  /** What `script-src` of a Content Security Policy allows (CSP Level 3 §6.1.10). */
  source: string;
}

/**
 * Puts the built-in scripts into a folder of the assets whose name has their digest. No file of the overlay can be
 * there, as an overlay has no folders in `assets/`.
 */
export function builtInFolder(scripts: ContentFile[]) {
  const hash = createHash("sha256");
  for (const { name, bytes } of scripts) hash.update(`${name} ${bytes.byteLength}\n`).update(bytes);
  const folder = `scripts-${hash.digest("hex").slice(0, 16)}/`;
  return {
    files: scripts.map((script) => ({ ...script, name: folder + script.name })),
    /** Allows this folder alone. A policy can name a path behind an origin only, so the origin is the public one. */
    scriptsIn: (assets: Assets, baseUrl: string): Scripts => ({
      address: (name) => assets.address(folder + name),
      source: `${baseUrl}${ASSETS_PATH}${folder}`,
    }),
  };
}

/** Takes a file of the overlay in the place of a built-in script, and lets every script of the origin run. */
export const allScripts = (assets: Assets): Scripts => ({
  address: assets.address,
  source: "'self'",
});
