/**
 * Shows a brand's pages and letters in each language and mode, in one HTML file that needs nothing else. As a program
 * (task `brand`), it takes `CONTENT_PATH`, `SITE_NAME`, `CONTACT` and `MAIL_URL`, each of which may be empty.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { contactOf, readConfig } from "../config/mod.ts";
import { type Html, launchWarnings, markup, type Mode, MODES, THANKS } from "../content/mod.ts";
import { createLetters } from "../letters/mod.ts";
import { fixMode } from "./fixed_mode.ts";
import { createSite, type Site, type SiteOptions } from "./mod.ts";

const BASE_URL = "http://localhost:8000";

const FILE = "brand-preview.html";

/** @param options those that the site was made with */
export async function previewBrand(site: Site, options: SiteOptions): Promise<string> {
  const frames: Html[] = [];
  for (const [title, html] of await pagesAndLetters(site, options)) {
    for (const mode of MODES) {
      const document = await standAlone(html, mode, site);
      frames.push(markup`<figure>
<figcaption>${title}, ${mode}</figcaption>
<div><iframe title="${title}, ${mode}" sandbox="" srcdoc="${document}"></iframe></div>
</figure>`);
    }
  }
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${site.siteName}: pages and letters</title>
<style>
body { margin: 1.5rem; background: #808080; color: #fff; font: 1rem/1.5 system-ui, sans-serif; }
main { display: grid; grid-template-columns: 640px 640px; gap: 1.5rem; justify-content: safe center; }
figure { margin: 0; }
div { height: 700px; overflow: hidden; }
iframe { background: #fff; width: 1280px; height: 1400px; border: 0; transform: scale(.5); transform-origin: 0 0; }
</style>
<main>
${frames}
</main>
`.text;
}

/** Returns pages and letters as they are sent, each with its title. */
async function pagesAndLetters(site: Site, options: SiteOptions) {
  const write = createLetters({ ...options, ...site });
  const get = async (path: string) => await (await site.routes.request(path)).text();
  const shown = site.languages.map(async ({ lang, home, pages, texts }) => {
    const thanks = pages.find(({ name }) => name === THANKS);
    const page = `${BASE_URL}/`;
    const letter = { kind: "confirmation", id: "preview", lang } as const;
    const missing = site.notFound(new Request(`${BASE_URL}${home.path}no-such-page`));
    return [
      [`Home, ${texts.name}`, await get(home.path)],
      ...thanks ? [[`Thanks, ${texts.name}`, await get(thanks.path)]] : [],
      [`Letter, ${texts.name}`, write({ ...letter, placeUrl: page, leaveUrl: page }).html],
      [`Unknown path, ${texts.name}`, await missing.text()],
    ] as [string, string][];
  });
  return (await Promise.all(shown)).flat();
}

/** Puts the files of a document into it, and makes it look as it does in one mode. */
function standAlone(html: string, mode: Mode, site: Site): Promise<string> {
  const text = fixMode(html.replaceAll(/<(script|noscript)\b[\s\S]*?<\/\1>/g, ""), mode);
  return replaceEach(text, /(?<=")\/assets\/[^"]+/g, (path) => dataUrl(path, mode, site));
}

/** Returns an asset as a `data:` URL, and so the files that a style sheet names. */
async function dataUrl(path: string, mode: Mode, site: Site): Promise<string> {
  const response = await site.routes.request(path);
  const type = response.headers.get("content-type") ?? "";
  let bytes: string | Uint8Array = await response.bytes();
  if (/^(?:text\/css|image\/svg)/.test(type)) {
    const text = fixMode(new TextDecoder().decode(bytes), mode);
    bytes = await replaceEach(text, /(?<=url\(["']?)[^"')]+/g, (name) => {
      if (/^(?:data:|#)/.test(name)) return name;
      const { pathname, search } = new URL(name, BASE_URL + path);
      return dataUrl(pathname + search, mode, site);
    });
  }
  return `data:${type.replaceAll(" ", "")};base64,${Buffer.from(bytes).toString("base64")}`;
}

async function replaceEach(
  text: string,
  pattern: RegExp,
  replace: (match: string) => string | Promise<string>,
): Promise<string> {
  const matches = Array.from(text.matchAll(pattern), async ([match]) => await replace(match));
  const replaced = (await Promise.all(matches)).values();
  return text.replaceAll(pattern, () => replaced.next().value!);
}

async function main([CONTENT_PATH, SITE_NAME, CONTACT, MAIL_URL]: string[]): Promise<void> {
  const result = readConfig({ CONTENT_PATH, SITE_NAME, CONTACT });
  if ("faults" in result) throw new Error(result.faults.join("\n"));
  const { config } = result;
  const options: SiteOptions = {
    ...config,
    ...config.site,
    contact: contactOf(config, BASE_URL),
    baseUrl: BASE_URL,
    mail: Boolean(MAIL_URL),
    apiLinks: "",
  };
  const site = await createSite(options);
  await writeFile(FILE, await previewBrand(site, options));
  console.log(`Wrote ${FILE}. Open it in a browser.`);
  // Letters and proxies are no part of the brand.
  const facts = { ...config, ...site, baseUrl: "https:", mail: undefined, trustedProxyHops: 1 };
  for (const { message } of [...launchWarnings(facts), ...site.warnings]) {
    console.log(`Before you publish: ${message}`);
  }
}

if (import.meta.main) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
