import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder, type ProcessEnd, runTask } from "../../support/process.ts";

/** Asserts that the service refused to start with this exit code and these lines, and no stack trace. */
function assertRefused({ code, stdout, stderr }: ProcessEnd, lines: RegExp[], expected = 1): void {
  assert.equal(code, expected, stderr);
  assert.equal(stdout, "");
  const written = stderr.trimEnd().split("\n");
  assert.equal(written.length, lines.length, stderr);
  for (const [index, line] of lines.entries()) assert.match(written[index] ?? "", line);
}

Deno.test("main() names all wrong variables at once when the configuration is wrong", async () => {
  const secret = "too-short-for-a-key";
  const end = await runTask(["start"], {
    BASE_URL: "https://waitlist.example.org/?tracking=on",
    PORT: "eighty",
    LOG_LEVEL: "loud",
    OPERATOR_KEY: secret,
    KV_PATH: "waitlist.sqlite3",
  });
  assertRefused(end, [
    /^BASE_URL is 'https:\/\/waitlist\.example\.org\/\?…'.*Example: BASE_URL=https:/,
    /^PORT .*'eighty'.*Example: PORT=8000$/,
    /^KV_PATH is 'waitlist\.sqlite3'; .+ own code\..+ Example: KV_PATH=\.\/data\/waitlist\.sqlite3$/,
    /^OPERATOR_KEY .*32.*Example: OPERATOR_KEY=/,
    /^LOG_LEVEL .*'loud'.*debug, info, warn, error.*Example: LOG_LEVEL=info$/,
  ], 78);
  assert.ok(!end.stderr.includes(secret));
});

Deno.test("main() ends with one line that names HOST and PORT when another program listens there", async () => {
  await using folder = await makeTestFolder();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const PORT = String(listener.addr.port);
  const end = await runTask(["start"], { PORT, KV_PATH: join(folder.path, "kv.sqlite3") });
  assertRefused(end, [new RegExp(`"start failed".*HOST 127\\.0\\.0\\.1 and PORT ${PORT}.*in use`)]);
});

Deno.test("main() ends with one line that names KV_PATH when no file can be created there", async () => {
  await using folder = await makeTestFolder();
  const file = join(folder.path, "file");
  await Deno.writeTextFile(file, "This is no KV.");
  const inner = join(folder.path, "folder");
  await Deno.mkdir(inner);
  assertRefused(await runTask(["start"], { KV_PATH: inner, PORT: "0" }), [
    new RegExp(`"KV_PATH is '${inner}', which is a folder; give a file"`),
  ]);
  assertRefused(await runTask(["start"], { KV_PATH: file, PORT: "0" }), [
    new RegExp(`"KV_PATH is '${file}', which cannot be opened: file is not a database; give .+"`),
  ]);
  assertRefused(await runTask(["start"], { KV_PATH: join(file, "kv.sqlite3"), PORT: "0" }), [
    new RegExp(
      `^KV_PATH needs the folder '${file}', which cannot be made, because of the error '.+'; give a folder that the`,
    ),
  ]);
  for (const path of [inner, file]) {
    await assert.rejects(Deno.stat(`${path}.lock`), Deno.errors.NotFound);
  }
});

Deno.test("main() ends with exit code 78 when a key of BACKUP_RECIPIENT has a wrong checksum", async () => {
  await using folder = await makeTestFolder();
  await using backups = await makeTestFolder("waitlist backups ");
  const KV_PATH = join(folder.path, "kv.sqlite3");
  const BACKUP_RECIPIENT = `age1${"q".repeat(58)}`;
  const variables = { PORT: "0", KV_PATH, BACKUP_URL: backups.path, BACKUP_RECIPIENT };
  assertRefused(await runTask(["start"], variables), [/BACKUP_RECIPIENT has 'age1q/], 78);
});
