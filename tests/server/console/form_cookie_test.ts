import assert from "node:assert/strict";
import { createFormCookie } from "../../../server/console/form_cookie.ts";
import { SIGN_OUT_PATH } from "../../../server/console/layout.ts";
import { SESSION_MS } from "../../../server/console/session.ts";
import { CONSOLE_PAGES } from "../../../server/console/mod.ts";
import { openBrowser, signIn, startConsole } from "../../support/console.ts";
import { fieldsOf, urlsOf } from "../../support/console_forms.ts";
import { LINK, storeWaiting } from "../../support/invitations.ts";
import { OPERATOR_KEY, readAudit } from "../../support/operator.ts";
import { storedSignUps, storeSignUp } from "../../support/records.ts";
import { BASE_URL, START } from "../../support/service.ts";

const PEOPLE = "/operator/people/", PERSON = "/operator/people/person/";
const ADA = { email: "ada@example.com" };
const EXPIRED = /role="alert">The page that you asked for has expired\. Begin again here\./;

const OPERATOR = { name: "anna", key: "first-operator-0123456789-abcdefgh" };

/** The cookie of one operator, at a time that a test changes. */
function startCookie(operator = OPERATOR) {
  const clock = { now: START };
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  const options = { baseUrl: BASE_URL, now: () => clock.now, random };
  const { add, find } = createFormCookie(operator, options);
  return {
    clock,
    add: (cookies: string | undefined, fields: Record<string, string>) =>
      add(cookies, new Map(Object.entries(fields))),
    async find(cookies: string | undefined, id: string) {
      const fields = await find(cookies, id);
      return fields && Object.fromEntries(fields);
    },
  };
}

/** The `Cookie` header that a `Set-Cookie` value leads to. */
const sent = (cookie = "") => cookie.split(";")[0];

/** Starts a console with three people, and sends a form that leads to a page with an address. */
async function startWithPage(path: string, fields: Record<string, string>) {
  const service = await startConsole();
  for (const name of ["ada", "adam", "bo"]) {
    await storeSignUp(
      service.kv,
      { email: `${name}@example.com` },
      new Date(START).toISOString(),
    );
  }
  const { response } = await service.browser.send(path, fields);
  return { service, url: response.headers.get("location") ?? "", response };
}

Deno.test("createFormCookie() finds a form by its id, which the same fields always have", async () => {
  const { add, find } = startCookie();
  const first = await add(undefined, { ...ADA, search: "a" });
  const second = await add(sent(first?.cookie), { search: "ä", state: "" });
  const again = await add(sent(second?.cookie), { search: "a", state: "", ...ADA });
  assert.equal(again?.id, first?.id);
  assert.notEqual(second?.id, first?.id);
  const cookies = `x=1; ${sent(again?.cookie)}; waitlist_forms=`;
  assert.deepEqual(await find(cookies, first?.id ?? ""), { ...ADA, search: "a" });
  assert.deepEqual(await find(cookies, second?.id ?? ""), { search: "ä" });
  assert.equal(await find(cookies, "unknown"), undefined);
  assert.equal(await find(undefined, first?.id ?? ""), undefined);
});

Deno.test("createFormCookie() takes any field's name, and the last of two forms that are sent at once", async () => {
  const { add, find } = startCookie();
  const odd = new Map([["__proto__", "x"], ["constructor", "y"]]);
  const base = await add(undefined, Object.fromEntries(odd));
  assert.deepEqual(await find(sent(base?.cookie), base?.id ?? ""), Object.fromEntries(odd));
  const [one, other] = await Promise.all([
    add(sent(base?.cookie), { search: "one" }),
    add(sent(base?.cookie), { search: "other" }),
  ]);
  const last = sent(other?.cookie);
  assert.deepEqual(await find(last, other?.id ?? ""), { search: "other" });
  assert.equal(await find(last, one?.id ?? ""), undefined);
});

Deno.test("createFormCookie() drops the oldest forms when a cookie could not hold more", async () => {
  // People who were reached from a further page of a search with filters: about as long as fields are in practice.
  const choice = {
    search: "person",
    state: "waiting",
    lang: "de",
    after_email: "person.100@example.com",
    after_at: "2026-11-21T12:00:00.000Z",
  };
  for (const [fields, atLeast] of [[{}, 20], [choice, 6]] as const) {
    const { add, find } = startCookie();
    const ids: string[] = [];
    let cookies: string | undefined;
    for (let n = 0; n < 50; n++) {
      const added = await add(cookies, { email: `person.${n}@example.com`, ...fields });
      ids.push(added?.id ?? "");
      cookies = sent(added?.cookie);
      assert.ok((added?.cookie ?? "").length < 2_400, "4 KB for all headers of an answer");
    }
    const found = await Promise.all(ids.map((id) => find(cookies, id)));
    const first = found.findIndex((each) => each !== undefined);
    assert.ok(50 - first >= atLeast, `${50 - first} forms`);
    assert.ok(found.slice(first).every((each) => each !== undefined), "the newest ones");
  }
});

Deno.test("createFormCookie() takes a form of the longest fields, and none that is longer", async () => {
  const { add } = startCookie();
  const longest = { email: "e".repeat(254), search: "s".repeat(254), after_email: "a".repeat(254) };
  assert.ok(await add(undefined, longest));
  assert.equal(await add(undefined, { search: "s".repeat(2_000) }), undefined);
});

Deno.test("createFormCookie() finds nothing in a cookie that is changed, too old or of somebody else", async () => {
  const { clock, add, find } = startCookie();
  const { id = "", cookie } = await add(undefined, ADA) ?? {};
  const good = sent(cookie) ?? "";
  assert.ok(!good.includes("@"));
  for (const part of good.replace("waitlist_forms=", "").split(".")) {
    assert.doesNotMatch(atob(part.replaceAll("-", "+").replaceAll("_", "/")), /ada@/);
  }
  const at = good.length - 30;
  const changed = good.slice(0, at) + (good[at] === "A" ? "B" : "A") + good.slice(at + 1);
  for (const bad of [changed, good.slice(0, -1), "waitlist_forms=", "waitlist_forms=x"]) {
    assert.equal(await find(bad, id), undefined, bad);
  }
  const other = startCookie({ ...OPERATOR, key: `${OPERATOR.key}2` });
  assert.equal(await other.find(good, id), undefined);
  clock.now += SESSION_MS - 1_000;
  assert.deepEqual(await find(good, id), ADA);
  clock.now += 1_000;
  assert.equal(await find(good, id), undefined);
});

Deno.test("createConsole() gives a page about an address a URL without it, which can be loaded again", async () => {
  const forms: [path: string, fields: Record<string, string>, shown: RegExp][] = [
    [PEOPLE, { search: "ada", state: "waiting" }, /value="ada@example\.com"[\s\S]+adam@example/],
    [PERSON, { ...ADA, search: "ad", lang: "de" }, /class="address">ada@example\.com/],
    ["/operator/people/invite/", ADA, /class="address">ada@example\.com/],
    ["/operator/people/erase/", ADA, /class="address">ada@example\.com/],
  ];
  for (const [path, fields, shown] of forms) {
    const { service, url, response } = await startWithPage(path, fields);
    await using _ = service;
    assert.equal(response.status, 303, path);
    assert.match(url, /^[a-z/]+\?form=[\w-]{8}$/);
    const cookie = response.headers.get("set-cookie") ?? "";
    assert.ok(
      cookie.endsWith("; Max-Age=28800; Path=/operator; HttpOnly; SameSite=Strict; Secure"),
    );
    const { status, html } = await service.browser.open(url);
    assert.equal(status, 200, path);
    assert.match(html, shown, path);
    assert.equal((await service.browser.open(url)).status, 200, path);
  }
});

Deno.test("createConsole() leads back to a page with its filters and its place in the list", async () => {
  await using service = await startConsole();
  await storeWaiting(service.kv, 60);
  const first = await service.browser.open(`${PEOPLE}?order=oldest`);
  const second = await service.browser.submit(PEOPLE, fieldsOf(first.html, "Next page"));
  const [, email = ""] = /name="email" value="([^"]+)"/.exec(second.html) ?? [];
  const choice = fieldsOf(second.html, email.replace("@", "@<wbr>"));
  const person = await service.browser.submit(PERSON, { ...choice, email });
  assert.deepEqual(fieldsOf(person.html, "Back to the list"), choice);
  const back = await service.browser.submit(PEOPLE, fieldsOf(person.html, "Back to the list"));
  assert.equal(back.html, second.html);
  for (const url of urlsOf(person.html)) assert.doesNotMatch(url, /@|%40/);
});

Deno.test("createConsole() changes nothing when a page is loaded, whatever its form was", async () => {
  const fields = { ...ADA, confirmed: "yes", link: LINK, next: "3", wave: "first" };
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
  const { response } = await service.browser.send(PEOPLE, { search: "zoe" });
  const url = response.headers.get("location") ?? "";
  const [, forms = ""] = service.browser.cookie.split("; ");
  assert.ok(forms.startsWith("waitlist_forms="));
  service.browser.cookie = forms;
  const away = await service.browser.open(url);
  const signInUrl = away.response.headers.get("location") ?? "";
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
    const shown = answer.status === 303
      ? await elsewhere.open(answer.response.headers.get("location") ?? "")
      : answer;
    assert.match(shown.html, EXPIRED, path);
  }
});

Deno.test("createConsole() makes the browser forget addresses when somebody signs out or erases", async () => {
  const forms: [path: string, fields: Record<string, string>][] = [
    [SIGN_OUT_PATH, {}],
    ["/operator/people/erase/", { ...ADA, confirmed: "yes" }],
  ];
  for (const [path, fields] of forms) {
    const { service } = await startWithPage(PERSON, ADA);
    await using _ = service;
    assert.match(service.browser.cookie, /waitlist_forms=\S/);
    const { status, response } = await service.browser.send(path, fields);
    assert.equal(status, 303, path);
    assert.doesNotMatch(service.browser.cookie, /waitlist_forms/, path);
    const ended = response.headers.getSetCookie().filter((each) => each.includes("_forms"));
    assert.deepEqual(ended, [
      "waitlist_forms=; Max-Age=0; Path=/operator; HttpOnly; SameSite=Strict; Secure",
    ]);
  }
});

Deno.test("peoplePage answers at once when a form is longer than a cookie", async () => {
  await using service = await startConsole();
  const { status, html } = await service.browser.send(PEOPLE, { search: "a".repeat(2_000) });
  assert.equal(status, 400);
  assert.match(html, /role="alert">Field &#39;search&#39; is /);
});
