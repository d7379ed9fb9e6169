/** What becomes of a list where the value of one of its entries cannot be read. */
import assert from "node:assert/strict";
import type { Key } from "../../../../server/store/kv/engine.ts";
import { storeAddresses } from "../../../support/records.ts";
import { INVITING, LINK, nth, storeWaiting } from "../../../support/invitations.ts";
import { listAll, openMemoryKv, test, type TestKv } from "../../../support/memory_kv.ts";
import { lastLineOf, readNdjson, startOperatedService } from "../../../support/operator.ts";
import { START } from "../../../support/service.ts";
import { createPeopleExpiry } from "../../../../server/store/expiry/expire_people.ts";
import { createOutboxStore } from "../../../../server/store/people/outbox_commits.ts";

const COUNT = 4;
const EMAILS = Array.from({ length: COUNT }, (_, n) => nth(n));
const CODE = "the-code-of-the-invited";

/** Gives an entry a value that no engine can read. */
const spoil = (kv: TestKv, key: Key) => kv.raw.set([...key], new Uint8Array([0x7b]));

/** Spoils the entries of lists that are about a person. @returns how many there were */
async function spoilLists(kv: TestKv, email: string, lists: string[]): Promise<number> {
  let spoilt = 0;
  for (const list of lists) {
    for (const { key } of await listAll(kv, { prefix: [list] })) {
      if (key.at(-1) !== email) continue;
      await spoil(kv, key);
      spoilt++;
    }
  }
  return spoilt;
}

async function startWaiting() {
  const kv = await openMemoryKv();
  await storeWaiting(kv, COUNT, (n) => n === 0 ? { state: "invited", invitationCode: CODE } : {});
  return { kv, service: await startOperatedService({}, kv) };
}

Deno.test("listSignups, exportSignups and eraseSignups include a person whose list entries cannot be read", async () => {
  const { kv, service: started } = await startWaiting();
  await using service = started;
  assert.equal(await spoilLists(kv, nth(1), ["person", "person_id"]), 3);
  const { people } = await (await service.operate("/signups/list", {})).json();
  assert.deepEqual(people.map(({ email }: { email: string }) => email), EMAILS);
  const found = await service.operate("/signups/list", { search: nth(1) });
  assert.equal((await found.json()).people.length, 1);
  const { id } = await (await service.operate("/signups/show", { email: nth(1) })).json();
  assert.equal((await (await service.operate("/signups/show", { id })).json()).email, nth(1));
  const lines = await readNdjson(await service.operate("/signups/export", {}));
  assert.equal(lines.at(-1)?.count, COUNT);
  const before = new Date(START).toISOString();
  const request = { state: "waiting", before };
  const erased = await readNdjson(await service.operate("/signups/erase-by-state", request));
  assert.equal(erased.at(-1)?.erased, COUNT - 1);
});

Deno.test("startWave and redeemInvitation include people whose list entries cannot be read", async () => {
  const { kv, service: started } = await startWaiting();
  await using service = started;
  await spoilLists(kv, nth(0), ["invitation_code"]);
  await spoilLists(kv, nth(1), ["person"]);
  const redeemed = await service.operate("/invitations/redeem", { code: CODE, reference: "1" });
  assert.equal((await redeemed.json()).email, nth(0));
  const wave = { wave: "w", next: 10, link: LINK, letters: false };
  assert.equal((await (await service.operate("/waves", wave)).json()).invited, COUNT - 1);
  await spoilLists(kv, nth(2), ["wave_member"]);
  const { people } = await (await service.operate("/waves/w/people")).json();
  assert.equal(people.length, COUNT - 1);
});

Deno.test("repairCounters repairs list entries that cannot be read", async () => {
  const { kv, service: started } = await startWaiting();
  await using service = started;
  await spoilLists(kv, nth(1), ["person", "person_id"]);
  const verify = () => lastLineOf(service, "/counters/verify");
  assert.deepEqual((await verify()).lists, { missing: 1, surplus: 0 });
  await readNdjson(await service.operate("/counters/repair", {}));
  assert.equal((await verify()).agrees, true);
  await listAll(kv, { prefix: ["person"] });
});

test("createPeopleExpiry() and readDue() include a person whose list entries cannot be read", async (kv) => {
  await storeAddresses(kv, EMAILS, new Date(START).toISOString());
  await spoilLists(kv, nth(1), ["person", "expiry"]);
  const outbox = createOutboxStore(kv);
  const all = { dueBy: START + 60_000, limit: 10 };
  await outbox.readDue("letters", all);
  const [first] = await listAll(kv, { prefix: ["due"] });
  await spoil(kv, first!.key);
  assert.equal((await outbox.readDue("letters", all)).length, COUNT);
  const expirePeople = createPeopleExpiry({ kv, outbox: INVITING.outbox, days: 14 });
  const { signal } = new AbortController();
  assert.equal(await expirePeople(START + 14 * 86_400_000, signal), COUNT);
});
