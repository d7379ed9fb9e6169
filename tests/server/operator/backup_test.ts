import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { SignUpRecord } from "../../../server/waitlist/record.ts";
import {
  backup,
  backupOfAnother,
  begin,
  endOf,
  fill,
  finish,
  type Lines,
  NOW,
  restore,
  send,
} from "../../support/backups.ts";
import {
  type OperatedService,
  refusalOf,
  startOperatedService,
  test,
} from "../../support/operator.ts";
import { storedSignUps } from "../../support/records.ts";
import { putPerson, tokenOf } from "../../support/self_service.ts";
import { createTestClient, form } from "../../support/service.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import { readOne } from "../../../server/store/kv/calls.ts";

test("backUp streams the stored data between a first line and a last line with a checksum", async (service) => {
  await fill(service);
  const response = await service.operate("/backup", {});
  assert.equal(response.status, 200);
  const text = await response.text();
  const lines: Lines = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ kind }) => kind), [
    "header",
    ...Array(3).fill("sign_up"),
    "client",
    "erased",
    "erasure_key",
    // The erasure, and this backup.
    ...Array(2).fill("audit"),
    "place_key",
    ...Array(11).fill("counter"),
    "end",
  ]);
  const header = { kind: "header", format: "waitlist-backup", version: 4, createdAt: NOW };
  assert.deepEqual(lines[0], header);
  const before = text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1);
  assert.deepEqual(endOf(lines), {
    kind: "end",
    counts: {
      ...{ signUps: 3, clients: 1, erasures: 1, auditEntries: 2 },
      ...{ waves: 0, named: 0, brakes: 0, schedules: 0, letters: 0 },
    },
    sha256: createHash("sha256").update(before).digest("hex"),
  });
  assert.ok(!text.includes("root_key") && !text.includes("gone@example.com"));
});

/** Begins to restore the backup of another store, and gives its lines. */
async function beginAny(service: OperatedService): Promise<Lines> {
  const lines = await backupOfAnother();
  await begin(service, lines);
  return lines;
}

test("beginRestore accepts only an empty store, and says what to do when the store has data", async (old) => {
  await fill(old);
  const lines = await backup(old);
  const refused = async (service: OperatedService, backed = lines, further = {}) =>
    await refusalOf(begin(service, backed, further));
  const notEmpty = /^409 store_not_empty: .+ not empty: it has sign-ups or clients\..+KV_PATH/;
  assert.match(await refused(old), notEmpty);
  await using withClient = await startOperatedService();
  await createTestClient(withClient);
  assert.match(await refused(withClient), notEmpty);

  await using service = await startOperatedService();
  await begin(service, lines);
  await send(service, lines.slice(0, 3), endOf(lines).sha256);
  assert.match(await refused(service), /^409 restore_begun: .+ a part of this very backup.+resume/);
  const other = [...lines.slice(0, -1), { ...endOf(lines), sha256: "0".repeat(64) }];
  const instead = await refused(service, other, { resume: true });
  assert.match(instead, /^409 other_restore: .+ a part of another backup/);
  const half = await refusalOf(service.operate("/backup", {}));
  assert.match(half, /^409 conflict: .+ only a part of the backup/);

  assert.equal((await begin(service, lines, { resume: true })).status, 200);
  await send(service, lines);
  await finish(service, lines);
  assert.deepEqual(await storedSignUps(service.kv), await storedSignUps(old.kv));
});

test("finishRestore does not end the restore when the counters are wrong", async (service) => {
  const lines = await beginAny(service);
  await send(service, lines);
  await service.kv.commit(new Commit().add(["statistics", "total"], 1));
  assert.equal((await finish(service, lines))?.agrees, false);
  await service.operate("/counters/repair", {});
  assert.equal((await finish(service, lines))?.agrees, true);
  assert.equal((await service.operate("/backup", {})).status, 200);
});

test("finishRestore is refused when no restore of this backup was begun", async (service) => {
  const refused = async (checksum: string) => {
    const refusal = await refusalOf(service.operate(`/restores/${checksum}/finish`, {}));
    assert.match(
      refusal,
      /^404 not_found: No restore of this backup is under way\. .+\/counters\/verify /,
    );
  };
  await refused("0".repeat(64));
  const lines = await beginAny(service);
  await refused("0".repeat(64));
  await send(service, lines.slice(0, 2), endOf(lines).sha256);
  const other = await refusalOf(service.operate(`/restores/${"0".repeat(64)}/finish`, {}));
  assert.match(other, /^409 other_restore: .+ a part of another backup/);
  await send(service, lines);
  assert.equal((await finish(service, lines))?.agrees, true);
  await refused(endOf(lines).sha256);
});

const ADA = { email: "ada@example.com", state: "unconfirmed" } as const;

test("A restored store accepts the self-service links of the old store, and has the old store's wordings of consent", async (old) => {
  await fill(old);
  const { id } = await putPerson(old.kv, ADA);
  const token = await tokenOf(old.kv, ADA.email, id);
  await old.request("/place/confirm", form({ t: token }));
  const lines = await backup(old);
  assert.equal(lines.filter(({ kind }) => kind === "consent_text").length, 1);

  await using service = await startOperatedService();
  const page = `/place/?t=${token}`;
  assert.equal((await service.request(page)).status, 404);
  await restore(service, lines);
  const shown = await service.request(page);
  assert.equal(shown.status, 200);
  assert.match(await shown.text(), /I agree that Example Company may store my address/);
  const { value } = await readOne<SignUpRecord>(service.kv, ["sign_up", ADA.email]);
  const wording = await readOne(service.kv, ["consent_text", value!.proof!.consentText]);
  assert.notEqual(wording.value, null);

  // The store's own links are as good.
  const own = await tokenOf(service.kv, ADA.email, id);
  assert.equal((await service.request(`/place/?t=${own}`)).status, 200);
  assert.equal((await old.request(`/place/?t=${own}`)).status, 404);
});
