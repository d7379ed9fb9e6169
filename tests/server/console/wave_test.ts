/** What becomes of a wave of invitations that does not end with its page. */
import assert from "node:assert/strict";
import { ADA, type ConsoleService, startFailingConsole, test } from "../../support/console.ts";
import { fieldsOf, textOf } from "../../support/console_forms.ts";
import { LINK, storeWaiting } from "../../support/invitations.ts";
import { readAudit } from "../../support/operator.ts";
import { storedSignUps } from "../../support/records.ts";
import { BASE_URL, form, START, WITH_MAIL } from "../../support/service.ts";
import type { Kv } from "../../../server/store/kv/engine.ts";

const INVITE = "/operator/invite/";

async function countInvited(kv: Kv): Promise<number> {
  const records = Object.values(await storedSignUps(kv));
  return records.filter(({ state }) => state === "invited").length;
}

/** Sends the form of a wave, and reads its page until the first people are invited. */
async function openWave(
  { request, browser }: ConsoleService,
  fields: Record<string, string>,
): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const response = await request(INVITE, {
    ...form(fields),
    headers: { Origin: BASE_URL, Cookie: browser.cookie },
  });
  browser.cookie += `; ${response.headers.getSetCookie()[0]?.split(";")[0]}`;
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  for (let html = ""; !html.includes("Invited so far: 48<");) {
    const { done, value } = await reader.read();
    assert.ok(!done, html);
    html += decoder.decode(value);
  }
  return reader;
}

test("runView() stops the wave when its page is closed, and goes on when it is sent again", async (service) => {
  await storeWaiting(service.kv, 600);
  const { browser } = service;
  const fields = { next: "600", link: LINK, wave: "long", confirmed: "yes" };
  const page = await openWave(service, fields);
  await page.cancel();
  const some = await countInvited(service.kv);
  assert.ok(some >= 48 && some < 600, `${some} are invited`);
  const { html } = await browser.send(INVITE, fields);
  assert.match(html, /People whom the wave has invited: 600\./);
  assert.equal(await countInvited(service.kv), 600);
});

Deno.test("runView() says that the wave was cut when KV fails, and offers to go on with it", async () => {
  await using service = await startFailingConsole();
  const { kv, fails } = service;
  await storeWaiting(kv, 600);
  const fields = { next: "600", link: LINK, wave: "long", confirmed: "yes" };
  const page = await openWave(service, fields);
  fails.commits = true;
  let html = "";
  const decoder = new TextDecoder();
  for (let read = await page.read(); !read.done; read = await page.read()) {
    html += decoder.decode(read.value);
  }
  fails.commits = false;
  assert.match(html, /<h2>The wave was cut<\/h2>\n<p class="fault" role="alert">Not everybody is/);
  assert.ok(html.trimEnd().endsWith("</html>"), "the page is whole");
  // Who comes back sees the same, by a page that can be loaded again.
  const cut = await service.browser.open(refreshOf(html));
  assert.match(cut.html, /<h2>The wave was cut<\/h2>/);
  const goOn = fieldsOf(cut.html, "Go on");
  assert.deepEqual(goOn, fields);
  const whole = await service.browser.send(INVITE, goOn);
  assert.match(whole.html, /People whom the wave has invited: 600\./);
  assert.equal(await countInvited(kv), 600);
  assert.ok(service.log.some(({ error }) => String(error).includes("KV is away")), "it is logged");
});

/** The address that the page of a wave leads to at its end. */
const refreshOf = (html: string) =>
  /<meta http-equiv="refresh" content="0; url=([^"]+)">/.exec(html)![1]!.replaceAll("&amp;", "&");

test("runView() leads to a page that can be loaded again, with all that the wave has done", async (service) => {
  await storeWaiting(
    service.kv,
    53,
    (n) => n < 3 ? { undeliverableAt: new Date(START).toISOString() } : {},
  );
  const { browser } = service;
  const plan = await browser.submit(INVITE, { next: "51", link: LINK });
  const passedOver = /: 50[.<][^]+Passed over: 3<[^]+<li>Undeliverable: 3<\/li>\n<\/ul>/;
  assert.match(plan.html, passedOver);
  const { html } = await browser.send(INVITE, fieldsOf(plan.html, "Invite, without letters"));
  assert.match(html, /value="50" [^>]+><\/progress> Invited so far: 50<\/li>\n<\/ol>/);
  const end = refreshOf(html);
  assert.match(end, /^\/operator\/invite\/\?form=[\w-]{8}&ended=complete&undeliverable=3$/);
  for (let time = 0; time < 2; time++) {
    const page = await browser.open(end);
    assert.equal(page.status, 200);
    const [, result] = /(<h2>The wave is complete[^]+)<p class="hint">Waitlist /.exec(page.html)!;
    assert.ok(html.includes(result!.trimEnd()), page.html);
    assert.match(result!, passedOver);
  }
});

test("codesPage leaves an entry of an export in the audit log, and none of inviting again", async (service) => {
  await storeWaiting(service.kv, 3);
  const fields = { next: "2", link: LINK, wave: "first" };
  await service.browser.send(INVITE, { ...fields, confirmed: "yes" });
  service.clock.now += 1_000;
  await service.browser.send("/operator/invite/codes/", fields);
  const [invited, exported] = (await readAudit(service)).map(({ details }) => details);
  const parameters = { wave: "first", next: 2, letters: false };
  assert.deepEqual(invited, { ...parameters, invited: 2, complete: true });
  assert.deepEqual(exported, { ...parameters, exported: 2, complete: true });
  const { html } = await service.browser.open("/operator/activity/");
  assert.match(textOf(html), /Exported the people of a wave operator .+ Invited people operator /);
});

Deno.test("pages of people and invitations show what failed when KV does", async () => {
  await using service = await startFailingConsole(WITH_MAIL);
  service.fails.reads = true;
  const calls: ["send" | "submit", path: string, fields: Record<string, string>][] = [
    ["submit", INVITE, { next: "1", link: LINK }],
    ["send", INVITE, { next: "1", link: LINK, confirmed: "yes", shown: "of before" }],
    ["submit", "/operator/people/", { search: "ada" }],
    ["submit", "/operator/people/person/", ADA],
    ["submit", "/operator/people/erase/", ADA],
    ["send", "/operator/people/remind/", ADA],
    ["send", "/operator/people/undeliverable/", { ...ADA, confirmed: "yes" }],
    ["send", "/operator/people/invite/", { ...ADA, link: LINK, wave: "first" }],
  ];
  for (const [act, path, fields] of calls) {
    const { status, html } = await service.browser[act](path, fields);
    assert.equal(status, 500, path);
    assert.match(html, /<p class="fault" role="alert">Something went wrong in the service/, path);
  }
});
