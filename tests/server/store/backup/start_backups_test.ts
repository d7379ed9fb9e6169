/** Backups that the service makes by itself, into a real folder. */
import assert from "node:assert/strict";
import { lstat, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Decrypter, generateIdentity, identityToRecipient } from "age-encryption";
import { readMadeBackups } from "../../../../server/store/backup/made_backups.ts";
import { changeEntry } from "../../../../server/store/kv/calls.ts";
import { BACKUP_VERSION } from "../../../../shared/backup_lines.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";
import { recordMetrics } from "../../../support/metrics.ts";
import type { OperatedService } from "../../../support/operator.ts";
import { readNdjson, startOperatedService } from "../../../support/operator.ts";
import { storeSignUp } from "../../../support/records.ts";
import { serveOn, START } from "../../../support/service.ts";

const HOUR = 60 * 60_000, DAY = 24 * HOUR;
const AT = "2026-11-20T08:00:00.000Z";

/** A folder, and a service that makes backups in it. */
async function startBackedUp(variables: Record<string, string> = {}) {
  await using resources = new AsyncDisposableStack();
  // The start task cannot name a path with a comma in a permission.
  const folder = await mkdtemp(join(tmpdir(), "waitlist backups "));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const settings = { BACKUP_URL: folder, ...variables };
  const service = resources.use(await startOperatedService(settings));
  const kept = resources.move();
  return {
    folder,
    service,
    signUp: (email: string) => storeSignUp(service.kv, { email }, AT),
    names: async () => (await readdir(folder)).sort(),
    lines: async (name: string) => parse(gunzipSync(await readFile(join(folder, name))).toString()),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const parse = (text: string) => text.trimEnd().split("\n").map((line) => JSON.parse(line));

const overviewOf = async (service: OperatedService) =>
  await (await service.operate("/overview")).json();

Deno.test("startBackups() makes a backup as soon as the store has a sign-up, and then one backup each day at BACKUP_AT", async () => {
  using metrics = recordMetrics();
  await using test = await startBackedUp();
  const { service } = test;
  // An empty store makes no backup, because an operator may be about to restore one.
  await service.repeatOnce();
  assert.deepEqual(await test.names(), []);

  await test.signUp("ada@example.com");
  await service.repeatOnce();
  await service.repeatOnce();
  const [name = "", ...others] = await test.names();
  assert.deepEqual([name, others], ["waitlist-20261121T120020Z.ndjson.gz", []]);
  const { mode, size } = await stat(join(test.folder, name));
  assert.equal(mode & 0o777, 0o600);
  const lines = await test.lines(name);
  assert.deepEqual(lines[0], {
    kind: "header",
    format: "waitlist-backup",
    version: BACKUP_VERSION,
    createdAt: new Date(START).toISOString(),
  });
  assert.equal(lines.at(-1).counts.signUps, 1);
  const { backups, lastDone } = await overviewOf(service);
  const at = new Date(START).toISOString();
  assert.deepEqual(backups, { at: "03:00", keep: 14, last: { at, name, bytes: size } });
  assert.equal(lastDone.backup, at);
  assert.deepEqual(metrics.observed("waitlist.backup.failed"), [[0, {}]]);
  const entries = await readNdjson(await service.operate("/audit"));
  assert.deepEqual(
    entries.flatMap(({ action, details }) => action === "scheduledBackup" ? [details] : []),
    [{ name }],
  );

  service.clock.now = Date.parse("2026-11-22T02:59:59.000Z");
  await service.repeatOnce();
  assert.equal((await test.names()).length, 1);
  service.clock.now += 1_000;
  await service.repeatOnce();
  assert.deepEqual(await test.names(), [name, "waitlist-20261122T030000Z.ndjson.gz"]);
});

Deno.test("startBackups() removes the oldest backups beyond BACKUP_KEEP after a good backup, and none after a failed backup", async () => {
  await using test = await startBackedUp({ BACKUP_KEEP: "2" });
  const { service, folder } = test;
  const others = ["notes.txt", "waitlist.ndjson"];
  for (const name of others) await writeFile(join(folder, name), "");
  const cut = join(folder, ".waitlist-20261101T030000Z.ndjson.gz.part");
  await writeFile(cut, "");
  await utimes(cut, 0, 0);
  await test.signUp("ada@example.com");
  await test.signUp("gone@example.com");
  await service.repeatOnce();
  await service.operate("/signups/erase", { email: "gone@example.com" });
  for (let day = 0; day < 3; day++) {
    await service.repeatOnce();
    await service.repeatOnce();
    service.clock.now += DAY;
  }
  const ours = async () => (await test.names()).filter((name) => !others.includes(name));
  assert.deepEqual(await ours(), [
    "waitlist-20261122T120020Z.erasures.ndjson.gz",
    "waitlist-20261122T120020Z.ndjson.gz",
    "waitlist-20261123T120020Z.erasures.ndjson.gz",
    "waitlist-20261123T120020Z.ndjson.gz",
  ]);
  // A folder is in the way of the next backup.
  await mkdir(join(folder, ".waitlist-20261124T120020Z.ndjson.gz.part"));
  await service.repeatOnce();
  assert.equal((await overviewOf(service)).backups.failed.at, "2026-11-24T12:00:20.000Z");
  assert.equal((await ours()).filter((name) => name.includes("20261122")).length, 2);
});

Deno.test("startBackups() follows no symbolic link, and replaces a file that already has the name of the new backup", async () => {
  await using test = await startBackedUp();
  const { service, folder } = test;
  await test.signUp("ada@example.com");
  const victim = join(folder, "notes.txt");
  await writeFile(victim, "of value");
  const name = "waitlist-20261121T120020Z.ndjson.gz";
  await symlink(victim, join(folder, `.${name}.part`));
  await writeFile(join(folder, name), "planted", { mode: 0o666 });
  await service.repeatOnce();
  assert.equal(await readFile(victim, "utf8"), "of value");
  const info = await lstat(join(folder, name));
  assert.deepEqual([info.isFile(), info.mode & 0o777], [true, 0o600]);
  assert.equal((await test.lines(name)).at(-1).counts.signUps, 1);
});

Deno.test("startBackups() logs a failed backup, and tries again after an hour", async () => {
  using metrics = recordMetrics();
  await using test = await startBackedUp();
  const { service, folder } = test;
  await test.signUp("ada@example.com");
  await rm(folder, { recursive: true });
  await service.repeatOnce();
  const failed = service.log.filter(({ event }) => String(event).startsWith("backup failed"));
  assert.equal(failed.length, 1);
  const { backups, lastDone } = await overviewOf(service);
  assert.equal(backups.failed.at, new Date(START).toISOString());
  assert.match(backups.failed.reason, /ENOENT|No such file/);
  assert.deepEqual([backups.last, lastDone.backup], [undefined, undefined]);
  await service.repeatOnce();
  assert.deepEqual(metrics.observed("waitlist.backup.failed"), [[1, {}]]);

  await mkdir(folder);
  service.clock.now += HOUR - 1;
  await service.repeatOnce();
  assert.deepEqual(await test.names(), []);
  service.clock.now += 1;
  await service.repeatOnce();
  assert.equal((await test.names()).length, 1);
  assert.equal((await overviewOf(service)).backups.failed, undefined);
});

for (const [what, wait] of [["a restart", 1_000], ["a change of BACKUP_URL", 0]] as const) {
  Deno.test(`startBackups() makes a backup at once after ${what}, even if the last backup has just failed`, async () => {
    await using test = await startBackedUp();
    const { service, folder } = test;
    await test.signUp("ada@example.com");
    await rm(folder, { recursive: true });
    // A process begins at START.
    service.clock.now -= wait;
    await service.repeatOnce();
    assert.ok((await readMadeBackups(service.kv)).failed);
    const place = wait > 0 ? folder : join(folder, "other");
    const restarted = await serveOn(service.kv, { BACKUP_URL: place });
    await using _ = { [Symbol.asyncDispose]: restarted.stop };
    await restarted.repeatOnce();
    assert.deepEqual(await readdir(place), ["waitlist-20261121T120020Z.ndjson.gz"]);
    assert.equal((await readMadeBackups(service.kv)).failed, undefined);
  });
}

Deno.test("startBackups() writes the erasure marks since the last backup, and their key, into a file beside the backup", async () => {
  await using test = await startBackedUp();
  const { service } = test;
  for (const email of ["ada@example.com", "gone@example.com"]) await test.signUp(email);
  await service.repeatOnce();
  const [backup = ""] = await test.names();
  service.clock.now += 60_000;
  await service.operate("/signups/erase", { email: "gone@example.com" });
  await service.repeatOnce();
  const name = "waitlist-20261121T120020Z.erasures.ndjson.gz";
  assert.deepEqual(await test.names(), [name, backup]);
  const [key, mark, ...more] = await test.lines(name);
  assert.deepEqual([key.kind, mark.kind, more], ["erasure_key", "erased", []]);
  assert.equal(mark.erasedAt, new Date(service.clock.now).toISOString());

  // Without an erasure, nothing is written.
  const { mtimeMs } = await stat(join(test.folder, name));
  await utimes(join(test.folder, name), 1, 1);
  await service.repeatOnce();
  assert.notEqual((await stat(join(test.folder, name))).mtimeMs, mtimeMs);
  assert.equal((await stat(join(test.folder, name))).mtimeMs, 1_000);
  await service.operate("/signups/erase", { email: "ada@example.com" });
  await service.repeatOnce();
  assert.equal((await test.lines(name)).length, 3);
});

Deno.test("startBackups() encrypts a backup for every recipient of BACKUP_RECIPIENT", async () => {
  const identities = [await generateIdentity(), await generateIdentity()];
  const recipients = await Promise.all(identities.map(identityToRecipient));
  await using test = await startBackedUp({ BACKUP_RECIPIENT: recipients.join(" ") });
  await test.signUp("ada@example.com");
  await test.service.repeatOnce();
  const [name = ""] = await test.names();
  assert.equal(name, "waitlist-20261121T120020Z.ndjson.gz.age");
  const bytes = await readFile(join(test.folder, name));
  for (const identity of identities) {
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    const lines = parse(gunzipSync(await decrypter.decrypt(new Uint8Array(bytes))).toString());
    assert.equal(lines[1].signUp.email, "ada@example.com");
  }
});

Deno.test("startBackups() makes the start of the service fail when BACKUP_RECIPIENT has a wrong character", async () => {
  const recipient = await identityToRecipient(await generateIdentity());
  const wrong = recipient.replace(/.$/, (last) => last === "q" ? "p" : "q");
  using kv = await openMemoryKv();
  const settings = { BACKUP_URL: join(tmpdir(), "backups"), BACKUP_RECIPIENT: wrong };
  const starting = startOperatedService(settings, kv);
  await assert.rejects(starting, /BACKUP_RECIPIENT has 'age1.+a character is wrong or missing/);
});

Deno.test("startBackups() makes one backup when two processes try at the same time", async () => {
  await using test = await startBackedUp();
  const { service, folder } = test;
  await test.signUp("ada@example.com");
  const second = await serveOn(service.kv, { BACKUP_URL: folder });
  await using _ = { [Symbol.asyncDispose]: second.stop };
  await Promise.all([service.repeatOnce(), second.repeatOnce()]);
  const made = [...service.log, ...second.log].filter(({ event }) => event === "backup made");
  assert.equal(made.length, 1);
  assert.deepEqual((await readMadeBackups(service.kv)).lease, undefined);
});

Deno.test("startBackups() makes no backup while a restore of the store is not complete", async () => {
  await using test = await startBackedUp();
  await test.signUp("ada@example.com");
  const restore = { checksum: "a".repeat(64), counts: {}, startedAt: AT };
  await changeEntry(test.service.kv, ["restore"], () => ({ newValue: restore, result: 0 }));
  await test.service.repeatOnce();
  assert.deepEqual(await test.names(), []);
});
