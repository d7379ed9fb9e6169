import assert from "node:assert/strict";
import type { SignUpRecord } from "../../../../server/waitlist/record.ts";
import { consentTextId } from "../../../../server/waitlist/consent_text.ts";
import { findItems } from "../../../../server/store/outbox/reads.ts";
import type { OutboxItem } from "../../../../server/waitlist/outbox_item.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import {
  ADA,
  findAda,
  selfService,
  SIGNED_UP,
  tokenOf,
  withPerson,
} from "../../../support/self_service.ts";
import { everyEntry, recordId } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { checksFor } from "../../../../server/store/kv/engine.ts";
import { readAll, readOne } from "../../../../server/store/kv/calls.ts";
import { listAll } from "../../../support/memory_kv.ts";

const NOW = new Date(START).toISOString();
const WORDING = { lang: "en", text: "I agree." } as const;
const WORDING_ID = consentTextId(WORDING);

Deno.test("find() makes the same number of reads for a valid token, a forged token and a token of an unknown address", async () => {
  const { kv: memory, record, token } = await withPerson("waiting");
  using _ = memory;
  let reads = 0;
  const kv = faultyKv(memory, (commit) => commit(), (read) => (reads++, read()));
  const { find } = selfService(kv);
  const counts = [];
  const nobody = await tokenOf(memory, "grace@example.com", record.id);
  for (const text of [token, nobody, token.slice(0, -1), "", "x".repeat(5_000)]) {
    reads = 0;
    await find(text);
    counts.push(reads);
  }
  assert.deepEqual(counts, [2, 2, 2, 2, 2]);
});

Deno.test("confirm() writes the proof of consent and the wording of the consent in one commit", async () => {
  const { kv, record, owner } = await withPerson("unconfirmed");
  using _ = kv;
  await selfService(kv).confirm(owner, WORDING);
  const [after, wording, before] = await readAll<SignUpRecord>(kv, [
    ["sign_up", ADA],
    ["consent_text", WORDING_ID],
    ["person", "unconfirmed", record.createdAt, ADA],
  ]);
  assert.equal(after?.value?.state, "waiting");
  const asked = { requestedAt: SIGNED_UP, source: "hero" as const, lang: "en" as const };
  const proof = { ...asked, consentText: WORDING_ID, confirmedAt: NOW };
  assert.deepEqual(after?.value?.proof, proof);
  assert.deepEqual(wording?.value as unknown, WORDING);
  assert.equal(wording?.version, after?.version);
  assert.equal(before?.value, null);
});

Deno.test("confirm() writes nothing when the person has confirmed or is invited, or when the token belongs to another record id", async (t) => {
  for (const state of ["waiting", "invited"] as const) {
    await t.step(`the person is ${state}`, async () => {
      const { kv, owner } = await withPerson(state);
      using _ = kv;
      const before = await everyEntry(kv);
      await selfService(kv).confirm(owner, WORDING);
      assert.deepEqual(await everyEntry(kv), before);
    });
  }
  const { kv } = await withPerson("unconfirmed");
  using _ = kv;
  const before = await everyEntry(kv);
  await selfService(kv).confirm({ email: ADA, id: recordId() }, WORDING);
  assert.deepEqual(await everyEntry(kv), before);
});

Deno.test("leave() removes all entries of the person, and stores an erasure mark and an event 'signup.left'", async () => {
  const { kv, owner } = await withPerson("unconfirmed");
  using _ = kv;
  await selfService(kv).leave(owner);
  assert.equal(await findAda(kv), undefined);
  assert.equal((await listAll(kv, { prefix: ["erased"] })).length, 1);
  const items = await listAll<OutboxItem>(kv, { prefix: ["outbox"] });
  assert.deepEqual(items.map(({ value: { message } }) => message), [
    { event: "signup.left", person: { email: ADA, reason: "person" } },
  ]);
  assert.deepEqual(await listAll(kv, { prefix: ["person"] }), []);
});

Deno.test("askForLink() puts at most one link letter in 24 hours into the outbox, and only for an address on the list", async (t) => {
  const { kv } = await withPerson("waiting");
  using _ = kv;
  const clock = { now: START };
  const { askForLink, close } = selfService(kv, clock);
  const countLinks = async () => {
    const items = await findItems(kv, (await findAda(kv))!.outbox);
    return items.filter(({ item: { message } }) => "letter" in message && message.letter === "link")
      .length;
  };
  for (const [hours, count] of [[0, 1], [1, 1], [23, 1], [24, 2], [25, 2]] as const) {
    await t.step(`asked ${hours} hours after the first request`, async () => {
      clock.now = START + hours * 3_600_000;
      askForLink(ADA);
      askForLink(ADA);
      askForLink("nobody@example.com");
      await close();
      assert.equal(await countLinks(), count);
    });
  }
  assert.deepEqual(await readOne(kv, ["sign_up", "nobody@example.com"]), {
    key: ["sign_up", "nobody@example.com"],
    value: null,
    version: null,
  });
});

Deno.test("askForLink() begins its work after a random time of up to two seconds, or at once when the service stops", async () => {
  const { kv: memory } = await withPerson("waiting");
  using _ = memory;
  let reads = 0;
  const kv = faultyKv(memory, (commit) => commit(), (read) => (reads++, read()));
  const timers: { ms: number; run: () => void; cancelled: boolean }[] = [];
  const { askForLink, close } = selfService(kv, { now: START }, (ms, run) => {
    const timer = { ms, run, cancelled: false };
    timers.push(timer);
    return () => void (timer.cancelled = true);
  });
  for (let n = 0; n < 50; n++) askForLink(n === 0 ? ADA : `nobody${n}@example.com`);
  assert.ok(timers.every(({ ms }) => ms >= 0 && ms < 2_000));
  assert.ok(new Set(timers.map(({ ms }) => ms)).size > 40, "different moments");
  await new Promise(setImmediate);
  assert.equal(reads, 0);
  for (const { run } of timers.slice(0, 25)) run();
  await close();
  assert.ok(timers.every(({ cancelled }) => cancelled));
  assert.equal((await findAda(memory))?.linkAt, NOW);
});

Deno.test("askForLink() returns at once when KV fails, and the log line about the failure does not contain the address", async () => {
  const { kv: memory } = await withPerson("waiting");
  using _ = memory;
  const down = () => Promise.reject(new Error("KV is down"));
  const kv = faultyKv(memory, down, down);
  const { askForLink, close, logged } = selfService(kv);
  assert.equal(askForLink(ADA), undefined);
  await close();
  assert.match(
    logged.join(),
    /a letter with the link to a self-service page was not sent, because KV failed/,
  );
  assert.doesNotMatch(logged.join(), /ada/);
});

Deno.test("askForLink() logs a warning without the address for each further request when 10,000 requests wait for KV", async () => {
  const { kv } = await withPerson("waiting");
  using _ = kv;
  const { askForLink, close, logged } = selfService(kv, { now: START }, (_ms, run) => {
    run();
    return () => {};
  });
  // A first batch of requests is at work in KV, and 10,000 requests wait for the next batches.
  const accepted = checksFor(kv) + 10_000;
  for (let n = 0; n < accepted + 20; n++) askForLink("nobody@example.com");
  await close();
  assert.equal(logged.length, 20);
  for (const line of logged) {
    assert.match(line, /was not sent, because too many people ask for such letters at once/);
  }
  assert.doesNotMatch(logged.join(), /nobody/);
});
