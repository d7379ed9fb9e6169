import assert from "node:assert/strict";
import { base64url } from "jose";
import { newClient, STATS_SCOPE } from "../../../../server/oauth/clients.ts";
import { readClients } from "../../../../server/store/credentials/clients.ts";
import { beginRestore, endRestore, findRestore } from "../../../../server/store/backup/restore.ts";
import { restoreLines } from "../../../../server/store/backup/restore_lines.ts";
import { SCHEMA_VERSION } from "../../../../server/store/kv/schema.ts";
import { consentTextId } from "../../../../server/waitlist/consent_text.ts";
import type { BackupLine } from "../../../../shared/operator_schemas.ts";
import { random } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import { Commit, type Kv } from "../../../../server/store/kv/engine.ts";
import { readOne } from "../../../../server/store/kv/calls.ts";
import { test } from "../../../support/memory_kv.ts";

const CHECKSUM = "a".repeat(64);
const NEW = {
  checksum: CHECKSUM,
  counts: { signUps: 1, clients: 1, erasures: 0, auditEntries: 0 },
};
const STARTED_AT = new Date(START).toISOString();

const restore = (kv: Kv, line: BackupLine) => restoreLines({ kv, random }, [line], { now: START });

const OWN_KEY = new Uint8Array(32).fill(1), RESTORED_KEY = new Uint8Array(32).fill(7);
const KEY = base64url.encode(RESTORED_KEY);
const MARK = "m".repeat(43);
const { client: CLIENT } = newClient({ name: "A", scopes: [STATS_SCOPE] }, { now: START, random });
const WORDING = { text: "I agree.", lang: "en" } as const;
const WORDING_ID = consentTextId(WORDING);

const WAVE = {
  parameters: { link: "https://app.example.com/?code={code}" },
  ...{ salt: "salt", invited: 3, startedAt: STARTED_AT, state: "running" as const },
};

const SCHEDULE = {
  parameters: {
    next: 100,
    link: "https://app.example.com/?code={code}",
    every: "week" as const,
    weekday: "monday" as const,
    at: "09:00",
    zone: "Europe/Berlin",
  },
  createdAt: STARTED_AT,
  operator: "operator",
  state: "running" as const,
  nextRun: { date: "2026-11-23", dueAt: Date.parse("2026-11-23T08:00:00Z") },
  runs: 0,
};

const valueOf = async (kv: Kv, ...key: string[]) => (await readOne<unknown>(kv, key)).value;

/** The entries that each line stores. A line that comes again counts as unchanged, if nothing else is given. */
const LINES: {
  what: string;
  line: BackupLine;
  again?: BackupLine;
  outcomeAgain?: "restored";
  read: (kv: Kv) => Promise<unknown>;
  stored: unknown;
}[] = [
  {
    what: "an erasure key of a backup behind the store's own key",
    line: { kind: "erasure_key", key: KEY },
    read: (kv) => valueOf(kv, "schema"),
    stored: {
      version: SCHEMA_VERSION,
      erasureKeys: base64url.encode(new Uint8Array([...OWN_KEY, ...RESTORED_KEY])),
    },
  },
  {
    what: "a client",
    line: { kind: "client", client: CLIENT },
    again: { kind: "client", client: { ...CLIENT, name: "Other" } },
    // The key that tells all processes is written.
    read: async (kv) => [
      await readClients(kv),
      (await readOne(kv, ["credentials"])).version !== null,
    ],
    stored: [[CLIENT], true],
  },
  {
    what: "a backup's key for self-service links behind the store's own key",
    line: { kind: "place_key", key: KEY },
    read: async (kv) => (await valueOf(kv, "place_keys") as string[]).slice(1),
    stored: [KEY],
  },
  {
    what: "a wording of the consent",
    line: { kind: "consent_text", id: WORDING_ID, ...WORDING },
    read: (kv) => valueOf(kv, "consent_text", WORDING_ID),
    stored: WORDING,
  },
  {
    what: "a running wave as paused",
    line: { kind: "wave", id: "first", wave: WAVE, counts: { taken: 2, refused: 1, accepted: 0 } },
    read: async (kv) => [
      await valueOf(kv, "wave", "first"),
      await valueOf(kv, "wave_count", "first", "taken"),
    ],
    stored: [{ ...WAVE, state: "paused" }, 2],
  },
  {
    what: "a running schedule as paused",
    line: { kind: "schedule", id: "weekly", schedule: SCHEDULE },
    read: (kv) => valueOf(kv, "schedule", "weekly"),
    stored: { ...SCHEDULE, state: "paused" },
  },
  {
    what: "the letter limit of a mailbox",
    line: { kind: "brake", mailbox: MARK, letters: [STARTED_AT], complainedAt: STARTED_AT },
    outcomeAgain: "restored",
    read: (kv) => valueOf(kv, "brake", MARK),
    stored: { letters: [STARTED_AT], complainedAt: STARTED_AT },
  },
  {
    what: "the erasure mark of an address",
    line: { kind: "erased", mark: MARK, erasedAt: STARTED_AT },
    outcomeAgain: "restored",
    read: (kv) => valueOf(kv, "erased", MARK),
    stored: STARTED_AT,
  },
];

for (const { what, line, again = line, outcomeAgain = "unchanged", read, stored } of LINES) {
  test(`restoreLines() stores ${what}, and a second line for the same entry does not change the entry`, async (kv) => {
    const erasureKeys = base64url.encode(OWN_KEY);
    await kv.commit(new Commit().set(["schema"], { version: SCHEMA_VERSION, erasureKeys }));
    const none = { restored: 0, unchanged: 0, erased: 0 };
    assert.deepEqual(await restore(kv, line), { ...none, restored: 1 });
    assert.deepEqual(await read(kv), stored);
    assert.deepEqual(await restore(kv, again), { ...none, [outcomeAgain]: 1 });
    assert.deepEqual(await read(kv), stored);
  });
}

test("beginRestore() reserves the store for one restore when several restores begin at the same time", async (kv) => {
  const checksums = Array.from("abcd", (letter) => letter.repeat(64));
  const begun = await Promise.all(
    checksums.map((checksum) => beginRestore(kv, { ...NEW, checksum }, START)),
  );
  assert.ok(begun.every((each) => "restore" in each));
  const restore = await findRestore(kv);
  assert.ok(restore && checksums.includes(restore.checksum));
});

test(
  "endRestore() does not end a restore when the call names another checksum or another start time",
  async (kv, t) => {
    await beginRestore(kv, NEW, START);
    for (
      const ended of [
        { checksum: CHECKSUM, startedAt: new Date(START - 1).toISOString() },
        { checksum: "b".repeat(64), startedAt: STARTED_AT },
      ]
    ) {
      await t.step(`called with ${JSON.stringify(ended)}`, async () => {
        await endRestore(kv, ended);
        assert.equal((await findRestore(kv))?.checksum, CHECKSUM);
      });
    }
  },
);
