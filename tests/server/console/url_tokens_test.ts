import assert from "node:assert/strict";
import { CONSOLE_PAGES } from "../../../server/console/mod.ts";
import { createUrlTokens } from "../../../server/console/url_tokens.ts";
import {
  ADA,
  personPath,
  signIn,
  startConsole,
  startFailingConsole,
  test,
} from "../../support/console.ts";
import { urlsOf } from "../../support/console_forms.ts";
import { LINK, nth, storeWaiting } from "../../support/invitations.ts";
import { readAudit } from "../../support/operator.ts";
import { storedSignUps, storeSignUp } from "../../support/records.ts";
import { START } from "../../support/service.ts";

const PEOPLE = "/operator/people/";
const AT = new Date(START).toISOString();
const KEY = new Uint8Array(32).fill(7);

Deno.test("createUrlTokens() makes the same token for the same text, and decrypts this token", async (t) => {
  const tokens = createUrlTokens(KEY, "query");
  for (const text of ["", "ada@example.com", "ä€😀", "x".repeat(5_000)]) {
    await t.step(JSON.stringify(text), () => {
      const token = tokens.encrypt(text);
      assert.match(token, /^[\w-]+$/);
      assert.equal(tokens.decrypt(token), text);
      assert.equal(tokens.encrypt(text), token);
    });
  }
});

Deno.test("createUrlTokens() refuses a token that was changed, made for another purpose or made with another key", async (t) => {
  const tokens = createUrlTokens(KEY, "query");
  const token = tokens.encrypt("ada@example.com");
  for (const at of [0, 20, token.length - 2]) {
    await t.step(JSON.stringify(at), () => {
      const other = token[at] === "A" ? "B" : "A";
      assert.equal(tokens.decrypt(token.slice(0, at) + other + token.slice(at + 1)), undefined);
    });
  }
  for (const text of ["", "abc", token.slice(0, 30)]) {
    await t.step(JSON.stringify(text), () => {
      assert.equal(tokens.decrypt(text), undefined);
    });
  }
  assert.equal(createUrlTokens(KEY, "person").decrypt(token), undefined);
  assert.equal(createUrlTokens(new Uint8Array(32), "query").decrypt(token), undefined);
});

/** Starts a console with three people. */
async function startWithThree() {
  const service = await startConsole();
  for (const name of ["ada", "adam", "bo"]) {
    await storeSignUp(service.kv, { email: `${name}@example.com` }, AT);
  }
  return service;
}

Deno.test("createConsole() writes no address into URLs of people's pages, and other sessions can open these URLs", async (t) => {
  await using service = await startWithThree();
  const { browser } = service;
  const search = await browser.send(PEOPLE, { search: "ada", state: "waiting" });
  assert.equal(search.status, 303);
  assert.match(search.location, /^\/operator\/people\/\?q=[\w-]+$/);
  const person = await personPath(browser, ADA.email);
  const invite = await browser.send(person, { act: "invite" });
  const pages: [url: string, shown: RegExp][] = [
    [search.location, /value="ada"[^]+adam@<wbr>example/],
    [person, /<h1>ada@<wbr>example\.com/],
    [`${person}/correct`, /name="new_email"/],
    [invite.location, /<li>ada@example\.com<\/li>/],
  ];
  const elsewhere = await signIn(service);
  for (const [url, shown] of pages) {
    await t.step(url, async () => {
      for (const each of [browser, elsewhere]) {
        const { status, html } = await each.open(url);
        assert.equal(status, 200);
        assert.match(html, shown);
        // Does not look for "ada", because the random text of a token may have these letters in a row.
        for (const found of [url, ...urlsOf(html)]) assert.doesNotMatch(found, /example|@|%40/i);
      }
    });
  }
});

Deno.test("personPage has the same URL after the address is corrected, and answers 404 after the person is erased", async () => {
  await using service = await startWithThree();
  const { browser, operate } = service;
  const path = await personPath(browser, ADA.email);
  await (await operate("/signups/correct", { ...ADA, newEmail: "z@example.com" })).body?.cancel();
  assert.match((await browser.open(path)).html, /<h1>z@<wbr>example\.com /);
  assert.equal(await personPath(browser, "z@example.com"), path);
  await (await operate("/signups/erase", { email: "z@example.com" })).body?.cancel();
  const gone = await browser.open(path);
  assert.equal(gone.status, 404);
  assert.match(gone.html, /role="alert">This address is not on the list\./);
});

Deno.test("personPage answers 404 when the token in its URL was changed or contains no id of a person", async (t) => {
  await using service = await startWithThree();
  const { browser } = service;
  const path = await personPath(browser, ADA.email);
  const { location } = await browser.send(PEOPLE, { search: ADA.email });
  const query = location.slice(location.indexOf("=") + 1);
  const changed = path.slice(0, -1) + (path.endsWith("A") ? "B" : "A");
  for (const each of [changed, `${PEOPLE}${query}`, `${PEOPLE}nobody`]) {
    await t.step(each, async () => {
      for (const answer of [await browser.open(each), await browser.send(each, { act: "erase" })]) {
        assert.equal(answer.status, 404);
        assert.match(answer.html, /role="alert">This address is not on the list\./);
      }
    });
  }
  // A person's token is no query, so the list is the one without a query.
  const token = path.slice(PEOPLE.length);
  const list = await browser.open(`${PEOPLE}?q=${token}`);
  assert.match(list.html, /name="search" type="search"[^>]* value=""/);
  assert.equal(Object.keys(await storedSignUps(service.kv)).length, 3);
});

Deno.test("personPage answers with the message for a KV failure, and not with 404, when KV fails", async () => {
  await using service = await startFailingConsole();
  await storeSignUp(service.kv, ADA, AT);
  const path = await personPath(service.browser, ADA.email);
  service.fails.reads = true;
  const { status, html } = await service.browser.open(path);
  assert.equal(status, 500);
  assert.match(html, /role="alert">Something went wrong in the service/);
});

test("personPage links back to the filtered page of the list from which the operator opened the person", async ({ browser, kv }) => {
  await storeWaiting(kv, 60);
  const first = await browser.open(`${PEOPLE}?order=oldest`);
  const [, next = ""] = /<a class="button" href="([^"]+)">Next page</.exec(first.html)!;
  const second = await browser.open(next);
  const [link = ""] = urlsOf(second.html).filter((url) => /people\/[\w-]{40,}/.test(url));
  const person = await browser.open(link.replaceAll("&amp;", "&"));
  assert.match(person.html, new RegExp(`<h1[^>]*>${nth(50).replace("@", "@<wbr>")} <span`));
  const [, back = ""] = /<a href="([^"]+)">Back to the list</.exec(person.html)!;
  assert.equal((await browser.open(back.replaceAll("&amp;", "&"))).html, second.html);
  for (const url of urlsOf(person.html)) assert.doesNotMatch(url, /@|%40/);
});

Deno.test("createConsole() changes no data for a GET request, even when the query has the fields of a form", async (t) => {
  await using service = await startWithThree();
  const { browser } = service;
  const person = await personPath(browser, ADA.email);
  const fields = { act: "erase", chosen_0: ADA.email, confirmed: "yes", link: LINK, next: "3" };
  const { location } = await browser.send(PEOPLE, { ...fields, search: "ada" });
  const { location: plan } = await browser.send("/operator/invite/", { next: "3", link: LINK });
  const queries = [location, plan, `?${new URLSearchParams(fields)}`]
    .map((url) => url.slice(url.indexOf("?")));
  const before = await storedSignUps(service.kv);
  const paths = CONSOLE_PAGES.flatMap(({ path, get }) => get ? [path] : [])
    .map((path) => path.replace("/operator/people/:person", person));
  assert.ok(paths.length > 8);
  for (const path of paths) {
    for (const query of queries) {
      await t.step(path + query, async () => {
        const { status } = await browser.open(path + query);
        assert.ok([200, 303, 400, 404].includes(status), `${path} ${status}`);
      });
    }
  }
  assert.deepEqual(await storedSignUps(service.kv), before);
  assert.deepEqual(await readAudit(service), []);
});

test("peoplePage shows the list without a redirect when the filters are too long for a URL", async ({ browser }) => {
  const { status, html } = await browser.send(PEOPLE, { search: "a".repeat(6_000) });
  assert.equal(status, 400);
  assert.match(html, /role="alert">Field &#39;search&#39; is /);
});
