import assert from "node:assert/strict";
import type { Client } from "../../../server/oauth/clients.ts";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import type { RecountReport } from "../../../shared/operator_schemas.ts";
import {
  backup,
  backupOfAnother,
  begin,
  endOf,
  fill,
  finish,
  NOW,
  send,
} from "../../support/backups.ts";
import {
  assertOperatorError,
  type OperatedService,
  refusalOf,
  startOperatedService,
  test,
} from "../../support/operator.ts";
import { everyEntry, storedSignUps, storeSignUp } from "../../support/records.ts";
import { getAccessToken, json, ndjson } from "../../support/service.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import { readOne } from "../../../server/store/kv/calls.ts";
import { listAll } from "../../support/memory_kv.ts";

test("A restored store has the statistics, clients and erasure marks of the store that was backed up", async (old) => {
  const client = await fill(old);
  const lines = await backup(old);
  await using service = await startOperatedService();
  const begun = await begin(service, lines);
  assert.equal(begun.status, 200);
  const { counts, sha256 } = endOf(lines);
  assert.deepEqual(await begun.json(), { checksum: sha256, counts, startedAt: NOW });
  const sent = await send(service, lines);
  assert.equal(sent.status, 200);
  assert.deepEqual(await sent.json(), { restored: 9, unchanged: 0, erased: 0 });
  const again = await (await send(service, lines)).json();
  assert.deepEqual(again, { restored: 1, unchanged: 8, erased: 0 }, "a mark counts each time");
  const { records, exact, agrees } = await finish(service, lines) ?? {};
  assert.deepEqual({ records, exact, agrees }, { records: 3, exact: true, agrees: true });
  assert.deepEqual(await storedSignUps(service.kv), await storedSignUps(old.kv));
  const stats = async (of: OperatedService) => {
    const headers = { Authorization: `Bearer ${await getAccessToken(of, client)}` };
    return await (await of.request("/api/v1/waitlist/stats", { headers })).json();
  };
  assert.deepEqual(await stats(service), await stats(old));
  const shown = service.operate("/signups/show", { email: "gone@example.com" });
  assert.match(await refusalOf(shown), /^404 not_found: .+ It was erased at/);
  const late = await refusalOf(send(service, lines));
  assert.match(late, /^409 no_restore: No restore of this backup/);
});

test("A restored store keeps unknown members of records and clients", async (old) => {
  const { clientId } = await fill(old);
  const unknown = { tags: ["a", null], nested: { "ü": [{ deep: 1.5 }] }, flag: false };
  const recordKey = ["sign_up", "a@example.com"];
  const clientKey = ["client", clientId];
  const record = { ...(await readOne<SignUpRecord>(old.kv, recordKey)).value!, ...unknown };
  await old.kv.commit(new Commit().set(recordKey, record));
  const { secrets: [secret], ...rest } = (await readOne<Client>(old.kv, clientKey)).value!;
  const client = { ...rest, ...unknown, secrets: [{ ...secret!, ...unknown }] };
  await old.kv.commit(new Commit().set(clientKey, client));

  const lines = await backup(old);
  await using service = await startOperatedService();
  await begin(service, lines);
  await send(service, lines);
  assert.deepEqual((await readOne(service.kv, recordKey)).value, record);
  assert.deepEqual((await readOne(service.kv, clientKey)).value, client);
  const again = await (await send(service, lines)).json();
  assert.deepEqual(again, { restored: 1, unchanged: 8, erased: 0 }, "a mark counts each time");
  assert.equal((await finish(service, lines) as RecountReport).agrees, true);

  // It stays when the person signs up again.
  const join = json({ email: "a@example.com", consent: true, source: "cta" });
  assert.equal((await service.request("/api/v1/waitlist", join)).status, 200);
  const { nested, flag, tags } = (await readOne<typeof record>(service.kv, recordKey)).value!;
  assert.deepEqual({ tags, nested, flag }, unknown);
});

test("restoreLines answers 400 with a message about the line when a line is deeply nested", async (old) => {
  await fill(old);
  const lines = await backup(old);
  await using service = await startOperatedService();
  await begin(service, lines);
  const nested = `"x":${"[".repeat(30_000)}${"]".repeat(30_000)}`;
  const sent = ndjson(lines);
  const body = String(sent.body).replace('"client":{', `"client":{${nested},`);
  assert.notEqual(body, sent.body);
  const path = `/restores/${endOf(lines).sha256}/lines`;
  const refused = await refusalOf(service.operate(path, undefined, { ...sent, body }));
  assert.match(refused, /^400 .+ line/i);
});

// A restore passes an erased address over, by the marks of either store.
test(
  "restoreLines leaves out people who were erased in the new store or, while the backup was made, in the old store",
  async (old, t) => {
    await fill(old);
    const before = await backup(old);
    await old.operate("/signups/erase", { email: "b@example.com" });
    const marks = (await backup(old)).filter(({ kind }) => kind === "erased");
    const kept = before.filter(({ kind }) => kind !== "erased");
    const lines = [kept[0]!, ...marks, ...kept.slice(1)];

    await using service = await startOperatedService();
    await storeSignUp(service.kv, { email: "a@example.com" }, NOW);
    await service.operate("/signups/erase", { email: "a@example.com" });
    assert.equal((await begin(service, lines)).status, 200);
    assert.equal((await (await send(service, lines)).json()).erased, 2);
    assert.deepEqual(Object.keys(await storedSignUps(service.kv)), ["c@example.com"]);
    for (const email of ["a@example.com", "b@example.com", "gone@example.com"]) {
      await t.step(email, async () => {
        const shown = service.operate("/signups/show", { email });
        assert.match(await refusalOf(shown), /^404 not_found: .+ It was erased at/);
      });
    }
    const back = json({ email: "b@example.com", consent: true });
    assert.equal((await service.request("/api/v1/waitlist", back)).status, 200);
    assert.equal((await service.operate("/signups/show", { email: "b@example.com" })).status, 200);
  },
);

// The sign-up comes before the mark does, and so cannot clear it: the backup of that store has both.
Deno.test("restoreLines restores a person, without the erasure mark, when the backup has both the record and the erasure mark of this person", async () => {
  const first = await backupOfAnother();
  await using service = await startOperatedService();
  service.clock.now += 60_000;
  await begin(service, first);
  await service.request("/api/v1/waitlist", json({ email: "gone@example.com", consent: true }));
  await send(service, first);
  await finish(service, first);
  assert.equal((await service.operate("/signups/show", { email: "gone@example.com" })).status, 200);

  const second = await backup(service);
  await using newest = await startOperatedService();
  await begin(newest, second);
  const marks = second.filter(({ kind }) => kind === "erased" || kind === "erasure_key");
  await send(newest, marks, endOf(second).sha256);
  assert.equal((await (await send(newest, second)).json()).erased, 0);
  assert.equal((await finish(newest, second))?.agrees, true);
  assert.deepEqual(await storedSignUps(newest.kv), await storedSignUps(service.kv));
  const marked = await listAll(newest.kv, { prefix: ["erased"] });
  assert.deepEqual(marked, [], "nobody has both");
});

Deno.test("restoreLines writes nothing when a line is not part of a backup", async (t) => {
  const lines = await backupOfAnother();
  await using service = await startOperatedService();
  await begin(service, lines);
  const before = await everyEntry(service.kv);
  const { sha256 } = endOf(lines);
  for (const broken of [{ kind: "root_key" }, { ...lines[1], admin: true }, { kind: "sign_up" }]) {
    await t.step(JSON.stringify(broken), async () => {
      const refused = await refusalOf(send(service, [lines[1]!, broken], sha256));
      assert.match(
        refused,
        /^400 invalid_request: Line 2 is not a line of a backup: It does not have/,
      );
    });
  }
  assert.deepEqual(await everyEntry(service.kv), before);
});

// A restore claims the store with its first good line, not before.
Deno.test("restoreLines reserves the store for a backup when it accepts the first line of the backup, and not before", async () => {
  const lines = await backupOfAnother();
  const other = [...lines.slice(0, -1), { ...endOf(lines), sha256: "0".repeat(64) }];
  await using service = await startOperatedService();
  await begin(service, other);
  const refused = await send(service, [{ kind: "none" }], endOf(other).sha256);
  await assertOperatorError(refused, 400, "invalid_request");
  assert.equal((await send(service, [], endOf(other).sha256)).status, 200);
  assert.equal((await service.operate("/backup", {})).status, 200, "it holds no part of one");

  // Both may begin again; the one that began last is the one that goes on.
  assert.equal((await begin(service, other)).status, 200);
  assert.equal((await begin(service, lines)).status, 200);
  await assertOperatorError(await send(service, other), 409, "no_restore");
  assert.equal((await send(service, lines.slice(0, 2), endOf(lines).sha256)).status, 200);
  await assertOperatorError(await begin(service, other), 409, "other_restore");
  await assertOperatorError(await begin(service, lines), 409, "restore_begun");
  await assertOperatorError(await service.operate("/backup", {}), 409, "conflict");
  await send(service, lines);
  assert.equal((await finish(service, lines))?.agrees, true);
});

// A store never has so many, so the backup was made or changed by something else.
Deno.test("restoreLines refuses a line whose role or use case would be the 65th different value in the store", async (t) => {
  const lines = await backupOfAnother();
  const { signUp } = lines.find(({ kind }) => kind === "sign_up") as { signUp: object };
  for (const name of ["role", "building"]) {
    await t.step(JSON.stringify(name), async () => {
      await using service = await startOperatedService();
      await begin(service, lines);
      const people = Array.from({ length: 65 }, (_, n) => {
        const number = String(n).padStart(2, "0");
        const own = { email: `p${number}@example.com`, [name]: `${name}-${number}` };
        return { kind: "sign_up", signUp: { ...signUp, ...own } };
      });
      const sent = send(service, [lines[0]!, ...people], endOf(lines).sha256);
      // The people are stored in several commits at the same time, so any of them can come last.
      const refusal = await refusalOf(sent);
      const number = /'[a-z]+-(\d\d)'/.exec(refusal)?.[1];
      assert.equal(
        refusal,
        `400 invalid_request: Line ${
          Number(number) + 2
        } cannot be restored: The field ${name} is ` +
          `'${name}-${number}', and there is no room for it: the list has 64 different values of this field ` +
          "already, which is the most.",
      );
      assert.equal(Object.keys(await storedSignUps(service.kv)).length, 64);
    });
  }
});
