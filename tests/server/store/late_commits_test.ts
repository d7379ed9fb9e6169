/**
 * A commit that was given up may still go through, seconds or minutes later, as the client of a KV server
 * cannot be stopped. It must not undo what came after it. @module
 */
import assert from "node:assert/strict";
import { ipv4Address } from "../../../server/limits/client_address.ts";
import { Limiter, LIMITS } from "../../../server/limits/limiter.ts";
import { createLog } from "../../../server/runtime/mod.ts";
import { newClient } from "../../../server/oauth/clients.ts";
import { storeBulkSignUps } from "../../../server/store/people/bulk_sign_ups.ts";
import {
  changeClient,
  createClient,
  readClients,
  readClientUses,
  recordClientUses,
} from "../../../server/store/credentials/clients.ts";
import { eraseSignUp, findSignUp } from "../../../server/store/people/erasure.ts";
import { createCountsExchange } from "../../../server/store/limits/counts_exchange.ts";
import { recountRecords } from "../../../server/store/people/recount.ts";
import { repairCounters } from "../../../server/store/people/repair_counters.ts";
import { beginRestore, endRestore } from "../../../server/store/backup/restore.ts";
import { restoreLines } from "../../../server/store/backup/restore_lines.ts";
import { readRootKeys, rotateRootKey } from "../../../server/store/credentials/root_keys.ts";
import { bulkSignUp } from "../../support/bulk_sign_ups.ts";
import { holdingKv } from "../../support/faulty_kv.ts";
import { random, storeSignUp } from "../../support/records.ts";
import {
  assertCountersEqualRecount,
  finish,
  interrupted,
  openStore,
  spoil,
} from "../../support/recounts.ts";
import { START } from "../../support/service.ts";
import { Commit, type Kv } from "../../../server/store/kv/engine.ts";
import { readOne } from "../../../server/store/kv/calls.ts";
import { test } from "../../support/memory_kv.ts";

const DAY = 24 * 60 * 60 * 1000;
const AT = new Date(START).toISOString();
const GIVEN_UP = /The commit was given up/;

Deno.test("storeSignUps() does not undo a newer sign-up or erasure when a given-up commit of an earlier sign-up arrives late", async (t) => {
  using kv = await openStore();
  for (const email of ["a0@example.com", "new@example.com"]) {
    await t.step(`the later sign-up of ${email} stays`, async () => {
      const late = holdingKv(kv);
      await assert.rejects(
        storeSignUp(late.kv, { email, lang: "de", source: "cta" }, AT),
        GIVEN_UP,
      );
      await storeSignUp(kv, { email, lang: "en", source: "hero" }, AT);
      await late.release();
      const found = await findSignUp(kv, email);
      assert.equal(found && "record" in found && found.record.source, "hero");
    });
  }
  const late = holdingKv(kv);
  await assert.rejects(storeSignUp(late.kv, { email: "a1@example.com" }, AT), GIVEN_UP);
  await eraseSignUp(kv, "a1@example.com", { now: START, random });
  await late.release();
  assert.deepEqual(await findSignUp(kv, "a1@example.com"), { erasedAt: AT });
  await assertCountersEqualRecount(kv);
});

Deno.test("storeBulkSignUps() does not undo a newer sign-up or erasure when a given-up commit of an earlier import arrives late", async () => {
  using kv = await openStore();
  const late = holdingKv(kv);
  const importing = storeBulkSignUps(late.kv, [
    bulkSignUp("new", { source: "cta" }),
    bulkSignUp("a1", { source: "cta" }),
  ]);
  await assert.rejects(importing, GIVEN_UP);
  await storeSignUp(kv, { email: "new@example.com", source: "hero" }, AT);
  await eraseSignUp(kv, "a1@example.com", { now: START, random });
  await late.release();
  const found = await findSignUp(kv, "new@example.com");
  assert.equal(found && "record" in found && found.record.source, "hero");
  assert.deepEqual(await findSignUp(kv, "a1@example.com"), { erasedAt: AT });
  await assertCountersEqualRecount(kv);
});

Deno.test("eraseSignUp() does not remove the record of a newer sign-up when a given-up commit of an earlier erasure arrives late", async () => {
  using kv = await openStore();
  const late = holdingKv(kv);
  const email = "a0@example.com";
  await assert.rejects(eraseSignUp(late.kv, email, { now: START, random }), GIVEN_UP);
  await storeSignUp(kv, { email, source: "hero" }, AT);
  await late.release();
  const found = await findSignUp(kv, email);
  assert.ok(found && "record" in found);
  await assertCountersEqualRecount(kv);
});

test("restoreLines() brings back no erasure mark that a sign-up has removed, even if a commit that restoreLines() has given up arrives after the sign-up", async (kv) => {
  const restore = {
    checksum: "a".repeat(64),
    counts: { signUps: 0, clients: 0, erasures: 1, auditEntries: 0 },
  };
  await beginRestore(kv, restore, START);
  const late = holdingKv(kv);
  const line = { kind: "erased", mark: "m".repeat(43), erasedAt: AT } as const;
  await assert.rejects(restoreLines({ kv: late.kv, random }, [line], { now: START }), GIVEN_UP);
  await restoreLines({ kv, random }, [line], { now: START });
  await endRestore(kv, { checksum: restore.checksum, startedAt: AT });
  // As a sign-up does.
  await kv.commit(new Commit().delete(["erased", line.mark]));
  await late.release();
  assert.equal((await readOne(kv, ["erased", line.mark])).value, null);
});

Deno.test("repairCounters() corrects the counters even when a given-up commit of an earlier recount arrives during the repair", async () => {
  using kv = await openStore();
  await spoil(kv, { "total": 5 });
  const late = holdingKv(kv);
  await assert.rejects(finish(recountRecords(late.kv, { now: () => START })), GIVEN_UP);
  const releasing = interrupted(kv, 5, () => late.release());
  const { repaired, recounts } = await finish(repairCounters(releasing, { now: () => START }));
  assert.deepEqual({ repaired, recounts }, { repaired: true, recounts: 1 });
  await assertCountersEqualRecount(kv);
});

test("changeClient() does not undo a newer change when a given-up commit of an earlier change arrives late", async (kv) => {
  const { client } = newClient({ name: "Test", scopes: [] }, { now: START, random });
  await createClient(kv, client);
  const rename = (name: string) => (before: typeof client) => ({ ...before, name });
  const late = holdingKv(kv);
  await assert.rejects(changeClient(late.kv, client.clientId, rename("Late")), GIVEN_UP);
  await changeClient(kv, client.clientId, rename("Later"));
  await late.release();
  assert.deepEqual((await readClients(kv)).map(({ name }) => name), ["Later"]);
});

test("rotateRootKey() does not replace the key of a newer rotation when a given-up commit of an earlier rotation arrives late", async (kv) => {
  const late = holdingKv(kv);
  await assert.rejects(rotateRootKey(late.kv, START, random), GIVEN_UP);
  const key = await rotateRootKey(kv, START + DAY, random);
  await late.release();
  assert.deepEqual(await readRootKeys(kv), { rootKeys: [key], unreadableIds: [] });
});

test("recordClientUses() keeps the later day of use when a commit with an earlier day arrives late", async (kv) => {
  const { client } = newClient({ name: "Test", scopes: [] }, { now: START, random });
  await createClient(kv, { ...client, clientId: "dashboard" });
  const late = holdingKv(kv);
  const clock = { now: START };
  const now = () => clock.now;
  const uses = recordClientUses({
    kv: late.kv,
    now,
    log: createLog({ level: "error", now, write: () => {} }),
  });
  uses.note("dashboard");
  await uses.flush();
  late.isHolding = false;
  clock.now += DAY;
  uses.note("dashboard");
  await uses.flush();
  await late.release();
  assert.deepEqual([...await readClientUses(kv)], [["dashboard", "2026-11-22"]]);
});

test("createCountsExchange() keeps newer request counts when a commit of older counts that was given up arrives late", async (kv) => {
  const late = holdingKv(kv);
  const address = ipv4Address(0xc6336407);
  const startProcess = (processKv: Kv, id: string) => {
    const limiter = new Limiter({
      now: () => START,
      hash: () => 1,
      seed: 1,
      onChange: () => {},
    });
    return { limiter, exchange: createCountsExchange(processKv, id, limiter) };
  };
  const one = startProcess(late.kv, "one");
  const other = startProcess(kv, "other");
  const count = (times: number) => {
    for (let n = 0; n < times; n++) one.limiter.countRequest(LIMITS.default, address);
  };
  const remainingElsewhere = async () => {
    await other.exchange();
    return other.limiter.countRequest(LIMITS.default, address).remaining;
  };

  count(5);
  await assert.rejects(one.exchange(), GIVEN_UP);
  late.isHolding = false;
  count(5);
  await one.exchange();
  await late.release();
  assert.equal(await remainingElsewhere(), 30 - 10 - 1);

  // A late commit that goes through, because no other commit came after it, does not stop the exchanges.
  late.isHolding = true;
  count(5);
  await assert.rejects(one.exchange(), GIVEN_UP);
  await late.release();
  count(5);
  await one.exchange();
  assert.equal(await remainingElsewhere(), 30 - 20 - 2);
});
