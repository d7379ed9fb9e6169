/** The console in a test: an operator who is signed in, opens pages and sends forms, as a browser does. @module */
import assert from "node:assert/strict";
import { SIGN_IN_PATH } from "../../server/console/page_context.ts";
import type { ServiceVariables } from "../../server/config/mod.ts";
import { faultyKv } from "./faulty_kv.ts";
import { type OperatedService, OPERATOR_KEY, startOperatedService } from "./operator.ts";
import { refuseDue } from "./outbox.ts";
import {
  BASE_URL,
  json,
  signUp,
  type TestRequestInit,
  type TestService,
  WITH_MAIL,
} from "./service.ts";
import type { Kv } from "../../server/store/kv/engine.ts";
import { listAll, openMemoryKv } from "./memory_kv.ts";
import { testWith } from "./test_with.ts";

/** An answer of the console, read. */
export interface ConsoleAnswer {
  response: Response;
  status: number;
  html: string;
  /** The HTML with the names of columns, which cells have for phones. */
  page: string;
  /** Where it redirects to; empty where it does not. */
  location: string;
}

/** The browser of an operator. */
type OperatorBrowser = ReturnType<typeof openBrowser>;

/** Makes the browser of an operator who is not signed in. */
export function openBrowser(service: Pick<TestService, "request">) {
  async function request(path: string, init: TestRequestInit): Promise<ConsoleAnswer> {
    const headers = new Headers(init.headers);
    if (browser.cookie) headers.set("Cookie", browser.cookie);
    const response = await service.request(path, { ...init, headers });
    assertConsoleHeaders(response, path);
    browser.cookie = withCookies(browser.cookie, response.headers.getSetCookie());
    const location = response.headers.get("location") ?? "";
    const page = await response.text();
    assertUniqueIds(page, path);
    // The names of columns would stand between what the tests look for.
    const html = page.replaceAll(/ data-label="[^"]*"/g, "");
    return { response, status: response.status, html, page, location };
  }
  /** Asks for a page; throws when the answer's headers are not those of every page of the console. */
  const open = (path: string, init: TestRequestInit = {}) => request(path, init);
  /** Sends a form to a page, from a page of the console. */
  const send = (path: string, fields: Record<string, string> = {}, init: TestRequestInit = {}) =>
    request(path, {
      method: "POST",
      body: new URLSearchParams(fields),
      ...init,
      headers: { Origin: BASE_URL, ...Object.fromEntries(new Headers(init.headers)) },
    });
  /** Sends a form, and opens the page that it leads to. */
  async function submit(...[path, fields, init]: Parameters<typeof send>): Promise<ConsoleAnswer> {
    const answer = await send(path, fields, init);
    assert.equal(answer.status, 303, answer.html);
    return await open(answer.location, init);
  }
  /** The `Cookie` header is empty until somebody signs in. */
  const browser = { cookie: "", open, send, submit };
  return browser;
}

/** Throws when two elements of a page have the same id: a label or a list of suggestions would belong to the first one. */
function assertUniqueIds(page: string, path: string): void {
  const ids = Array.from(page.matchAll(/<[^>]*? id="([^"]+)"/g), ([, id]) => id);
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  assert.deepEqual(repeated, [], path);
}

/** A `Cookie` header after answers' `Set-Cookie` values, of which one without a value ends its cookie. */
function withCookies(header: string, given: string[]): string {
  const cookies = new Map<string, string>();
  for (const each of [...header.split("; "), ...given.map((each) => each.split(";")[0] ?? "")]) {
    const [name = "", value = ""] = each.split("=");
    if (value) cookies.set(name, value);
    else cookies.delete(name);
  }
  return Array.from(cookies, (pair) => pair.join("=")).join("; ");
}

/** Signs an operator in, and gives the browser. */
export async function signIn(
  service: Pick<TestService, "request">,
  key = OPERATOR_KEY,
): Promise<OperatorBrowser> {
  const browser = openBrowser(service);
  const { status, html, location } = await browser.send(SIGN_IN_PATH, { key });
  assert.deepEqual([status, location], [303, "/operator/"], html);
  return browser;
}

/** A service with an operator who is signed in to its console. */
export type ConsoleService = OperatedService & { browser: OperatorBrowser };

/** Starts a service, and signs an operator in to its console. */
export async function startConsole(
  variables: ServiceVariables = {},
  kv?: Kv,
): Promise<ConsoleService> {
  const service = await startOperatedService(variables, kv);
  const browser = await signIn(service);
  return {
    ...service,
    browser,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** A test of a service to whose console an operator is signed in. */
export const test = testWith(startConsole);

/** Starts a console over a KV that fails while a test says so. */
export async function startFailingConsole(variables?: ServiceVariables) {
  const fails = { reads: false, commits: false };
  const isAway = () => new Error("KV is away");
  const kv = faultyKv(
    await openMemoryKv(),
    (commit) => fails.commits ? Promise.reject(isAway()) : commit(),
    (read) => fails.reads ? Promise.reject(isAway()) : read(),
  );
  const service = await startConsole(variables, kv);
  return {
    ...service,
    fails,
    async [Symbol.asyncDispose]() {
      Object.assign(fails, { reads: false, commits: false });
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Asserts the headers that keep a page out of caches, frames and search engines. */
function assertConsoleHeaders({ status, headers }: Response, path = ""): void {
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("x-robots-tag"), "noindex");
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("referrer-policy"), "same-origin");
  const policy = headers.get("content-security-policy") ?? "";
  // A letter has inline styles, as mail programs drop others, and a page of the console shows it in a frame.
  const isLetter = status === 200 && path.startsWith("/operator/invite/letter/?");
  const ancestors = `frame-ancestors ${isLetter ? "'self'" : "'none'"}`;
  for (const directive of ["default-src 'none'", ancestors, "base-uri 'none'"]) {
    assert.ok(policy.includes(directive), policy);
  }
  if (isLetter) assert.match(policy, /^default-src 'none'; style-src 'unsafe-inline'; .*sandbox$/);
  else assert.doesNotMatch(policy, /unsafe/);
}

/** Follows the link of a page that has a label. */
export async function follow(
  browser: OperatorBrowser,
  html: string,
  label: string,
): Promise<ConsoleAnswer> {
  const [, path] = new RegExp(`<a [^>]*href="([^"]+)"[^>]*>${label}</a>`).exec(html) ?? [];
  assert.ok(path, `a link '${label}' in ${html}`);
  return await browser.open(path.replaceAll("&amp;", "&"));
}

/** Finds the path of a person's page as an operator does: searches for the address, and takes the link of the row. */
export async function personPath(browser: OperatorBrowser, email: string): Promise<string> {
  const { html } = await browser.submit("/operator/people/", { search: email });
  const [name, domain] = email.split("@").map((part) => RegExp.escape(part));
  const link = new RegExp(`<a href="(/operator/people/[\\w-]+)[^"]*">${name}@<wbr>${domain}</a>`);
  const [, path] = link.exec(html) ?? [];
  assert.ok(path, `a link to ${email} in ${html}`);
  return path;
}

/** Opens the page of a person. */
export async function openPerson(
  browser: OperatorBrowser,
  email: string,
  init?: TestRequestInit,
): Promise<ConsoleAnswer> {
  return await browser.open(await personPath(browser, email), init);
}

/** The person of tests about one person. */
export const ADA = { email: "ada@example.com" };

/** Starts a console with a person on the list, who has not confirmed where there is mail. */
export async function startWithAda(variables: ServiceVariables = {}): Promise<ConsoleService> {
  const service = await startConsole(variables);
  await service.request("/api/v1/waitlist", json({ ...ADA, consent: true, source: "hero" }));
  return service;
}

/** Starts a console with so many people, whose letters were all refused. */
export async function startWithRefusedLetters(people: number): Promise<ConsoleService> {
  const service = await startConsole(WITH_MAIL);
  for (let n = 0; n < people; n++) {
    assert.equal(await signUp(service, `visitor${n}@example.com`), 200);
  }
  await refuseDue(service.kv, "letters", { reason: "550 no" });
  return service;
}

/** Signs a person up, and damages the stored letter limit of the person's mailbox. */
export async function startWithDamagedLetterLimit(email: string): Promise<ConsoleService> {
  const kv = await openMemoryKv();
  const service = await startConsole(WITH_MAIL, kv);
  await service.request("/api/v1/waitlist", json({ email, consent: true }));
  const [letterLimit] = await listAll(kv, { prefix: ["brake"] });
  await kv.raw.set(letterLimit!.key, new TextEncoder().encode("{"));
  return service;
}
