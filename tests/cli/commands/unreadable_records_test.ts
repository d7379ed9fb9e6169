/** Records of an embedded file that cannot be read: commands name them, and do the rest. */
import assert from "node:assert/strict";
import { printed } from "../support/cli.ts";
import { join } from "node:path";
import { openKv } from "../../../server/store/kv/open.ts";
import { storeSignUps } from "../../../server/store/people/sign_ups.ts";
import { damageEntry } from "../../support/damage.ts";
import { makeTestFolder } from "../../support/process.ts";
import { runOperator, startCliService } from "../support/service.ts";
import { recordId } from "../../support/records.ts";

const AT = "2026-05-01T10:00:00.000Z";

const resources = new AsyncDisposableStack();
let folder: string;
let url: string;

Deno.test.beforeAll(async () => {
  folder = resources.use(await makeTestFolder()).path;
  const kvPath = join(folder, "kv.sqlite3");
  {
    using store = await openKv({ kind: "file", path: kvPath });
    const signUps = ["ada", "bob", "zoe"].map((name) => {
      return { signUp: { email: `${name}@example.com` }, at: AT, id: recordId() };
    });
    await storeSignUps(store.kv, signUps);
  }
  damageEntry(kvPath, "bob@example.com");
  ({ url } = resources.use(await startCliService(kvPath)));
});
Deno.test.afterAll(() => resources.disposeAsync());

const UNREADABLE = [{ key: ["sign_up", "bob@example.com"], reason: "KV cannot read its value." }];

const NAMED = "1 record cannot be read and is left out:\n" +
  "  sign_up bob@example.com: KV cannot read its value.\n" +
  "If a sign-up cannot be read, erase its address with 'waitlist signups erase', and then correct the " +
  "counters with 'waitlist counters repair'. If a client cannot be read, create a new client in its place.\n";

Deno.test("'backup' saves the readable records and exits with code 1, and both 'backup' and 'restore' name the unreadable records", async () => {
  const file = join(folder, "backup.ndjson");
  const { code, stdout, stderr } = await runOperator(url, ["backup", file]);
  assert.deepEqual({ code, stderr }, { code: 1, stderr: NAMED });
  assert.match(stdout, /^Backed up 2 sign-ups, 0 clients, 0 erasure marks, .+ to .+\.\n$/);
  const again = await runOperator(url, ["backup", file, "--yes", "--json"]);
  assert.equal(again.code, 1);
  assert.deepEqual(JSON.parse(again.stdout).unreadable, UNREADABLE);

  await using other = await startCliService();
  const restored = await printed(runOperator(other.url, ["restore", file]));
  assert.match(
    restored,
    /\nThe backup lacks these records, which could not be read when it was made: sign_up bob@example\.com\.\n/,
  );
});

Deno.test("'signups export' writes readable records, names the unreadable records and exits with code 1", async () => {
  const { code, stdout, stderr } = await runOperator(url, ["signups", "export"]);
  assert.deepEqual({ code, stderr }, { code: 1, stderr: NAMED });
  assert.match(stdout, /^email,.+\r\nada@example\.com,.+\r\nzoe@example\.com,.+\r\n$/);

  const file = join(folder, "list.ndjson");
  const args = ["signups", "export", "--output", file, "--json"];
  const toFile = await runOperator(url, args);
  assert.equal(toFile.code, 1, toFile.stderr);
  assert.deepEqual(JSON.parse(toFile.stdout).unreadable, UNREADABLE);
  assert.equal((await Deno.readTextFile(file)).split("\n").length, 3);
});

Deno.test("'counters verify' and 'counters repair' count the readable records, name the unreadable records and exit with code 1", async () => {
  const wrong = await runOperator(url, ["counters", "verify"]);
  assert.equal(wrong.code, 1, wrong.stderr);
  assert.match(wrong.stdout, /^Counter.+\n[^]*total +3 +2\n[^]*Recounted 2 records; none changed/);
  assert.ok(wrong.stdout.endsWith(NAMED), wrong.stdout);
  const repaired = await runOperator(url, ["counters", "repair", "--json"]);
  assert.equal(repaired.code, 1, repaired.stderr);
  const report = JSON.parse(repaired.stdout);
  assert.deepEqual([report.repaired, report.unreadable], [true, UNREADABLE]);

  // What the text says helps.
  await printed(runOperator(url, ["signups", "erase", "bob@example.com", "--yes"]));
  await printed(runOperator(url, ["counters", "verify"]));
});
