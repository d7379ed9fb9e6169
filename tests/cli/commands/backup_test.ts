/** Backups and what is restored from them; thousands of sign-ups are restored in tests/slow. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { openKv } from "../../../server/store/kv/open.ts";
import { assertNothingStored } from "../../support/records.ts";
import { makeBackup, SMALL_COUNT } from "../support/backup.ts";
import { assertRefused, printed } from "../support/cli.ts";
import { checkedRecords, CONSENT, useImportService } from "../support/import_service.ts";
import { forward, serveLocally, startProxy } from "../support/proxy.ts";
import { runOperator, startCliService } from "../support/service.ts";

let test: Awaited<ReturnType<typeof makeBackup>>;

Deno.test.beforeAll(async () => {
  test = await makeBackup(SMALL_COUNT);
});
Deno.test.afterAll(() => test[Symbol.asyncDispose]());

Deno.test("'backup' writes a file that only its owner can read", async () => {
  assert.equal((await Deno.stat(test.path)).mode! & 0o777, 0o600);
});

Deno.test("'backup' replaces an existing file only with --yes, and leaves this file unchanged when the connection is cut", async () => {
  const file = join(test.folder, "kept.ndjson");
  await Deno.writeTextFile(file, "what was there");
  const unasked = await runOperator(test.url, ["backup", file]);
  assert.equal(unasked.code, 2);
  assert.equal(
    unasked.stderr,
    `waitlist: '${file}' exists already; add --yes to replace it.\n`,
  );
  {
    await using proxy = serveLocally(async (request) => {
      const response = await forward(request, test);
      const text = (await response.text()).slice(0, test.text.length / 2);
      return new Response(text, { headers: response.headers });
    });
    const cut = await runOperator(proxy.url, ["backup", file, "--yes"]);
    assert.equal(cut.code, 3, cut.stderr);
    assert.match(cut.stderr, /^waitlist: .+\n$/);
  }
  assert.equal(await Deno.readTextFile(file), "what was there");
  const whole = await printed(runOperator(test.url, ["backup", file, "--yes", "--json"]));
  assert.equal(JSON.parse(whole).counts.signUps, SMALL_COUNT - 1);
  assert.deepEqual(withoutAudit(await Deno.readTextFile(file)), withoutAudit(test.text));
  const names = (await Array.fromAsync(Deno.readDir(test.folder))).map(({ name }) => name);
  assert.deepEqual(names.filter((name) => name.endsWith(".part")), []);
});

Deno.test("'backup verify' and the service both count every campaign after the 200th as 'other'", async () => {
  await using service = await useImportService();
  const rows = Array.from({ length: 203 }, (_, n) => `p${n}@example.com,${CONSENT},s${n}`);
  const csv = ["email,consentedAt,utmSource", ...rows].join("\n");
  await printed(service.import([await service.file("list.csv", csv)]));
  const backup = join(test.folder, "campaigns.ndjson");
  await printed(runOperator(service.url, ["backup", backup]));
  assert.match(await Deno.readTextFile(backup), /"counter":"utmSource\/other","count":3/);
  const verified = await runOperator(service.url, ["backup", "verify", backup]);
  assert.equal(verified.code, 0, verified.stderr);
});

Deno.test("'backup' writes to a new file when another program has put a symbolic link or a file at the path of the .part file", async () => {
  const file = join(test.folder, "planted.ndjson");
  const victim = join(test.folder, "victim");
  await Deno.writeTextFile(victim, "of value");
  await Deno.symlink(victim, `${file}.part`);
  await printed(runOperator(test.url, ["backup", file, "--quiet"]));
  assert.equal(await Deno.readTextFile(victim), "of value");
  await Deno.writeTextFile(`${file}.part`, "");
  await Deno.chmod(`${file}.part`, 0o666);
  await printed(runOperator(test.url, ["backup", file, "--yes", "--quiet"]));
  const { isFile, mode } = await Deno.lstat(file);
  assert.deepEqual([isFile, mode! & 0o777], [true, 0o600]);
});

/** The lines of a backup between the first and the last one, without those of the audit log. */
function withoutAudit(text: string): string[] {
  const lines = text.trimEnd().split("\n").slice(1, -1);
  return lines.filter((line) => !line.startsWith('{"kind":"audit"'));
}

Deno.test("'restore' writes a backup into an empty store, and refuses a store that has sign-ups", async () => {
  const kvPath = join(test.folder, "restored.sqlite3");
  await using service = await startCliService(kvPath);
  const restore = (args: string[]) => runOperator(service.url, ["restore", ...args]);
  const stdout = await printed(restore([test.path]));
  assert.match(
    stdout,
    new RegExp(
      "^Restored the backup of 20\\S+Z: 191 sign-ups, 0 clients, 1 erasure mark, 1 entry of the audit log\\.\n" +
        "The counters agree with the 191 records\\.\n$",
    ),
  );
  await assertRefused(restore, [
    [
      [test.path],
      /: The store is not empty: it has sign-ups or clients\. .+ with a new KV_PATH or KV_URL\.\n$/,
    ],
  ]);
  await service.stop();
  assert.deepEqual(await checkedRecords(kvPath), test.records);
});

Deno.test("'restore' repeats its last call when the answer to this call was lost, and then compares counters and records", async () => {
  await using service = await startCliService(join(test.folder, "lost.sqlite3"));
  let answers = 0;
  await using proxy = startProxy(service, {
    from: "192.0.2.90",
    async alter(response, { url }) {
      if (!url.endsWith("/finish") || ++answers > 1) return response;
      await response.text();
      return new Response("", { headers: response.headers });
    },
  });
  const { code, stdout, stderr } = await runOperator(proxy.url, ["restore", test.path]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^The counters agree with the 191 records\.$/m);
  assert.match(stderr, /; the program calls the service again in 1 s\.\n$/);
  assert.equal(answers, 2);
});

Deno.test("'restore' writes nothing when the file is damaged, cut or not a backup", async (t) => {
  const kvPath = join(test.folder, "untouched.sqlite3");
  await using service = await startCliService(kvPath);
  const lines = test.text.trimEnd().split("\n");
  const middle = Math.floor(test.text.length / 2);
  const swapped = [lines[1], lines[0], ...lines.slice(2)];
  const cases: [name: string, text: string, fault: RegExp][] = [
    ["empty", "", /it is empty/],
    ["foreign", "email,consentedAt\n", /it is not a backup of a waitlist/],
    ["cut", test.text.slice(0, middle), /line \d+ is not a line of a backup; the file is damaged/],
    [
      "without end",
      `${lines.slice(0, -1).join("\n")}\n`,
      /it ends after line \d+, so its last lines are missing/,
    ],
    [
      "shorter",
      `${[...lines.slice(0, 5), ...lines.slice(6)].join("\n")}\n`,
      /its last line gives other numbers of records than the backup has/,
    ],
    [
      "changed",
      test.text.replace('"lang":"de"', '"lang":"en"'),
      /its checksum does not fit its lines/,
    ],
    [
      "swapped",
      `${swapped.join("\n")}\n`,
      /line 1 is of a kind that a backup does not have at this place; the file is damaged/,
    ],
    [
      "longer",
      `${test.text}${lines.at(-1)}\n`,
      /line \d+ is of a kind that a backup does not have at this place; the file is damaged/,
    ],
    [
      "of Windows",
      test.text.replaceAll("\n", "\r\n"),
      /has CRLF line ends .+; get the unchanged file again, .+ binary/,
    ],
    [
      "edited",
      `\ufeff${test.text}`,
      /begins with a byte order mark, .+; get the unchanged file again, .+ binary/,
    ],
    [
      "newer",
      test.text.replace('"version":4', '"version":5'),
      /its format has the version 5, .+ reads only the versions 2, 3 and 4; use/,
    ],
  ];
  const restore = (args: string[]) => runOperator(service.url, ["restore", ...args]);
  for (const [name, text, fault] of cases) {
    await t.step(name, async () => {
      const file = join(test.folder, `${name}.ndjson`);
      await Deno.writeTextFile(file, text);
      const whole = new RegExp(
        `: '.+' cannot be restored: .*${fault.source}.*; nothing was written`,
      );
      await assertRefused(restore, [[[file], whole]]);
    });
  }
  await service.stop();
  using store = await openKv({ kind: "file", path: kvPath });
  await assertNothingStored(store.kv);
});

Deno.test("'backup -' writes the backup to standard output, and a report to standard error", async () => {
  const { code, stdout, stderr } = await runOperator(test.url, ["backup", "-"]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(withoutAudit(stdout), withoutAudit(test.text));
  assert.match(stderr, /^Backed up 191 sign-ups, 0 clients, .+\.\n$/);
});

Deno.test("'restore -' and 'backup verify -' read a backup from standard input", async () => {
  const stdin = test.text;
  const verified = await printed(runOperator(test.url, ["backup", "verify", "-"], { stdin }));
  assert.match(verified, /^standard input is whole: the backup of .+, 191 sign-ups, /);
  const gzipped = gzipSync(stdin);
  const sealed = { stdin: new Uint8Array(gzipped) };
  const json = await printed(runOperator(test.url, ["backup", "verify", "-", "--json"], sealed));
  assert.equal(JSON.parse(json).file, "-");

  const kvPath = join(test.folder, "from_input.sqlite3");
  await using service = await startCliService(kvPath);
  const restore = (args: string[], stdin: string) => {
    return runOperator(service.url, ["restore", "-", ...args], { stdin });
  };
  await assertRefused((args) => restore(args, stdin), [
    [
      ["--key-stdin"],
      /^waitlist: --key-stdin and '-' both read standard input; set WAITLIST_OPERATOR_KEY in place of .+\.\n$/,
    ],
  ]);
  await assertRefused((args) => restore(args, stdin.slice(0, -100)), [
    [[], /^waitlist: '-' cannot be restored: .*; nothing was written\.\n$/],
  ]);
  assert.match(await printed(restore([], stdin)), /^Restored the backup of .+: 191 sign-ups, /);
  await service.stop();
  assert.deepEqual(await checkedRecords(kvPath), test.records);
});
