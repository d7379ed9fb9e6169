import assert from "node:assert/strict";
import { join } from "node:path";
import { runShell, shellLine } from "../../support/cli.ts";
import { LIST_LENGTH, useList } from "../../support/list.ts";
import { OPERATOR } from "../../support/service.ts";

const service = useList();

Deno.test("signups export writes the whole list as NDJSON, just as it is kept", async () => {
  const { code, stdout, stderr } = await service.run(["--format", "ndjson"]);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  assert.ok(stdout === service.ndjson);
});

Deno.test("signups export writes CSV, all or some of it, with harmless cells", async () => {
  const all = await service.run([]);
  assert.equal(all.code, 0, all.stderr);
  const lines = all.stdout.split("\r\n");
  assert.equal(lines.length, LIST_LENGTH + 2);
  assert.equal(lines[0], "email,createdAt,consentedAt,updatedAt,lang,source,role,building");
  assert.match(lines[1]!, /^'=1\+1@example\.com,2026-05-01T10:00:00\.000Z,/);
  const some = await service.run(["--lang", "de", "--since", "2026-05-07T12:00:00+02:00"]);
  const expected = service.ndjson.trimEnd().split("\n").map((line) => JSON.parse(line))
    .filter(({ lang, createdAt }) => lang === "de" && createdAt >= "2026-05-07T10:00:00.000Z");
  assert.equal(some.stdout.split("\r\n").length, expected.length + 2);
});

Deno.test("signups export to a file gives it its name when it is whole", async () => {
  const file = join(service.folder, "whole.ndjson");
  const { code, stdout, stderr } = await service.run(["--output", file]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, `Exported 6,000 sign-ups to ${file}.\n`);
  assert.ok(await Deno.readTextFile(file) === service.ndjson);
  const unasked = await service.run(["--output", file]);
  assert.equal(unasked.code, 2);
  assert.equal(
    unasked.stderr,
    `waitlist: '${file}' is there already; add --yes to replace it.\n`,
  );
  const again = await service.run(["--output", file, "--yes", "--json"]);
  assert.deepEqual(JSON.parse(again.stdout), {
    file,
    format: "ndjson",
    count: LIST_LENGTH,
    resumed: 0,
    erasedMeanwhile: 0,
    unreadable: [],
  });
  assert.deepEqual(await service.leftovers("whole.ndjson"), []);
});

Deno.test("signups export ends quietly when nobody reads its output", async () => {
  const line = `{ ${shellLine(["signups", "export", "--base-url", service.url])}; ` +
    `echo "code $?" >&2; } | head -n 2`;
  const { stdout, stderr } = await runShell(line, { env: OPERATOR });
  assert.equal(stdout.split("\r\n").length, 3);
  assert.equal(stderr, "code 0\n");
});

Deno.test("signups export ends with 2 and names the flag when one is wrong", async () => {
  for (
    const [args, pattern] of [
      [["--format", "xlsx"], /--format is 'xlsx'; give csv or ndjson/],
      [["--lang", "fr"], /--lang is 'fr'; give en or de/],
      [["--since", "May"], /--since is 'May'; give a UTC date such as 2026-05-01/],
      [["--since", "2026-13-01"], /--since is '2026-13-01'/],
      [["--json"], /--json is .+; give --format ndjson to print .+, one object a line\."}\n$/],
      [["--json", "--format", "ndjson"], /--json is the summary of an export to a file; /],
    ] as [string[], RegExp][]
  ) {
    const { code, stdout, stderr } = await service.run(args);
    assert.match(stderr, pattern);
    assert.equal(stdout, "");
    assert.equal(code, 2);
  }
  const nowhere = await service.run(["--output", join(service.folder, "none", "list.csv")]);
  assert.match(nowhere.stderr, /^waitlist: Cannot write '.+list\.csv\.part': No such file .+\.\n$/);
  assert.equal(nowhere.code, 1);
  const blind = await runShell(
    shellLine(["signups", "export", "--output", "list.csv", "--base-url", service.url]),
    { env: OPERATOR },
  );
  assert.match(
    blind.stderr,
    /no permission for it; install it with --allow-read and --allow-write\.\n$/,
  );
});
