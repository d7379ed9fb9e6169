import assert from "node:assert/strict";
import { join } from "node:path";
import { openKv } from "../../../server/store/kv/open.ts";
import { assertNothingStored } from "../../support/records.ts";
import { makeBackup } from "../support/backup.ts";
import { checkedRecords } from "../support/import_service.ts";
import { runOperator, startCliService } from "../support/service.ts";

let test: Awaited<ReturnType<typeof makeBackup>>;

Deno.test.beforeAll(async () => {
  test = await makeBackup();
});
Deno.test.afterAll(() => test[Symbol.asyncDispose]());

Deno.test("restore puts a backup into an empty store, and refuses a store that is not", async () => {
  const kvPath = join(test.folder, "restored.sqlite3");
  await using service = await startCliService(kvPath);
  const { code, stdout, stderr } = await runOperator(service.url, ["restore", test.path]);
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    new RegExp(
      "^Restored the backup of 20\\S+Z: 5,759 sign-ups, 0 clients, 1 mark of an erased address, 1 entry of the audit log\\.\n" +
        "The counters agree with the 5,759 records\\.\n$",
    ),
  );
  const again = await runOperator(service.url, ["restore", test.path]);
  assert.equal(again.code, 2);
  assert.match(
    again.stderr,
    /^waitlist: The store is not empty: it has sign-ups or clients\. .+ on a new KV_PATH or KV_URL\.\n$/,
  );
  await service.stop();
  assert.deepEqual(await checkedRecords(kvPath), test.records);
});

Deno.test("restore writes nothing of a file that is damaged, cut or none of its own", async () => {
  const kvPath = join(test.folder, "untouched.sqlite3");
  await using service = await startCliService(kvPath);
  const lines = test.text.trimEnd().split("\n");
  const middle = Math.floor(test.text.length / 2);
  const swapped = [lines[1], lines[0], ...lines.slice(2)];
  const cases: [name: string, text: string, fault: RegExp][] = [
    ["empty", "", /it is empty/],
    ["foreign", "email,consentedAt\n", /it is no backup of a waitlist/],
    ["cut", test.text.slice(0, middle), /line \d+ is no line of a backup; the file is damaged/],
    ["without end", `${lines.slice(0, -1).join("\n")}\n`, /in the middle; it was cut/],
    [
      "shorter",
      `${[...lines.slice(0, 5), ...lines.slice(6)].join("\n")}\n`,
      /not have as many lines as its end/,
    ],
    ["changed", test.text.replace('"lang":"de"', '"lang":"en"'), /its checksum is not that of its/],
    ["swapped", `${swapped.join("\n")}\n`, /line 1 is out of order; the file is damaged/],
    ["longer", `${test.text}${lines.at(-1)}\n`, /line \d+ is out of order; the file is damaged/],
    [
      "of Windows",
      test.text.replaceAll("\n", "\r\n"),
      /has CRLF line ends .+; use the file as .+ binary/,
    ],
    [
      "edited",
      `\ufeff${test.text}`,
      /begins with a byte order mark, .+; use the file as .+ binary/,
    ],
    [
      "newer",
      test.text.replace('"version":2', '"version":3'),
      /it has version 3, .+ reads version 2; use/,
    ],
  ];
  for (const [name, text, fault] of cases) {
    const file = join(test.folder, `${name}.ndjson`);
    await Deno.writeTextFile(file, text);
    const { code, stdout, stderr } = await runOperator(service.url, ["restore", file]);
    assert.equal(code, 2, name);
    assert.equal(stdout, "");
    assert.match(stderr, fault, name);
    assert.match(stderr, /^waitlist: '.+' cannot be restored: .+; nothing was written\.\n$/);
  }
  await service.stop();
  using store = await openKv({ kind: "file", path: kvPath });
  await assertNothingStored(store.kv);
});
