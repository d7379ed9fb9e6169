/** Readers that close the pipe before the CLI has written everything. */
import assert from "node:assert/strict";
import { OPERATOR, startCliService, useService } from "../../cli/support/service.ts";
import { makeTestFolder } from "../../support/process.ts";
import { useList } from "../../cli/support/list.ts";
import { filePermissions, runShell, shellLine } from "./support/process.ts";

const service = useService();
const list = useList();

Deno.test("'waitlist' exits with its usual code and prints no error when the reader of its output has gone", async (t) => {
  const lines: [line: string, code: number][] = [
    [shellLine(["--help"]), 0],
    [`${shellLine(["bogus"])} 2>&1`, 2],
    [shellLine(["stats", "--sandbox", "--base-url", service.url]), 0],
  ];
  for (const [line, code] of lines) {
    await t.step(line, async () => {
      // The reader is gone before the first byte.
      const { stderr } = await runShell(`{ sleep 0.1; ${line}; echo "code $?" >&2; } | true`);
      assert.equal(stderr, `code ${code}\n`);
    });
  }
});

Deno.test("'stats --watch' ends without an error when the reader of its output closes the pipe", async () => {
  const env = { WAITLIST_BASE_URL: service.url };
  const line = shellLine(["stats", "--sandbox"]);
  const head = await runShell(`${line} | head -1`, { env });
  assert.equal(head.code, 0);
  assert.equal(head.stdout, "Waitlist statistics, sandbox, 2026-01-15 12:00:00 UTC\n");
  assert.equal(head.stderr, "");
});

Deno.test("'signups export' ends without an error when the reader of its output closes the pipe", async () => {
  const line = `{ ${shellLine(["signups", "export", "--base-url", list.url])}; ` +
    `echo "code $?" >&2; } | head -n 2`;
  const { stdout, stderr } = await runShell(line, { env: OPERATOR });
  assert.equal(stdout.split("\r\n").length, 3);
  assert.equal(stderr, "code 0\n");
});

Deno.test("'waitlist' reads lists and backups from pipes", async (t) => {
  await using made = await makeTestFolder();
  const folder = made.path;
  const at = (args: string[], url = list.url) =>
    shellLine([...args, "--base-url", url], filePermissions(args));
  const env = OPERATOR;
  const fifo = `${folder}/fifo`;
  const lines: [line: string, stdout: RegExp][] = [
    [`${at(["backup", "-"])} | ${at(["backup", "verify", "-"])}`, /^standard input is whole: /],
    [
      `mkfifo '${fifo}' && { ${at(["backup", "-"])} | gzip > '${fifo}' & } && ${
        at(["backup", "verify", fifo])
      }`,
      /fifo is whole: the backup of /,
    ],
    [
      `${at(["signups", "export"])} | ${at(["signups", "import", "-", "--format", "csv"])}`,
      /^Imported standard input: 0 new, 0 merged, [\d,]+ unchanged, 0 refused\.\n$/,
    ],
    [
      `{ ${at(["signups", "export"])} > '${fifo}' & } && ${
        at(["signups", "import", fifo, "--format", "csv"])
      }`,
      /fifo: 0 new, 0 merged, [\d,]+ unchanged, 0 refused\.\n$/,
    ],
  ];
  for (const [line, expected] of lines) {
    await t.step(line, async () => {
      const { code, stdout, stderr } = await runShell(line, { env });
      assert.match(stdout, expected, stderr);
      assert.equal(code, 0);
    });
  }
  await using empty = await startCliService(`${folder}/kv.sqlite3`);
  const line = `${at(["backup", "-"])} | ${at(["restore", "-"], empty.url)}`;
  const restored = await runShell(line, { env });
  assert.match(restored.stdout, /^Restored the backup of /, restored.stderr);
});
