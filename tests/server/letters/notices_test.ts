/** Operators hear of trouble: a letter and an event, once a day at most, from one process of all. */
import assert from "node:assert/strict";
import { startOperatedService } from "../../support/operator.ts";
import { createSchemaCheck } from "../../../shared/contract/schema_check.ts";
import document from "../../../shared/generated/operator.json" with { type: "json" };
import { listenTo } from "../../support/receiver.ts";
import { ndjson, serveOn, START, withEvents } from "../../support/service.ts";

const MINUTE = 60_000, DAY = 24 * 60 * MINUTE;

/** A service whose list has people of a language and no backup; its letters and events go to one receiver. */
async function start(lang = "en") {
  const status = { mail: 200, events: 200 };
  const receiver = listenTo(({ path }) =>
    new Response("busy", {
      status: path === "/emails" ? status.mail : status.events,
      headers: { Connection: "close" },
    })
  );
  const variables = {
    MAIL_URL: `${receiver.url}/emails`,
    MAIL_FROM: "Waitlist <hello@example.com>",
    MAIL_TOKEN: "token-of-the-mail-api",
    NOTIFY_TO: "ops@example.com",
    ...withEvents(receiver.url),
  };
  const service = await startOperatedService(variables);
  const people = [{ email: "ada@example.com", lang, consentedAt: "2026-05-01T09:30:00Z" }];
  await (await service.operate("/signups/import", undefined, ndjson(people))).text();
  return {
    service,
    status,
    variables,
    /** Lets time pass, and gives what is sent at its end. */
    async after(
      ms: number,
      { workOutbox, clock }: Pick<typeof service, "workOutbox" | "clock"> = service,
    ) {
      clock.now += ms;
      receiver.received.length = 0;
      await workOutbox();
      const calls = receiver.received.map(({ path, headers, body }) => {
        return { path, headers, body: JSON.parse(body) };
      });
      const [letter] = calls.filter(({ path }) => path === "/emails");
      const [event] = calls.filter(({ path }) => path !== "/emails");
      assert.ok(calls.length <= 2);
      return { letter, event };
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

Deno.test("startNotices() sends a letter and an event about a problem once a day while the problem lasts", async () => {
  await using started = await start();
  const { after, service } = started;
  assert.deepEqual(await after(9 * MINUTE), { letter: undefined, event: undefined });
  const { letter, event } = await after(MINUTE);
  const { to, subject, text, headers } = letter?.body ?? assert.fail();
  assert.deepEqual([to, subject], [
    "ops@example.com",
    "Example Company: the waitlist needs attention",
  ]);
  assert.match(
    text,
    /needs attention:\n\n- There is no backup yet\.\n\n[^]+https:\/\/waitlist\.test\/operator\/\n/,
  );
  assert.deepEqual([headers["Content-Language"], headers["List-Unsubscribe"]], ["en", undefined]);
  const attention = [{ about: "noBackup", message: "There is no backup yet." }];
  const timestamp = new Date(START + 10 * MINUTE).toISOString();
  assert.deepEqual(event?.body, { type: "service.attention", timestamp, data: { attention } });
  const check = await createSchemaCheck(document.components);
  const { requestBody } = document.webhooks["service.attention"].post;
  const { schema } = requestBody.content["application/json"];
  assert.deepEqual(check(schema, event?.body, "body"), []);
  assert.equal(event?.headers["webhook-id"], "attention-2026-11-21");

  assert.deepEqual(await after(DAY - MINUTE), { letter: undefined, event: undefined });
  const next = await after(10 * MINUTE);
  assert.ok(next.letter && next.event);
  assert.equal(next.event.headers["webhook-id"], "attention-2026-11-22");
  await (await service.operate("/backup", {})).text();
  assert.deepEqual(await after(DAY), { letter: undefined, event: undefined });
});

Deno.test("startNotices() sends only the letter again when the mail API refused the letter and the webhook accepted the event", async () => {
  await using started = await start("de");
  const { after, status, service } = started;
  status.mail = 403;
  const first = await after(10 * MINUTE);
  assert.ok(first.letter && first.event);
  assert.match(first.letter.body.text, /- Es gibt noch keine Sicherung\.\n/);
  status.mail = 200;
  const second = await after(10 * MINUTE);
  assert.equal(second.event, undefined);
  assert.equal(second.letter?.headers["idempotency-key"], first.letter.headers["idempotency-key"]);
  assert.deepEqual(await after(10 * MINUTE), { letter: undefined, event: undefined });
  const [line, ...others] = service.log.filter(({ event }) =>
    /could not send operators the notice/.test(String(event))
  );
  assert.deepEqual([line?.way, line?.error, others], ["letter", "HTTP 403 busy", []]);
});

Deno.test("startNotices() lets only one process send each notice, and sends a new notice when the last notice is dated in the future", async () => {
  await using started = await start();
  const { after, service, variables } = started;
  const other = await serveOn(service.kv, variables);
  try {
    other.clock.now += DAY;
    assert.ok((await after(10 * MINUTE)).letter);
    assert.ok((await after(10 * MINUTE, other)).letter, "a day has passed for the other one");
    assert.deepEqual(await after(10 * MINUTE, other), { letter: undefined, event: undefined });
    assert.ok(
      (await after(10 * MINUTE)).letter,
      "what was told at a moment to come does not count",
    );
    other.clock.now = service.clock.now;
    assert.deepEqual(await after(10 * MINUTE, other), { letter: undefined, event: undefined });
  } finally {
    await other.stop();
  }
});
