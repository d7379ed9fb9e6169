/**
 * `deno task brand`: shows a company's pages, letters and console in each language and mode, in one HTML file that
 * needs nothing else. It takes `CONTENT_PATH`, `SITE_NAME`, `CONTACT` and `MAIL_URL`, each of which may be empty.
 * @module
 */
import { Buffer } from "node:buffer";
import { contactOf, readConfig, type ServiceVariables } from "../server/config/mod.ts";
import { PATHS } from "../server/console/mod.ts";
import type { Html, Mode, SourcePage } from "../server/content/mod.ts";
import { launchWarnings, markup, MODES } from "../server/content/mod.ts";
import { createLetters } from "../server/letters/mod.ts";
import { fixMode } from "../server/site/fixed_mode.ts";
import { createSite, type SiteOptions } from "../server/site/mod.ts";
import { STATES } from "../server/waitlist/mod.ts";
import type { StoredSignup } from "../shared/operator_schemas.ts";
import { type ConsoleAnswer, openBrowser, signIn } from "./support/console.ts";
import { OPERATOR_KEY } from "./support/operator.ts";
import { BASE_URL, form, ndjson, startTestService, type TestService } from "./support/service.ts";

const FILE = "brand-preview.html";

/** What is shown, with its title. */
type Shown = [title: string, html: string];

/** Makes the file. @returns it, and what is to do before other people see the pages */
export async function previewBrand(given: ServiceVariables) {
  const added = { EMBED_ORIGINS: "https://www.example.com", TRUSTED_PROXY_HOPS: "1" };
  const variables = { OPERATOR_KEY, ...added, ...given };
  const result = readConfig({ BASE_URL, ...variables });
  if ("faults" in result) throw new Error(result.faults.join("\n"));
  const { config } = result;
  const contact = contactOf(config, BASE_URL);
  const mail = config.mail !== undefined;
  const own = { ...config, ...config.site, contact, baseUrl: BASE_URL };
  const options: SiteOptions = { ...own, mail, apiLinks: "" };
  const site = await createSite(options);
  const write = createLetters({ ...options, ...site });
  await using service = await startTestService(variables);
  const get = async (path: string) => await (await service.request(path)).text();
  const people = await addPeople(service);

  const shown: Shown[] = [];
  for (const { lang, home, pages, notFound, refused, selfService, texts } of site.languages) {
    const add = (title: string, html: string) => shown.push([`${title}, ${texts.name}`, html]);
    const addPage = async ({ title }: SourcePage, path: string) => add(title, await get(path));
    for (const page of pages) await addPage(page, page.path);
    for (const person of people.filter((person) => person.lang === lang)) {
      await addPage(selfService.person, person.placeUrl.slice(BASE_URL.length));
    }
    const { placeUrl } = people.find((person) => person.lang === lang)!;
    const t = new URL(placeUrl).searchParams.get("t")!;
    const leave = await service.request("/place/leave", form({ t, lang }));
    add(selfService.leaving.title, await leave.text());
    await addPage(selfService.noPerson, `${selfService.entry.path}?t=none`);
    await addPage(notFound, `${home.path}no-such-page`);
    const headers = { Accept: "text/html" };
    const again = await service.request("/api/v1/waitlist", { ...form({ lang }), headers });
    add(refused.title, await again.text());
    const common = { id: "preview", lang, placeUrl, leaveUrl: placeUrl };
    const overviewUrl = `${BASE_URL}/operator/`;
    const kinds = [
      ...(["confirmation", "link", "test"] as const).map((kind) => ({ kind })),
      { kind: "invitation", invitationUrl: BASE_URL } as const,
      { kind: "attention" as const, sentences: ["…"], overviewUrl },
    ];
    for (const kind of kinds) add(`Letter: ${kind.kind}`, write({ ...common, ...kind }).html);
  }
  for (const [lang, name] of [["en", "English"], ["de", "Deutsch"]]) {
    const headers = { "Accept-Language": lang! };
    const operator = await signIn(service);
    const show = async (path: string, answer: Promise<ConsoleAnswer>) =>
      shown.push([`Console ${path}, ${name}`, (await answer).html]);
    await show("sign-in", openBrowser(service).open("/operator/sign-in/", { headers }));
    for (const path of Object.values(PATHS)) await show(path, operator.open(path, { headers }));
    for (const [title, path, fields] of FORMS) {
      await show(
        title,
        operator.submit(path, { ...fields, name: `Dashboard ${name}` }, { headers }),
      );
    }
    // Before these two, the page that gets the form asks.
    const { html } = await operator.open(PATHS.clients);
    const [, client_id = ""] = /client\/\?id=([\w-]+)/.exec(html)!;
    const ask = (title: string, path: string, fields: Record<string, string>) =>
      show(title, operator.send(path, fields, { headers }));
    await ask("cancel", "/operator/invite/wave/", { id: WAVE.wave, change: "cancel" });
    await ask("delete", "/operator/clients/client/", { action: "delete", client_id });
  }

  const frames: Html[] = [];
  for (const [title, html] of shown) {
    for (const mode of MODES) {
      const document = await standAlone(html, mode, service);
      frames.push(markup`<figure>
<figcaption>${title}, ${mode}</figcaption>
<div><iframe title="${title}, ${mode}" sandbox="" loading="lazy" srcdoc="${document}"></iframe></div>
</figure>`);
    }
  }
  // Letters and proxies are no part of the brand.
  const facts = { ...config, ...site, baseUrl: "https:", mail: undefined, trustedProxyHops: 1 };
  const warnings = [...launchWarnings(facts), ...site.warnings];
  return { html: document(site.siteName, frames), warnings };
}

function document(siteName: string, frames: Html[]): string {
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${siteName}: pages, letters and console</title>
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

const EMAIL = "person.1@example.com";

const WAVE = { next: "5", link: "https://www.example.com/welcome?code={code}", wave: "preview" };

/** The pages of the console that a form leads to: what they show, where the form is sent, and its fields. */
const FORMS: [title: string, path: string, fields: Record<string, string>][] = [
  ["person", "/operator/people/person/", { email: EMAIL }],
  ["correct", "/operator/people/correct/", { email: EMAIL }],
  ["erase", "/operator/people/chosen/", { chosen_0: EMAIL, act: "erase" }],
  ["plan", PATHS.invite, WAVE],
  ["wave", PATHS.invite, { ...WAVE, confirmed: "yes", without_code: "yes" }],
  ["secret", PATHS.clients, { stats: "on" }],
];

/** Puts people on the list, so that the console has something to show. @returns one in each state and language */
async function addPeople({ request, clock }: TestService) {
  const operate = (path: string, init: RequestInit) =>
    request(`/operator/v1/signups/${path}`, {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${OPERATOR_KEY}` },
    });
  const lines = Array.from({ length: 60 }, (_, n) => {
    const createdAt = new Date(clock.now - n * n * 3_600_000 - 1_000).toISOString();
    const state = STATES[n % 10] ?? "waiting";
    return {
      email: `person.${n}@example.com`,
      consentedAt: createdAt,
      createdAt,
      lang: n % 3 ? "en" : "de",
      source: n % 4 ? "hero" : "cta",
      state,
      .../invited|accepted/.test(state) && { invitedAt: createdAt },
    };
  });
  await (await operate("import", ndjson(lines))).text();
  const exported = await (await operate("export", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: '{"links":true}',
  })).text();
  const people: (StoredSignup & { placeUrl: string })[] = exported.trim().split("\n")
    .map((line) => JSON.parse(line)).filter(({ placeUrl }) => placeUrl);
  const kinds = new Map(people.map((person) => [`${person.lang} ${person.state}`, person]));
  return [...kinds.values()];
}

/** Puts the files of a document into it, and makes it look as it does in one mode. */
function standAlone(html: string, mode: Mode, service: TestService): Promise<string> {
  const text = fixMode(html.replaceAll(/<(script|noscript)\b[\s\S]*?<\/\1>/g, ""), mode);
  return replaceEach(text, /(?<=")\/assets\/[^"]+/g, (path) => dataUrl(path, mode, service));
}

/** Returns an asset as a `data:` URL, and so the files that a style sheet names. */
async function dataUrl(path: string, mode: Mode, service: TestService): Promise<string> {
  const response = await service.request(path);
  const type = response.headers.get("content-type") ?? "";
  let bytes: string | Uint8Array = await response.bytes();
  if (/^(?:text\/css|image\/svg)/.test(type)) {
    const text = fixMode(new TextDecoder().decode(bytes), mode)
      // With many frames, each font is late, and none may be missing.
      .replaceAll("font-display: optional", "font-display: block");
    bytes = await replaceEach(text, /(?<=url\(["']?)[^"')]+/g, (name) => {
      if (/^(?:data:|#)/.test(name)) return name;
      const { pathname, search } = new URL(name, BASE_URL + path);
      return dataUrl(pathname + search, mode, service);
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

if (import.meta.main) {
  const [CONTENT_PATH, SITE_NAME, CONTACT, MAIL_URL] = Deno.args.map((each) => each || undefined);
  const mail = MAIL_URL && { MAIL_URL, MAIL_FROM: "Preview <preview@example.com>" };
  try {
    const { html, warnings } = await previewBrand({ CONTENT_PATH, SITE_NAME, CONTACT, ...mail });
    await Deno.writeTextFile(FILE, html);
    console.log(`Wrote ${FILE}. Open it in a browser.`);
    for (const { message } of warnings) console.log(`Before you publish: ${message}`);
  } catch (error) {
    console.error((error as Error).message);
    Deno.exit(1);
  }
}
