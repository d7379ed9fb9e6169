/** Trying mail out: a letter to an address, and a try to log in at the start. */
import assert from "node:assert/strict";
import { createMailState } from "../../../server/store/outbox/mail_state.ts";
import { readAudit, refusalOf, startOperatedService, test } from "../../support/operator.ts";
import { listenTo } from "../../support/receiver.ts";
import { json, ndjson, WITH_MAIL } from "../../support/service.ts";

const TOKEN = "token-of-the-mail-api";

/** A mail API, and a service whose letters go there. */
async function start() {
  const answer = { status: 200, text: "queued" };
  const api = listenTo(() =>
    new Response(answer.text, { status: answer.status, headers: { Connection: "close" } })
  );
  const service = await startOperatedService({
    MAIL_URL: `${api.url}/emails`,
    MAIL_FROM: "Waitlist <hello@example.com>",
    MAIL_TOKEN: TOKEN,
    CONTACT: "mailto:team@example.com",
  });
  return {
    service,
    answer,
    received: api.received,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

Deno.test("testLetter sends a letter in the language, and says what the mail API answered", async () => {
  await using started = await start();
  const { service, answer, received } = started;
  const body = { email: "Ops@Example.com", lang: "de" };
  const tested = await (await service.operate("/letters/test", body)).json();
  const [{ body: sent } = assert.fail()] = received;
  const { to, subject, headers } = JSON.parse(sent);
  assert.deepEqual([to, subject], ["ops@example.com", "Test-E-Mail von Example Company"]);
  assert.equal(headers["Reply-To"], "team@example.com");
  const { at, ms, ...said } = tested;
  assert.ok(at && ms >= 0);
  const messageId = headers["Message-ID"];
  assert.deepEqual(said, { delivered: true, answer: "HTTP 200 queued", messageId });
  answer.status = 403;
  answer.text = `${TOKEN} may not send for ops@example.com`;
  const refused = await (await service.operate("/letters/test", body)).json();
  assert.deepEqual([refused.delivered, refused.answer], [false, "HTTP 403 … may not send for …"]);
  const entries = (await readAudit(service)).map(({ action, address }) => [action, !!address]);
  assert.deepEqual(entries, [["testLetter", true], ["testLetter", true]]);
});

Deno.test("testLetter writes to no mailbox that has complained", async () => {
  await using started = await start();
  const { service, received } = started;
  const people = [{
    email: "ada@example.com",
    consentedAt: "2026-05-01T09:30:00Z",
    complainedAt: "2026-06-01T09:30:00Z",
  }];
  await (await service.operate("/signups/import", undefined, ndjson(people))).text();
  const refusal = refusalOf(service.operate("/letters/test", { email: "ada@example.com" }));
  assert.match(await refusal, /^409 conflict: The mailbox has reported a letter as spam; lift/);
  assert.deepEqual(received, []);
});

test("testLetter is refused without mail, and getOverview names no sender", async (service) => {
  const refusal = refusalOf(service.operate("/letters/test", { email: "ada@example.com" }));
  assert.match(await refusal, /^409 conflict: The service sends no letters, as MAIL_URL is not/);
  const overview = await (await service.operate("/overview")).json();
  assert.equal(overview.sender, undefined);
});

Deno.test("getOverview names the sender, and the envelope's where the service sets it", async () => {
  const senders: [variables: Record<string, string>, sender: unknown][] = [
    [WITH_MAIL, { from: "hello@example.com", envelope: "hello@example.com" }],
    [{ ...WITH_MAIL, MAIL_RETURN_PATH: "bounces@mail.example.com" }, {
      from: "hello@example.com",
      envelope: "bounces@mail.example.com",
    }],
    [{ MAIL_URL: "https://api.example.com", MAIL_FROM: "a@example.com", MAIL_TOKEN: "t" }, {
      from: "a@example.com",
    }],
  ];
  for (const [variables, sender] of senders) {
    await using service = await startOperatedService(variables);
    assert.deepEqual((await (await service.operate("/overview")).json()).sender, sender);
  }
});

Deno.test("checkMail() logs whether mail works, without the token, and sends no letter", async () => {
  await using started = await start();
  const { service, answer, received } = started;
  answer.status = 422;
  await service.checkMail();
  assert.deepEqual(received.map(({ body }) => body), ["{}"]);
  assert.equal(service.log.at(-1)?.event, "mail works");
  answer.status = 401;
  answer.text = `${TOKEN} is unknown`;
  await service.checkMail();
  const { error, level } = service.log.at(-1)!;
  assert.deepEqual([error, level], ["HTTP 401 … is unknown", "error"]);
});

Deno.test("checkMail() lets a letter find out whether a pause is over when mail works", async () => {
  await using started = await start();
  const { service, received } = started;
  await service.request("/api/v1/waitlist", json({ email: "ada@example.com", consent: true }));
  const at = service.clock.now;
  const pause = { at, reason: "HTTP 503", refusedIds: [], delayOf: () => 3_600_000 };
  await createMailState(service.kv).pause(pause);
  const workAll = async () => {
    await service.workOutbox();
    return received.filter(({ body }) => body.includes("ada@example.com")).length;
  };
  assert.equal(await workAll(), 0);
  await service.checkMail();
  assert.equal(await workAll(), 1);
});
