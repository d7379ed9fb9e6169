/** What becomes of a wave of invitations that does not end with its page. */
import assert from "node:assert/strict";
import {
  ADA,
  type ConsoleService,
  startConsole,
  startFailingConsole,
} from "../../support/console.ts";
import { fieldsOf } from "../../support/console_forms.ts";
import { LINK, storeWaiting } from "../../support/invitations.ts";
import { storedSignUps } from "../../support/records.ts";
import { BASE_URL, form, WITH_MAIL } from "../../support/service.ts";

const INVITE = "/operator/invite/";

async function countInvited(kv: Deno.Kv): Promise<number> {
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
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  for (let html = ""; !html.includes("Invited so far: 48<");) {
    const { done, value } = await reader.read();
    assert.ok(!done, html);
    html += decoder.decode(value);
  }
  return reader;
}

Deno.test("runView() stops the wave when its page is closed, and goes on when it is sent again", async () => {
  await using service = await startConsole();
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
  assert.match(
    html,
    /<h2>The wave was cut<\/h2>\n<p class="fault" role="alert">Not everybody is invited yet\./,
  );
  assert.ok(html.trimEnd().endsWith("</html>"), "the page is whole");
  const goOn = fieldsOf(html, "Go on");
  assert.deepEqual(goOn, fields);
  const whole = await service.browser.send(INVITE, goOn);
  assert.match(whole.html, /People whom the wave has invited: 600\./);
  assert.equal(await countInvited(kv), 600);
  assert.ok(service.log.some(({ error }) => String(error).includes("KV is away")), "it is logged");
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
