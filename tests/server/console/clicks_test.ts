/**
 * How many clicks the tasks of an operator's day take without scripts, each from the overview on. A click follows a
 * link, presses a button, or chooses an entry of a menu; typing is no click. @module
 */
import assert from "node:assert/strict";
import { follow, startConsole } from "../../support/console.ts";
import { LINK, nth, storeWaiting } from "../../support/invitations.ts";
import { storedSignUps } from "../../support/records.ts";
import { confirmPerson } from "../../support/self_service.ts";
import { json, WITH_MAIL } from "../../support/service.ts";

/** Starts a service with people, and an operator who has opened the overview and whose clicks are counted. */
async function startWork(storePeople: (service: Service) => Promise<void>) {
  const service = await startConsole({ ...WITH_MAIL });
  await storePeople(service);
  const { browser } = service;
  let page = await browser.open("/operator/");
  let given: Record<string, string> = {};
  return {
    service,
    clicks: 0,
    get html() {
      return page.html;
    },
    get headers() {
      return page.response.headers;
    },
    async follow(label: string) {
      this.clicks++;
      given = {};
      page = await follow(browser, page.html, label);
    },
    type(name: string, value: string) {
      assert.match(page.html, new RegExp(`<(?:input|textarea) id="${name}"`));
      given[name] = value;
    },
    choose(name: string, value: string) {
      this.clicks++;
      const at = page.html.indexOf(`<select id="${name}"`);
      assert.ok(at > 0 && page.html.slice(at).split("</select>")[0]!.includes(`value="${value}"`));
      const before = page.html.slice(0, at);
      assert.ok(
        before.lastIndexOf("<details>") <= before.lastIndexOf("</details>"),
        `the menu ${name} is folded, and to open it is a click`,
      );
      given[name] = value;
    },
    /** Presses a button. The form sends what the operator has typed and chosen, and its other fields as they are. */
    async press(label: string) {
      this.clicks++;
      const { path, fields } = formWith(page.html, label);
      const sent = await browser.send(path, { ...fields, ...given });
      given = {};
      page = sent.status === 303 ? await browser.open(sent.location) : sent;
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

type Service = Awaited<ReturnType<typeof startConsole>>;

/** Returns the path and the fields that a form sends when its button with this label is pressed. */
function formWith(html: string, label: string): { path: string; fields: Record<string, string> } {
  const form = html.split("<form").slice(1).find((each) => {
    return each.split("</form>")[0]!.includes(`>${label}</button>`);
  })?.split("</form>")[0];
  assert.ok(form, `a button '${label}' in ${html}`);
  const attributeOf = (element: string, name: string) =>
    new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1]?.replaceAll("&amp;", "&");
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    const isSent = !input.includes('type="checkbox"') || input.includes(" checked");
    const name = attributeOf(input, "name");
    if (name !== undefined && isSent) fields[name] = attributeOf(input, "value") ?? "";
  }
  for (const [menu] of form.matchAll(/<select[^]*?<\/select>/g)) {
    const [chosen] = /<option [^>]*selected>/.exec(menu) ?? /<option [^>]*>/.exec(menu) ?? [""];
    fields[attributeOf(menu, "name")!] = attributeOf(chosen, "value") ?? "";
  }
  const button = form.slice(0, form.indexOf(`>${label}</button>`)).split("<button").at(-1)!;
  const name = attributeOf(button, "name");
  if (name !== undefined) fields[name] = attributeOf(button, "value") ?? "";
  const path = attributeOf(button, "formaction") ?? attributeOf(form, "action")!;
  return { path, fields };
}

/** Signs Ada up, who is unconfirmed until she confirms. */
async function signAdaUp({ request }: Service) {
  const fields = { email: "ada.lovelace@example.com", consent: true };
  await (await request("/api/v1/waitlist", json(fields))).body?.cancel();
}

const ADA = "ada.lovelace@<wbr>example.com";

Deno.test("In the console, finding a person by the surname takes 2 clicks", async () => {
  await using work = await startWork(signAdaUp);
  work.type("search", "lovelace");
  await work.press("Find a person");
  await work.follow(ADA);
  assert.match(work.html, /<h1>ada\.lovelace@<wbr>example\.com/);
  assert.equal(work.clicks, 2);
});

Deno.test("In the console, correcting an address takes 4 clicks", async () => {
  await using work = await startWork(signAdaUp);
  work.type("search", "lovelace");
  await work.press("Find a person");
  await work.follow(ADA);
  await work.follow("Correct the address …");
  work.type("new_email", "ada@example.org");
  await work.press("Correct the address now");
  assert.match(work.html, /The address is corrected\./);
  assert.deepEqual(Object.keys(await storedSignUps(work.service.kv)), ["ada@example.org"]);
  assert.equal(work.clicks, 4);
});

Deno.test("In the console, finding out why a person gets no letter takes 2 clicks", async () => {
  await using work = await startWork(signAdaUp);
  work.type("search", "lovelace");
  await work.press("Find a person");
  await work.follow(ADA);
  assert.match(work.html, /The confirmation still waits to be sent\. Another one can be sent from/);
  assert.equal(work.clicks, 2);
});

Deno.test("In the console, previewing the letter and inviting 100 German-speaking people takes 4 clicks", async () => {
  await using work = await startWork(({ kv }) =>
    storeWaiting(kv, 220, (n) => n % 2 === 0 ? { lang: "de" } : {})
  );
  await work.follow("Invite the next people");
  work.type("next", "100");
  work.choose("lang", "de");
  work.type("link", LINK);
  await work.press("Show who would be invited");
  await work.press("Send the invitations (100)");
  // The service invites people in the background, so the test ends this work first.
  await work.service.repeatOnce();
  const people = Object.values(await storedSignUps(work.service.kv));
  const invited = people.filter(({ state }) => state === "invited");
  assert.equal(invited.length, 100);
  assert.ok(invited.every(({ lang }) => lang === "de"));
  assert.equal(work.clicks, 4);
});

Deno.test("In the console, exporting all German-speaking architects takes 4 clicks", async () => {
  await using work = await startWork(({ kv }) =>
    storeWaiting(kv, 180, (n) => n % 3 === 0 ? { lang: "de", role: "architect" } : {})
  );
  await work.follow("People");
  work.choose("lang", "de");
  work.choose("role", "architect");
  await work.press("Download all who fit (CSV)");
  assert.equal(work.headers.get("content-type"), "text/csv; charset=utf-8");
  const emails = work.html.trim().split("\r\n").slice(1).map((line) => line.split(",")[0]);
  assert.deepEqual(emails, Array.from({ length: 60 }, (_, n) => nth(3 * n)).toSorted());
  assert.equal(work.clicks, 4);
});

Deno.test("In the console, creating a client and getting its credentials takes 3 clicks", async () => {
  await using work = await startWork(signAdaUp);
  await work.follow("Clients");
  work.type("name", "Dashboard");
  await work.press("Create a client");
  assert.match(work.html, /WAITLIST_CLIENT_ID=\S+\nWAITLIST_CLIENT_SECRET=\S+\n/);
  await work.follow("I have saved the secret");
  assert.match(work.html, /<h1>Dashboard</);
  assert.equal(work.clicks, 3);
});

Deno.test("In the console, opening the printable proof of consent takes 3 clicks", async () => {
  await using work = await startWork((service) =>
    confirmPerson(service, "ada.lovelace@example.com")
  );
  work.type("search", "lovelace");
  await work.press("Find a person");
  await work.follow(ADA);
  await work.follow("The proof as a page to print");
  assert.match(work.html, /Print this page, or save it as a PDF, with your browser\./);
  assert.match(work.html, /I agree that .+ may store my address/);
  assert.equal(work.clicks, 3);
});
