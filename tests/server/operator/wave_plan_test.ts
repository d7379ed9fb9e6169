import assert from "node:assert/strict";
import type { WavePlan } from "../../../shared/operator_schemas.ts";
import { LINK, nth, storeWaiting } from "../../support/invitations.ts";
import { call, startOperatedService } from "../../support/operator.ts";
import { everyEntry } from "../../support/records.ts";
import { START, WITH_MAIL } from "../../support/service.ts";

Deno.test("startWave plans with exact numbers, at once or in parts, and changes nothing", async () => {
  await using service = await startOperatedService(WITH_MAIL);
  const at = new Date(START).toISOString();
  await storeWaiting(service.kv, 450, (n) => ({
    lang: n % 3 === 0 ? "de" : "en",
    ...n % 10 === 0 && { undeliverableAt: at },
    ...n % 10 === 1 && { state: "unconfirmed" },
    ...n % 10 === 2 && { state: "invited", invitedAt: at },
    ...n % 10 === 3 && { state: "accepted", invitedAt: at, acceptedAt: at },
    ...n % 10 === 4 && { complainedAt: at },
  }));
  // The counts of limits are written by the clock.
  const stored = async () =>
    (await everyEntry(service.kv)).filter(({ key }) => key[0] !== "limit_counts");
  const before = await stored();
  const body = { wave: "first", link: LINK, letters: false, lang: "de", dryRun: true };
  const passedOver = { unconfirmed: 15, undeliverable: 15, complained: 15, invited: 30 };
  // Only every third is German; the first of them is undeliverable.
  const people = Array.from({ length: 450 }, (_, n) => n)
    .filter((n) => n % 3 === 0 && n % 10 > 4).slice(0, 20)
    .map((n) => ({
      email: nth(n),
      createdAt: new Date(START - (450 - n) * 60_000).toISOString(),
      lang: "de" as const,
    }));
  const plan = { wouldInvite: 75, people, passedOver, read: 450, total: 450 };
  assert.deepEqual(await call<WavePlan>(service, "/waves", { ...body, next: 100 }), plan);
  const few = await call<WavePlan>(service, "/waves", { ...body, next: 2 });
  assert.deepEqual(few, { ...plan, wouldInvite: 2, people: people.slice(0, 2) });
  // Each look of a second is over at once, as the clock runs while the service reads.
  const step = setInterval(() => service.clock.now += 2_000);
  let parts = 0;
  let part = await call<WavePlan>(service, "/waves", { ...body, next: 100, after: {} });
  while (part.next) {
    parts++;
    part = await call<WavePlan>(service, "/waves", { ...body, next: 100, after: part.next });
  }
  clearInterval(step);
  assert.ok(parts > 0);
  assert.deepEqual(part, plan);
  assert.deepEqual(await stored(), before);
});
