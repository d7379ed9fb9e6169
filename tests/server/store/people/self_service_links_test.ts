import { beginWave } from "../../../../server/store/invitations/mod.ts";
import assert from "node:assert/strict";
import { readItemsOf } from "../../../../server/store/outbox/reads.ts";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { OUTBOX, random } from "../../../support/records.ts";
import { SIGNED_UP } from "../../../support/self_service.ts";
import { ADA, findAda, selfService, withPerson } from "../../../support/self_service_store.ts";
import { START } from "../../../support/service.ts";

const NOW = new Date(START).toISOString();
const WORDING = { lang: "en", text: "I agree." } as const;

Deno.test("askForLink() puts a letter for an address on the list, at most one a day", async () => {
  const { kv } = await withPerson("waiting");
  using _ = kv;
  const clock = { now: START };
  const { askForLink, close } = selfService(kv, clock);
  const countLinks = async () => {
    const items = await readItemsOf(kv, (await findAda(kv))!);
    return items.filter(({ item: { message } }) => "letter" in message && message.letter === "link")
      .length;
  };
  for (const [hours, count] of [[0, 1], [1, 1], [23, 1], [24, 2], [25, 2]] as const) {
    clock.now = START + hours * 3_600_000;
    askForLink(ADA);
    askForLink(ADA);
    askForLink("nobody@example.com");
    await close();
    assert.equal(await countLinks(), count, `after ${hours} hours`);
  }
  assert.deepEqual(await kv.get(["sign_up", "nobody@example.com"]), {
    key: ["sign_up", "nobody@example.com"],
    value: null,
    versionstamp: null,
  });
});

Deno.test("askForLink() begins its work after a random part of two seconds, and at the stop at once", async () => {
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

Deno.test("askForLink() returns at once and logs no address when KV fails", async () => {
  const { kv: memory } = await withPerson("waiting");
  using _ = memory;
  const down = () => Promise.reject(new Error("KV is down"));
  const kv = faultyKv(memory, down, down);
  const { askForLink, close, logged } = selfService(kv);
  assert.equal(askForLink(ADA), undefined);
  await close();
  assert.match(logged.join(), /a link was not sent, as KV failed/);
  assert.doesNotMatch(logged.join(), /ada/);
});

Deno.test("readRest() gives where an invitation leads when its wave is known", async () => {
  const { kv, record } = await withPerson("invited");
  using _ = kv;
  const { readRest } = selfService(kv);
  assert.equal((await readRest(record)).invitationUrl, undefined);
  await beginWave(kv, { wave: "spring", next: 1, link: "https://app.test/?code={code}" }, {
    outbox: OUTBOX,
    now: START,
    random,
  });
  const { invitationUrl } = await readRest(record);
  assert.equal(invitationUrl, `https://app.test/?code=${record.invitationCode}`);
});

Deno.test("readRest() gives the wording of the proof, and what waits to be sent", async () => {
  const { kv, record, owner } = await withPerson("unconfirmed");
  using _ = kv;
  const { confirm, readRest } = selfService(kv);
  const joined = [
    { letter: "confirmation", putAt: SIGNED_UP },
    { event: "signup.joined", putAt: SIGNED_UP },
  ];
  const rest = await readRest(record);
  assert.deepEqual(rest, { waiting: joined });
  await confirm(owner, WORDING);
  const confirmed = { event: "signup.confirmed", putAt: NOW };
  assert.deepEqual(await readRest((await findAda(kv))!), {
    waiting: [...joined, confirmed],
    wording: WORDING,
  });
});
