/** What an operator is told when a mail server refuses letters, or a receiver takes no event. @module */
import assert from "node:assert/strict";
import { signIn, startConsole } from "../support/console.ts";
import { recordMetrics } from "../support/metrics.ts";
import { listenTo } from "../support/receiver.ts";
import { json } from "../support/service.ts";

const DAY = 24 * 60 * 60_000;

/** A service with a console, whose mail API refuses letters to some, and whose receiver takes no event. */
async function startRefused(isRefused: (email: string) => boolean) {
  const receiver = listenTo(({ path, body }) => {
    const status = path === "/events" ? 401 : isRefused(JSON.parse(body).to) ? 422 : 200;
    return new Response("refused", { status, headers: { Connection: "close" } });
  });
  const service = await startConsole({
    MAIL_URL: `${receiver.url}/letters`,
    MAIL_FROM: "Example Company <hello@example.com>",
    MAIL_TOKEN: "token-of-the-mail-api",
    // One after the other, so that there are letters taken between the refused ones.
    MAIL_PER_MINUTE: "60",
    WEBHOOK_URL: `${receiver.url}/events`,
    WEBHOOK_SECRET: `whsec_${btoa("a".repeat(32))}`,
  });
  return {
    service,
    /** So many people join, one a second. */
    async join(count: number) {
      for (let n = 0; n < count; n++) {
        const email = `v${n}@example.com`;
        await service.request("/api/v1/waitlist", {
          ...json({ email, consent: true }),
          from: `192.0.2.${n}`,
        });
        service.clock.now += 1_000;
        await service.workOutbox();
      }
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

const isOdd = (email: string) => Number(/\d+/.exec(email)?.[0]) % 2 === 1;

Deno.test("createService() reports refused letters and events in the log, in the overview and in the console", async () => {
  await using started = await startRefused((email) => isOdd(email) && email !== "v17@example.com");
  const { service, join } = started;
  await join(18);
  const warned = service.log.filter(({ event }) => String(event).endsWith("was refused"));
  assert.deepEqual(
    warned.map(({ event, level, kind, code }) => [event, level, kind, code]).toSorted(),
    [
      ["a letter was refused", "warn", "confirmation", "HTTP 422"],
      ["an event was refused", "warn", "signup.joined", "HTTP 401"],
    ],
  );
  const overview = await (await service.operate("/overview")).json();
  const day = "2026-11-21";
  const letters = { about: "letters", day, refused: 8, tried: 18 };
  const events = { about: "events", day, refused: 18, tried: 18 };
  assert.deepEqual(overview.refusals, [letters, events]);
  const browser = await signIn(service);
  const { html } = await browser.open("/operator/", { headers: { "Accept-Language": "en" } });
  assert.match(
    html,
    /E‑mails and events that were rejected for good: 8\.[^<]* <a href="\/operator\/outbox\/\?list=refused">Look at them<\/a>/,
  );
  assert.match(
    html,
    /On 21 Nov 2026 \(UTC\), 8 of 18 tries to send e‑mails were rejected\./,
  );
  assert.match(
    html,
    /Failed tries to deliver events on 21 Nov 2026 \(UTC\): 18 of 18\.[^<]* <a href="\/operator\/outbox\/\?list=deliveries">Deliveries of events<\/a>/,
  );
  assert.ok(!JSON.stringify(service.log).includes("@"));

  service.clock.now += DAY;
  const next = await (await service.operate("/overview")).json();
  assert.deepEqual(next.refusals, [letters, events], "yesterday's");
  service.clock.now += DAY;
  const later = await (await service.operate("/overview")).json();
  assert.ok(!("refusals" in later));
});

Deno.test("countOutcome() and reportOutbox() record metrics of sent, refused and due letters and events, and of pauses", async () => {
  using metrics = recordMetrics();
  await using started = await startRefused(isOdd);
  const { service, join } = started;
  await join(3);
  const confirmation = { "waitlist.kind": "confirmation" };
  assert.deepEqual(metrics.recorded("waitlist.letters.sent"), [[1, confirmation], [
    1,
    confirmation,
  ]]);
  assert.deepEqual(metrics.recorded("waitlist.letters.refused"), [[1, confirmation]]);
  assert.deepEqual(metrics.recorded("waitlist.events.sent"), []);
  const joined = [1, { "waitlist.kind": "signup.joined" }];
  assert.deepEqual(metrics.recorded("waitlist.events.refused"), [joined, joined, joined]);
  await service.repeatOnce();
  const observed = (name: string) => metrics.observed(name).map(([value]) => value);
  assert.deepEqual(observed("waitlist.letters.due"), [0]);
  assert.deepEqual(observed("waitlist.events.due"), [3]);
  assert.deepEqual(observed("waitlist.letters.paused"), [0]);
});
