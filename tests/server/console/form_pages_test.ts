import assert from "node:assert/strict";
import { SIGN_OUT_PATH } from "../../../server/console/page_context.ts";
import { CONSOLE_PAGES } from "../../../server/console/mod.ts";
import {
  ADA,
  openBrowser,
  signIn,
  startConsole,
  startFailingConsole,
  test,
} from "../../support/console.ts";
import { bulkSignUp, storeBulk } from "../../support/bulk_sign_ups.ts";
import { fieldsOf, urlsOf } from "../../support/console_forms.ts";
import { LINK, nth, storeWaiting } from "../../support/invitations.ts";
import { OPERATOR_KEY, readAudit } from "../../support/operator.ts";
import { storedSignUps, storeSignUp } from "../../support/records.ts";
import { START } from "../../support/service.ts";

const PEOPLE = "/operator/people/", PERSON = "/operator/people/person/";
const EXPIRED = /role="alert">The page that you asked for has expired\. Begin again here\./;

const done = async (call: Promise<Response>) => await (await call).body?.cancel();

/** Starts a console with three people, and sends a form that leads to a page with an address. */
/** What asks to erase a person. */
const ERASE = { chosen_0: ADA.email, act: "erase" };

async function startWithPage(path: string, fields: Record<string, string>) {
  const service = await startConsole();
  for (const name of ["ada", "adam", "bo"]) {
    const at = new Date(START).toISOString();
    await storeSignUp(service.kv, { email: `${name}@example.com` }, at);
  }
  const { location: url, response } = await service.browser.send(path, fields);
  return { service, url, response };
}

Deno.test("createConsole() gives a page about an address a URL without it, which can be loaded again", async () => {
  const forms: [path: string, fields: Record<string, string>, shown: RegExp][] = [
    [PEOPLE, { search: "ada", state: "waiting" }, /value="ada@example\.com"[\s\S]+adam@example/],
    [PERSON, { ...ADA, search: "ad", lang: "de" }, /<h1>ada@<wbr>example\.com/],
    ["/operator/people/chosen/", { ...ERASE, act: "invite" }, /<li>ada@example\.com<\/li>/],
    ["/operator/people/chosen/", ERASE, /<li>ada@example\.com<\/li>/],
  ];
  for (const [path, fields, shown] of forms) {
    const { service, url, response } = await startWithPage(path, fields);
    await using _ = service;
    assert.equal(response.status, 303, path);
    assert.match(url, /^[a-z/]+\?form=[\w-]{8}$/);
    const cookie = response.headers.get("set-cookie") ?? "";
    assert.match(cookie, /; Max-Age=28800; Path=\/operator; HttpOnly; SameSite=Strict; Secure$/);
    const { status, html } = await service.browser.open(url);
    assert.equal(status, 200, path);
    assert.match(html, shown, path);
    assert.equal((await service.browser.open(url)).status, 200, path);
  }
});

test("personPage finds a person by a link among many of the same moment, and after a correction", async ({ browser, kv, operate }) => {
  const at = new Date(START).toISOString();
  await storeBulk(
    kv,
    Array.from({ length: 2_100 }, (_, n) => bulkSignUp(`a${n}`, { createdAt: at })),
  );
  const list = await browser.submit(PEOPLE, { search: "a99@" });
  const [link = ""] = urlsOf(list.html).filter((url) => url.startsWith(PERSON));
  const open = () => browser.open(link.replaceAll("&amp;", "&"));
  assert.match((await open()).html, /a99@<wbr>example\.com <span/);
  await done(operate("/signups/correct", { email: "a99@example.com", newEmail: "z@example.com" }));
  assert.match((await open()).html, /z@<wbr>example\.com <span/);
  await done(operate("/signups/erase", { email: "z@example.com" }));
  const gone = await open();
  assert.equal(gone.status, 404);
  assert.match(gone.html, /role="alert">This address is not on the list\./);
});

test("personPage looks for the person of a link in a bounded part of the list", async ({ browser, kv }) => {
  const at = new Date(START).toISOString();
  for (let first = 0; first < 20_100; first += 1_005) {
    const names = Array.from({ length: 1_005 }, (_, n) => `a${first + n}`);
    await storeBulk(kv, names.map((name) => bulkSignUp(name, { createdAt: at })));
  }
  const { status, html } = await browser.open(`${PERSON}?id=${"a".repeat(22)}&at=${at}`);
  assert.equal(status, 404);
  assert.match(html, /role="alert">So many people have the same moment of sign-up/);
});

Deno.test("personPage says of a link that the list could not be read, and not that nobody is there", async () => {
  await using service = await startFailingConsole();
  const at = new Date(START).toISOString();
  service.fails.reads = true;
  const { status, html } = await service.browser.open(`${PERSON}?id=${"a".repeat(22)}&at=${at}`);
  assert.equal(status, 500);
  assert.match(html, /role="alert">Something went wrong in the service/);
});

test("createConsole() leads back to a page with its filters and its place in the list", async ({ browser, kv }) => {
  await storeWaiting(kv, 60);
  const first = await browser.open(`${PEOPLE}?order=oldest`);
  const second = await browser.submit(PEOPLE, fieldsOf(first.html, "Next page"));
  const [link = ""] = urlsOf(second.html).filter((url) => url.startsWith(PERSON));
  assert.match(link, /^\S+\?form=[\w-]{8}&amp;id=[\w-]{22}&amp;at=2026-11-21T11%3A50%3A20\.000Z$/);
  // It can be opened in another tab, and later, too.
  const person = await browser.open(link.replaceAll("&amp;", "&"));
  assert.match(person.html, new RegExp(`<h1[^>]*>${nth(50).replace("@", "@<wbr>")} <span`));
  const back = await browser.submit(PEOPLE, fieldsOf(person.html, "Back to the list"));
  assert.equal(back.html, second.html);
  for (const url of urlsOf(person.html)) assert.doesNotMatch(url, /@|%40/);
});

Deno.test("createConsole() changes nothing when a page is loaded, whatever its form was", async () => {
  const fields = { ...ADA, ...ERASE, confirmed: "yes", link: LINK, next: "3", wave: "first" };
  const { service, url } = await startWithPage(PERSON, fields);
  await using _ = service;
  const query = url.slice(url.indexOf("?"));
  const before = await storedSignUps(service.kv);
  const paths = CONSOLE_PAGES.flatMap(({ path, get }) => get ? [path] : []);
  assert.ok(paths.length > 10);
  for (const path of paths) {
    const { status } = await service.browser.open(path + query);
    assert.ok([200, 303, 404].includes(status), `${path} ${status}`);
  }
  assert.deepEqual(await storedSignUps(service.kv), before);
  assert.deepEqual(await readAudit(service), []);
});

Deno.test("createConsole() opens the page of a form after signing in again, for the same operator only", async () => {
  const berta = "second-operator-0123456789-abcdef";
  await using service = await startConsole({ OPERATOR_KEYS: `berta=${berta}` });
  const { location: url } = await service.browser.send(PEOPLE, { search: "zoe" });
  const [, forms = ""] = service.browser.cookie.split("; ");
  assert.ok(forms.startsWith("__Secure-waitlist_forms="));
  service.browser.cookie = forms;
  const away = await service.browser.open(url);
  const signInUrl = away.location;
  assert.equal(signInUrl, `/operator/sign-in/?to=${encodeURIComponent(url)}`);
  for (const [key, shown] of [[OPERATOR_KEY, /value="zoe"/], [berta, EXPIRED]] as const) {
    const browser = openBrowser(service);
    browser.cookie = forms;
    const { html } = await browser.submit("/operator/sign-in/", { key, to: url });
    assert.match(html, shown);
  }
});

Deno.test("createConsole() says that a page has expired when its fields are not kept", async () => {
  for (const path of [PEOPLE, PERSON, "/operator/invite/"]) {
    const { service, url } = await startWithPage(path, { ...ADA, search: "ada", next: "1" });
    await using _ = service;
    const elsewhere = await signIn(service);
    const answer = await elsewhere.open(url);
    const shown = answer.status === 303 ? await elsewhere.open(answer.location) : answer;
    assert.match(shown.html, EXPIRED, path);
  }
});

Deno.test("createConsole() makes the browser forget addresses when somebody signs out or erases", async () => {
  const forms: [path: string, fields: Record<string, string>][] = [
    [SIGN_OUT_PATH, {}],
    ["/operator/people/chosen/", { ...ERASE, confirmed: "yes" }],
  ];
  for (const [path, fields] of forms) {
    const { service } = await startWithPage(PERSON, ADA);
    await using _ = service;
    assert.match(service.browser.cookie, /waitlist_forms=\S/);
    const ended: string[] = [];
    const { status, response, location } = await service.browser.send(path, fields);
    assert.equal(status, 303, path);
    if (path !== SIGN_OUT_PATH) {
      // Who was erased is shown once.
      const shown = await service.browser.open(location);
      ended.push(...shown.response.headers.getSetCookie());
    } else ended.push(...response.headers.getSetCookie());
    assert.doesNotMatch(service.browser.cookie, /waitlist_forms/, path);
    assert.deepEqual(ended.filter((each) => each.includes("_forms")), [
      "__Secure-waitlist_forms=; Max-Age=0; Path=/operator; HttpOnly; SameSite=Strict; Secure",
    ]);
  }
});

test("peoplePage answers at once when a form is longer than a cookie", async ({ browser }) => {
  const { status, html } = await browser.send(PEOPLE, { search: "a".repeat(2_000) });
  assert.equal(status, 400);
  assert.match(html, /role="alert">Field &#39;search&#39; is /);
});
