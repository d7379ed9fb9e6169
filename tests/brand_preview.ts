/**
 * `deno task brand`: shows a company's pages, letters and console in each language, mode and width, in one HTML file
 * that needs nothing else. It takes `CONTENT_PATH`, `SITE_NAME`, `CONTACT`, `MAIL_URL` and `CONTENT_SCRIPTS`, each of
 * which may be empty.
 * @module
 */
import { Buffer } from "node:buffer";
import { contactOf, readConfig, type ServiceVariables } from "../server/config/mod.ts";
import { PATHS } from "../server/console/mod.ts";
import { Html, launchWarnings, markup, type Mode, MODES } from "../server/content/mod.ts";
import { createLetterWriter, lettersLackLogo } from "../server/letters/mod.ts";
import { fixMode } from "../server/site/fixed_mode.ts";
import { createSite, type SiteOptions } from "../server/site/mod.ts";
import { STATES } from "../server/waitlist/mod.ts";
import type { StoredSignup } from "../shared/operator_schemas.ts";
import { type ConsoleAnswer, openBrowser, personPath, signIn } from "./support/console.ts";
import { OPERATOR_KEY } from "./support/operator.ts";
import { BASE_URL, form, ndjson, startTestService, type TestService } from "./support/service.ts";

const FILE = "brand-preview.html";

/** What is shown: the group in the list of contents, the page's path or state, and the page. */
type Shown = [group: string, state: string, html: string];

/** Makes the file. @returns it, and what is to do before other people see the pages */
export async function previewBrand(given: ServiceVariables) {
  const added = {
    EMBED_ORIGINS: "https://www.example.com",
    TRUSTED_PROXY_HOPS: "1",
    // The link to recommend needs letters.
    REFERRALS: given.MAIL_URL ? "on" : "off",
  };
  const variables = { OPERATOR_KEY, ...added, ...given };
  const result = readConfig({ BASE_URL, ...variables });
  if ("faults" in result) throw new Error(result.faults.join("\n"));
  const { config } = result;
  const contact = contactOf(config, BASE_URL);
  const options: SiteOptions = {
    ...config,
    ...config.site,
    contact,
    baseUrl: BASE_URL,
    sendsLetters: config.mail !== undefined,
    givesReferralCodes: config.hasReferrals,
    contentScripts: config.site.allowsContentScripts,
    apiLinks: "",
  };
  const site = await createSite(options);
  const write = createLetterWriter({ ...options, ...site });
  await using service = await startTestService(variables, undefined, () => WAITING);
  const get = async (path: string) => await (await service.request(path)).text();
  const people = await addPeople(service, config.hasReferrals);

  const shown: Shown[] = [];
  for (const { lang, home, pages, selfService, texts } of site.languages) {
    const add = (state: string, html: string) => shown.push([`Pages, ${texts.name}`, state, html]);
    for (const { path } of pages) add(path, await get(path));
    const own = people.filter((person) => person.lang === lang);
    for (const { state, placeUrl } of own) {
      add(`person who is ${state}`, await get(placeUrl.slice(BASE_URL.length)));
    }
    const { placeUrl } = own[0]!;
    const t = new URL(placeUrl).searchParams.get("t")!;
    const leave = await service.request("/place/leave", form({ t, lang }));
    add("question before leaving", await leave.text());
    add("link that is not good", await get(`${selfService.asking.path}?t=none`));
    add("unknown path", await get(`${home.path}no-such-page`));
    const headers = { Accept: "text/html" };
    const again = await service.request("/api/v1/waitlist", { ...form({ lang }), headers });
    add("form that was refused", await again.text());
    const common = { id: "preview", lang, placeUrl, leaveUrl: placeUrl };
    const overviewUrl = `${BASE_URL}/operator/`;
    const kinds = [
      ...(["confirmation", "link", "test"] as const).map((kind) => ({ kind })),
      { kind: "invitation", invitationUrl: BASE_URL } as const,
      { kind: "attention" as const, sentences: ["…"], overviewUrl },
    ];
    for (const each of kinds) {
      shown.push([
        `Letters, ${texts.name}`,
        each.kind,
        withPictures(write({ ...common, ...each })),
      ]);
    }
  }
  for (const [lang, name] of [["en", "English"], ["de", "Deutsch"]]) {
    const headers = { "Accept-Language": lang! };
    const operator = await signIn(service);
    const show = async (state: string, answer: Promise<ConsoleAnswer>) =>
      shown.push([`Console, ${name}`, state, (await answer).page]);
    await show("sign-in", openBrowser(service).open("/operator/sign-in/", { headers }));
    for (const path of Object.values(PATHS)) await show(path, operator.open(path, { headers }));
    for (const [state, path, fields] of FORMS) {
      await show(state, operator.submit(path, fields, { headers }));
    }
    const person = await personPath(operator, EMAIL);
    await show("person", operator.open(person, { headers }));
    await show("correct", operator.open(`${person}/correct`, { headers }));
    // The answer to a form is the page itself where it asks first, or shows a secret.
    await show("erase", operator.send(person, { act: "erase" }, { headers }));
    const client = { name: `Dashboard ${name}`, stats: "on" };
    await show("secret", operator.send(PATHS.clients, client, { headers }));
    const { html } = await operator.open(PATHS.clients);
    const [, client_id = ""] = /client\/\?id=([\w-]+)/.exec(html)!;
    const ask = (state: string, path: string, fields: Record<string, string>) =>
      show(state, operator.send(path, fields, { headers }));
    await ask("question before cancelling", "/operator/invite/wave/", {
      id: WAVE.wave,
      change: "cancel",
    });
    const asked = { action: "delete", client_id };
    await ask("question before deleting", "/operator/clients/client/", asked);
  }

  // Letters and proxies are no part of the brand.
  const facts = {
    ...config,
    ...site,
    lettersLackLogo: lettersLackLogo(site.brand),
    baseUrl: "https:",
    mail: undefined,
    trustedProxyHops: 1,
  };
  const warnings = [...launchWarnings(facts), ...site.warnings];
  return { html: await documentOf(site.siteName, shown, service), warnings };
}

/** Puts the pages into `brand_preview.html`, and once each file that they name. */
async function documentOf(name: string, shown: Shown[], service: TestService): Promise<string> {
  const files: Record<Mode, Record<string, string>> = { light: {}, dark: {} };
  const items: Record<string, Html[]> = {};
  const pages: Html[] = [];
  for (const [index, [group, state, html]] of shown.entries()) {
    const [, title = ""] = /<title>(.*?)(?: · .*)?<\/title>/.exec(html) ?? [];
    const label = markup`${new Html(title)} <small>(${state})</small>`;
    if (!items[group]) pages.push(markup`<h2>${group}</h2>`);
    (items[group] ??= []).push(markup`<li><a href="#page-${index}">${label}</a></li>`);
    const frames = await Promise.all(MODES.map(async (mode) => {
      const page = fixMode(html.replaceAll(/<(script|noscript)\b[\s\S]*?<\/\1>/g, ""), mode);
      for (const [path] of page.matchAll(/(?<=")\/assets\/[^"]+/g)) {
        files[mode][path] ??= await dataUrl(path, mode, service);
      }
      return markup`<div>${mode}<div class="frame"><iframe title="${group}, ${state}, ${mode}"
 sandbox="" loading="lazy" data-mode="${mode}" data-page="${page}"></iframe></div></div>`;
    }));
    pages.push(
      markup`<h3 id="page-${index}">${label}</h3>\n<div class="pair">\n${frames}\n</div>`,
    );
  }
  const contents = Object.entries(items).map(([group, links]) =>
    markup`<section>\n<h2>${group}</h2>\n<ul>\n${links}\n</ul>\n</section>`
  );
  const parts = { name: markup`${name}`, contents, pages, files: new Html(JSON.stringify(files)) };
  const template = await Deno.readTextFile(new URL("brand_preview.html", import.meta.url));
  return template.replaceAll(
    /\{\{ *(\w+) *\}\}/g,
    (_, part: keyof typeof parts) => markup`${parts[part]}`.text,
  );
}

const EMAIL = "person.1@example.com";

/** The example of the number of waiting people. */
const WAITING = 4_321;

const WAVE = { next: "5", link: "https://www.example.com/welcome?code={code}", wave: "preview" };

/** The pages of the console that a form leads to: what they show, where the form is sent, and its fields. */
const FORMS: [title: string, path: string, fields: Record<string, string>][] = [
  ["plan", PATHS.invite, WAVE],
  ["wave", PATHS.invite, { ...WAVE, confirmed: "yes", without_code: "yes" }],
];

/** Puts people on the list, so that the console has something to show. @returns one in each state and language */
async function addPeople({ request, clock }: TestService, referrals: boolean) {
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
      ...referrals && state !== "unconfirmed" && { referralCode: `Example${100 + n}` },
      // The first ten have five referrals each, if they have a code.
      ...referrals && n >= 10 && { referredBy: `Example${100 + n % 10}` },
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

/** The HTML of a letter, with its pictures as `data:` URLs. */
function withPictures(
  { html, pictureFiles }: ReturnType<ReturnType<typeof createLetterWriter>>,
): string {
  return pictureFiles.reduce((text, { contentId, contentType, base64 }) => {
    const url = `data:${contentType};base64,${base64}`;
    return text.replaceAll(`cid:${contentId}`, url);
  }, html);
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
  const [CONTENT_PATH, SITE_NAME, CONTACT, MAIL_URL, CONTENT_SCRIPTS] = Deno.args.map((each) =>
    each || undefined
  );
  const mail = MAIL_URL && { MAIL_URL, MAIL_FROM: "Preview <preview@example.com>" };
  try {
    const { html, warnings } = await previewBrand({
      ...{ CONTENT_PATH, CONTENT_SCRIPTS, SITE_NAME, CONTACT },
      ...mail,
    });
    await Deno.writeTextFile(FILE, html);
    console.log(`Wrote ${FILE}. Open it in a browser.`);
    for (const { message } of warnings) console.log(`Before you publish: ${message}`);
  } catch (error) {
    console.error((error as Error).message);
    Deno.exit(1);
  }
}
