import assert from "node:assert/strict";
import { base64url } from "jose";
import { type Client, newClient, STATS_SCOPE } from "../../../../server/oauth/clients.ts";
import { readClients } from "../../../../server/store/credentials/clients.ts";
import { LOCAL_ENGINE } from "../../../../server/store/kv/open.ts";
import {
  beginRestore,
  claimStore,
  endRestore,
  findRestore,
  restoreLines,
} from "../../../../server/store/backup/restores.ts";
import { SCHEMA_VERSION } from "../../../../server/store/kv/schema.ts";
import { consentTextId } from "../../../../server/waitlist/record.ts";
import type { BackupLine } from "../../../../shared/operator_schemas.ts";
import { uncertainKv } from "../../../support/faulty_kv.ts";
import { serveOn, START, type TestService } from "../../../support/service.ts";
import { inBody, requestToken } from "../../../support/tokens.ts";

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));

const CHECKSUM = "a".repeat(64);
const NEW = {
  checksum: CHECKSUM,
  counts: { signUps: 1, clients: 1, erasures: 0, auditEntries: 0 },
};
const STARTED_AT = new Date(START).toISOString();
const ERASURE_KEY = new Uint8Array(32).fill(7);

function makeClient(): { client: Client; clientSecret: string } {
  return newClient({ name: "Dashboard", scopes: [STATS_SCOPE] }, { now: START, random });
}

const erasureKeyLine: BackupLine = {
  kind: "erasure_key",
  key: base64url.encode(ERASURE_KEY),
};

for (const goThrough of [true, false]) {
  const fault = goThrough ? "commits lose their answers" : "commits do not go through";
  const lose = (kv: Deno.Kv) => uncertainKv(kv, { commits: 2, goThrough });

  Deno.test(`beginRestore() begins a restore when ${fault}`, async () => {
    using kv = await Deno.openKv(":memory:");
    const restore = { ...NEW, startedAt: STARTED_AT };
    assert.deepEqual(await beginRestore(lose(kv), NEW, START), { restore });
    assert.deepEqual(await findRestore(kv), { ...restore, pending: true });
  });

  Deno.test(`claimStore() gives the store to the backup when ${fault}`, async () => {
    using kv = await Deno.openKv(":memory:");
    await beginRestore(kv, NEW, START);
    assert.equal(await claimStore(lose(kv), CHECKSUM), true);
    assert.deepEqual(await findRestore(kv), { ...NEW, startedAt: STARTED_AT });
  });

  Deno.test(`endRestore() ends the restore when ${fault}`, async () => {
    using kv = await Deno.openKv(":memory:");
    await beginRestore(kv, NEW, START);
    await endRestore(lose(kv), { checksum: CHECKSUM, startedAt: STARTED_AT });
    assert.equal(await findRestore(kv), undefined);
  });

  Deno.test(`restoreLines() stores the erasure key and counts it once when ${fault}`, async () => {
    using kv = await Deno.openKv(":memory:");
    const own = new Uint8Array(32).fill(1);
    await kv.set(["schema"], { version: SCHEMA_VERSION, erasureKeys: base64url.encode(own) });
    const store = { kv: lose(kv), engine: LOCAL_ENGINE, random };
    const restored = await restoreLines(store, [erasureKeyLine], { now: START });
    assert.deepEqual(restored, { restored: 1, unchanged: 0, erased: 0 });
    const { value } = await kv.get(["schema"]);
    const erasureKeys = base64url.encode(new Uint8Array([...own, ...ERASURE_KEY]));
    assert.deepEqual(value, { version: SCHEMA_VERSION, erasureKeys });
    assert.equal((await restoreLines(store, [erasureKeyLine], { now: START })).unchanged, 1);
  });

  Deno.test(`restoreLines() stores a client and counts it once when ${fault}`, async () => {
    using kv = await Deno.openKv(":memory:");
    const { client } = makeClient();
    const store = { kv: lose(kv), engine: LOCAL_ENGINE, random };
    const restored = await restoreLines(store, [{ kind: "client", client }], { now: START });
    assert.deepEqual(restored, { restored: 1, unchanged: 0, erased: 0 });
    assert.deepEqual(await readClients(kv), [client]);
    const other = { ...client, name: "Other" };
    assert.equal(
      (await restoreLines(store, [{ kind: "client", client: other }], { now: START })).unchanged,
      1,
    );
    assert.deepEqual(await readClients(kv), [client], "the client that has the id stays");
  });

  Deno.test(`restoreLines() adds the key of people's links and counts it once when ${fault}`, async () => {
    using kv = await Deno.openKv(":memory:");
    const store = { kv: lose(kv), engine: LOCAL_ENGINE, random };
    const key = base64url.encode(new Uint8Array(32).fill(9));
    const lines: BackupLine[] = [{ kind: "place_key", key }];
    const restored = await restoreLines(store, lines, { now: START });
    assert.deepEqual(restored, { restored: 1, unchanged: 0, erased: 0 });
    assert.equal((await restoreLines(store, lines, { now: START })).unchanged, 1);
    const { value } = await kv.get<string[]>(["place_keys"]);
    assert.equal(value?.length, 2);
    assert.equal(value[1], key);
  });

  Deno.test(`restoreLines() stores a wording and counts it once when ${fault}`, async () => {
    using kv = await Deno.openKv(":memory:");
    const store = { kv: lose(kv), engine: LOCAL_ENGINE, random };
    const wording = { text: "I agree.", lang: "en" } as const;
    const id = consentTextId(wording);
    const lines: BackupLine[] = [{ kind: "consent_text", id, ...wording }];
    const restored = await restoreLines(store, lines, { now: START });
    assert.deepEqual(restored, { restored: 1, unchanged: 0, erased: 0 });
    assert.deepEqual((await kv.get(["consent_text", id])).value, wording);
    assert.equal((await restoreLines(store, lines, { now: START })).unchanged, 1);
  });

  Deno.test(`restoreLines() stores the marks of erased addresses when ${fault}`, async () => {
    using kv = await Deno.openKv(":memory:");
    const mark = "m".repeat(43);
    const store = { kv: lose(kv), engine: LOCAL_ENGINE, random };
    const line = { kind: "erased", mark, erasedAt: STARTED_AT } as const;
    assert.equal((await restoreLines(store, [line], { now: START })).restored, 1);
    assert.equal((await kv.get(["erased", mark])).value, STARTED_AT);
  });
}

Deno.test("beginRestore() gives the store to the last of several that begin at the same time", async () => {
  using kv = await Deno.openKv(":memory:");
  const checksums = Array.from("abcd", (letter) => letter.repeat(64));
  const begun = await Promise.all(
    checksums.map((checksum) => beginRestore(kv, { ...NEW, checksum }, START)),
  );
  assert.ok(begun.every((each) => "restore" in each));
  const restore = await findRestore(kv);
  assert.ok(restore && checksums.includes(restore.checksum));
});

Deno.test("endRestore() leaves a restore that has begun since", async () => {
  using kv = await Deno.openKv(":memory:");
  await beginRestore(kv, NEW, START);
  for (
    const ended of [
      { checksum: CHECKSUM, startedAt: new Date(START - 1).toISOString() },
      { checksum: "b".repeat(64), startedAt: STARTED_AT },
    ]
  ) {
    await endRestore(kv, ended);
    assert.equal((await findRestore(kv))?.checksum, CHECKSUM);
  }
});

// The other service has read the clients a moment ago for an unknown one, its clock stands still, and nothing is
// repeated: it learns of the restored client by its watch alone.
Deno.test("restoreLines() lets every process give tokens to a restored client", async () => {
  const kv = await Deno.openKv(":memory:");
  const one = await serveOn(kv);
  await using other = await serveOn(kv);
  const { client, clientSecret } = makeClient();
  const body = {
    grant_type: "client_credentials",
    ...inBody({ clientId: client.clientId, clientSecret }),
  };
  const statusOf = async (service: TestService) => (await requestToken(service, { body })).status;
  for (const service of [one, other]) assert.equal(await statusOf(service), 401);

  const before = await kv.get(["credentials"]);
  await restoreLines({ kv, engine: LOCAL_ENGINE, random }, [{ kind: "client", client }], {
    now: START,
  });
  assert.notEqual((await kv.get(["credentials"])).versionstamp, before.versionstamp);
  for (const service of [one, other]) {
    while (await statusOf(service) !== 200) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await one.stop();
});
