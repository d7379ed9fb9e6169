/** Test letters, test invitations, and the check of the mail server, as operators see them. @module */
import assert from "node:assert/strict";
import {
  importPeople,
  readAudit,
  refusalOf,
  startOperatedService,
  test,
} from "../../support/operator.ts";
import { signUp, WITH_MAIL } from "../../support/service.ts";
import type { TestedInvitation } from "../../../shared/operator_schemas.ts";
import { listenTo } from "../../support/receiver.ts";
import { createMailState } from "../../../server/store/outbox/mail_state.ts";

/** The link of test invitations. */
const LINK = "https://app.example.com/";

const TOKEN = "token-of-the-mail-api";

/** A mail API, and a service whose letters go there. */
async function startWithMailApi() {
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

Deno.test("testLetter sends a test letter in the given language, and returns the mail API's answer", async () => {
  await using started = await startWithMailApi();
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

Deno.test("testLetter sends no letter to a mailbox that has complained", async () => {
  await using started = await startWithMailApi();
  const { service, received } = started;
  const people = [{
    email: "ada@example.com",
    consentedAt: "2026-05-01T09:30:00Z",
    complainedAt: "2026-06-01T09:30:00Z",
  }];
  await importPeople(service, people);
  const refusal = refusalOf(service.operate("/letters/test", { email: "ada@example.com" }));
  assert.match(await refusal, /^409 conflict: The mailbox has reported an e-mail as spam; lift/);
  assert.deepEqual(received, []);
});

Deno.test("testLetter is refused after an operator's 20 test e-mails on a day, and test invitations do not count for this number", async () => {
  await using started = await startWithMailApi();
  const { service, received } = started;
  const test = () => service.operate("/letters/test", { email: "ops@example.com" });
  const invitation = { email: "ops@example.com", link: LINK };
  assert.equal((await service.operate("/invitations/test", invitation)).status, 200);
  // The letters are counted, also when the calls come at the same time.
  const calls = await Promise.all(Array.from({ length: 21 }, test));
  assert.deepEqual(calls.map(({ status }) => status).sort(), [...Array(20).fill(200), 409]);
  assert.match(await refusalOf(test()), /^409 conflict: You have sent 20 test e-mails today/);
  assert.equal(received.length, 21);
  assert.equal((await readAudit(service)).length, 21);
  assert.equal((await service.operate("/invitations/test", invitation)).status, 200);
  service.clock.now += 24 * 60 * 60 * 1000;
  assert.equal((await test()).status, 200);
});

Deno.test("testInvitation sends an invitation in each given language, with a code that is not valid", async () => {
  await using started = await startWithMailApi();
  const { service, received } = started;
  const body = { email: "ops@example.com", link: `${LINK}?code={code}`, langs: ["en", "de"] };
  const { letters } = await (await service.operate("/invitations/test", body)).json();
  assert.deepEqual(
    letters.map(({ lang, delivered, answer }: TestedInvitation) => [lang, delivered, answer]),
    [["en", true, "HTTP 200 queued"], ["de", true, "HTTP 200 queued"]],
  );
  const sent = received.map(({ body }) => JSON.parse(body));
  assert.deepEqual(sent.map(({ to }) => to), ["ops@example.com", "ops@example.com"]);
  for (const { text } of sent) assert.ok(text.includes(`${LINK}?code=test-not-valid`), text);
  const code = { code: "test-not-valid" };
  assert.match(await refusalOf(service.operate("/invitations/check", code)), /^404 not_found/);
  const [entry, ...others] = await readAudit(service);
  assert.deepEqual([entry?.action, entry?.details], ["testInvitation", { lang: "en, de" }]);
  assert.deepEqual(others, []);
});

Deno.test("testInvitation is refused when the operator has already sent five test invitations on the same day", async () => {
  await using started = await startWithMailApi();
  const { service, received } = started;
  const test = (langs = ["en"]) =>
    service.operate("/invitations/test", { email: "ops@example.com", link: LINK, langs });
  // The letters are counted, also when the calls come at the same time.
  const calls = await Promise.all(Array.from({ length: 6 }, () => test(["en", "de"])));
  assert.deepEqual(calls.map(({ status }) => status).sort(), [200, 200, 409, 409, 409, 409]);
  assert.match(
    await refusalOf(test(["en", "de"])),
    /^409 conflict: You have sent 4 test invitations today, and may send 5 a day; send 1 now, or all tomorrow/,
  );
  assert.equal((await test()).status, 200);
  assert.match(await refusalOf(test()), /^409 conflict: You have sent 5 test invitations today/);
  assert.equal(received.length, 5);
  assert.equal((await readAudit(service)).length, 3);
  service.clock.now += 24 * 60 * 60 * 1000;
  assert.equal((await test()).status, 200);
});

test("testInvitation is refused when MAIL_URL is not set", async (service) => {
  const body = { email: "ada@example.com", link: LINK };
  const off = refusalOf(service.operate("/invitations/test", body));
  assert.match(await off, /^409 conflict: The service sends no e-mails, as MAIL_URL is not/);
});

test("testLetter is refused and getOverview names no sender when MAIL_URL is not set", async (service) => {
  const refusal = refusalOf(service.operate("/letters/test", { email: "ada@example.com" }));
  assert.match(await refusal, /^409 conflict: The service sends no e-mails, as MAIL_URL is not/);
  const overview = await (await service.operate("/overview")).json();
  assert.equal(overview.sender, undefined);
});

Deno.test("getOverview names the sender of letters, and for SMTP the envelope's sender", async (t) => {
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
    await t.step(JSON.stringify(variables), async () => {
      await using service = await startOperatedService(variables);
      assert.deepEqual((await (await service.operate("/overview")).json()).sender, sender);
    });
  }
});

Deno.test("checkMail() logs whether the mail API accepts the token, writes no token into the log, and sends no letter", async () => {
  await using started = await startWithMailApi();
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

Deno.test("checkMail() lets a waiting letter be sent during a pause of letters when the mail API works", async () => {
  await using started = await startWithMailApi();
  const { service, received } = started;
  await signUp(service, "ada@example.com");
  const at = service.clock.now;
  const pause = { at, reason: "HTTP 503", causedBy: [], delayOf: () => 3_600_000 };
  await createMailState(service.kv).pause(pause);
  const workAll = async () => {
    await service.workOutbox();
    return received.filter(({ body }) => body.includes("ada@example.com")).length;
  };
  assert.equal(await workAll(), 0);
  await service.checkMail();
  assert.equal(await workAll(), 1);
});
