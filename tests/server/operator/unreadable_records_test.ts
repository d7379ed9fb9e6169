/** What the operations do where records cannot be read, or do not have the form of one. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { storeSignUps } from "../../../server/store/people/sign_ups.ts";
import { AT, backup, type Lines, restore } from "../../support/backups.ts";
import { damageEntry } from "../../support/damage.ts";
import {
  lastLineOf,
  type OperatedService,
  readNdjson,
  startOperatedService,
} from "../../support/operator.ts";
import { makeTestFolder } from "../../support/process.ts";
import { createTestClient, getAccessToken, signUp } from "../../support/service.ts";
import { testWith } from "../../support/test_with.ts";
import { recordId } from "../../support/records.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import { listAll, openFileKv } from "../../support/memory_kv.ts";

const UNREADABLE = { key: ["sign_up", "c@example.com"], reason: "KV cannot read its value." };
const FORMLESS = {
  key: ["sign_up", "e@example.com"],
  reason: "The field createdAt does not have the right form.",
};

/**
 * A service on a file with sign-ups of `a` to `h`, of which KV cannot read `c`, and `e` is no record; and
 * with two clients, of which KV cannot read one.
 */
async function startDamaged() {
  await using resources = new AsyncDisposableStack();
  const { path: folder } = resources.use(await makeTestFolder());
  const path = join(folder, "kv.sqlite3");
  const clients: Awaited<ReturnType<typeof createTestClient>>[] = [];
  {
    await using service = await startOperatedService({}, await openFileKv(path));
    const signUps = [..."abcdefgh"].map((name) => {
      const signUp = { email: `${name}@example.com`, lang: "de" as const };
      return { signUp, at: AT, id: recordId() };
    });
    await storeSignUps(service.kv, signUps);
    await service.kv.commit(new Commit().set(["sign_up", "e@example.com"], { lang: "de" }));
    await service.operate("/signups/erase", { email: "g@example.com" });
    await service.operate("/signups/erase", { email: "h@example.com" });
    clients.push(await createTestClient(service), await createTestClient(service));
  }
  damageEntry(path, "c@example.com");
  damageEntry(path, clients[0]!.clientId);
  const service = resources.use(await startOperatedService({}, await openFileKv(path)));
  const kept = resources.move();
  return { service, clients, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

const test = testWith(startDamaged);

const READABLE = ["a", "b", "d", "f"].map((name) => `${name}@example.com`);

const verify = (service: OperatedService) => lastLineOf(service, "/counters/verify");

test("verifyCounters recounts readable records and names the unreadable records", async ({ service }) => {
  const { records, exact, agrees, differences, unreadable } = await verify(service);
  assert.deepEqual({ records, exact, agrees }, { records: 4, exact: true, agrees: false });
  assert.deepEqual(unreadable, [UNREADABLE, FORMLESS]);
  const total = (differences as Lines).find(({ counter }) => counter === "total");
  assert.deepEqual(total, { counter: "total", kept: 6, recounted: 4 });

  await readNdjson(await service.operate("/counters/repair", {}));
  assert.equal((await verify(service)).agrees, true);
  assert.ok(!JSON.stringify(service.log).includes("example.com"), "no address in the log");
});

test("exportSignups streams readable records and names the unreadable records", async ({ service }) => {
  const lines = await readNdjson(await service.operate("/signups/export", {}));
  const emails = lines.flatMap(({ email }) => email === undefined ? [] : [email]);
  assert.deepEqual(emails, READABLE);
  const unreadable = lines.flatMap((line) => "unreadable" in line ? [line.unreadable] : []);
  assert.deepEqual(unreadable, [UNREADABLE, FORMLESS]);
  assert.equal(lines.at(-1)?.count, 4);
});

test("backUp saves readable records and names the unreadable records, and a restore accepts the backup", async ({ clients, service }) => {
  const lines = await backup(service);
  const ofKind = (kind: string) => lines.filter((line) => line.kind === kind);
  assert.deepEqual(ofKind("unreadable").map((line) => line.unreadable), [
    UNREADABLE,
    FORMLESS,
    { key: ["client", clients[0]!.clientId], reason: "KV cannot read its value." },
  ]);
  assert.deepEqual(lines.at(-1)?.counts, {
    ...{ signUps: 4, clients: 1, erasures: 2, auditEntries: 3 },
    ...{ waves: 0, named: 0, brakes: 0, schedules: 0, letters: 0 },
  });
  assert.deepEqual(ofKind("counter")[0], { kind: "counter", counter: "total", count: 4 });

  await using other = await startOperatedService();
  const { records, agrees } = await restore(other, lines) as Record<string, unknown>;
  assert.deepEqual({ records, agrees }, { records: 4, agrees: true });
});

test("createAccessToken() issues tokens to all other clients when one client cannot be read", async ({ clients, service }) => {
  const [damaged, sound] = clients;
  assert.ok(await getAccessToken(service, sound!));
  await assert.rejects(getAccessToken(service, damaged!), /^Error: 401 /);
});

test(
  "eraseSignup removes an unreadable record from all lists, and does not change the counters",
  async ({ service }, t) => {
    const left: string[] = [];
    for (const name of ["c", "e"]) {
      await t.step(name, async () => {
        const erased = await service.operate("/signups/erase", { email: `${name}@example.com` });
        const { outcome, countersLeft } = await erased.json();
        assert.equal(outcome, "erased");
        if (countersLeft) left.push(name);
        const again = await service.operate("/signups/erase", { email: `${name}@example.com` });
        assert.equal((await again.json()).outcome, "erased_before");
      });
    }
    assert.deepEqual(left, ["c"], "the record of 'e' could be read");
    for (const prefix of [["person", "all"], ["person_id"]]) {
      const kept = (await listAll(service.kv, { prefix })).map(({ key }) => key.at(-1));
      assert.deepEqual(kept.sort(), READABLE, "no address is left");
    }
    const { records, unreadable } = await verify(service);
    assert.deepEqual({ records, unreadable }, { records: 4, unreadable: [] });
    await readNdjson(await service.operate("/counters/repair", {}));
    assert.equal((await verify(service)).agrees, true);
  },
);

test("joinWaitlist() answers 500 only to the person whose record cannot be read", async ({ service }) => {
  const names = ["a", "b", "c", "d", "e", "new"];
  // They arrive together, and so share a commit.
  const statuses = await Promise.all(names.map((name) => signUp(service, `${name}@example.com`)));
  assert.deepEqual(statuses, [200, 200, 500, 200, 200, 200]);
  const { unreadable } = await verify(service);
  assert.deepEqual(unreadable, [UNREADABLE], "a sign-up gives a record its form again");
  assert.ok(!JSON.stringify(service.log).includes("example.com"), "no address in the log");
});
