/** Where long work shows its progress: on a terminal, and never between rows. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { shellLine } from "./support/process.ts";
import { LIST_LENGTH, useList } from "../../cli/support/list.ts";
import { OPERATOR } from "../../cli/support/service.ts";
import { runLineOnTerminal, runOnTerminal, test } from "./support/terminal.ts";

const list = useList();

/** What takes a line off the terminal, before each state and at the end. */
const CLEAR = "\x1b[K";

const environment = () => ({ ...OPERATOR, WAITLIST_BASE_URL: list.url, NO_COLOR: "1" });

test("'signups export' shows no progress when it writes its rows to the terminal", async (t) => {
  const line = shellLine(["signups", "export"]);
  for (const shell of [line, `${line} | cat`, `${line} | head -n 3`]) {
    await t.step(shell, async () => {
      const { stdout } = await runLineOnTerminal(shell, { env: environment() });
      assert.match(stdout, /^email,createdAt,[^\r\n]+(\r+\n[^\r\n]+@example\.com,[^\r\n]+)+\r+\n$/);
      assert.ok(!stdout.includes(CLEAR));
    });
  }
});

test("Long commands show their progress in a line on the terminal, and clear the line at the end", async (t) => {
  const file = (name: string) => join(list.folder, name);
  const exported = file("redirected.csv");
  const ndjson = file("list.ndjson");
  const backup = file("backup.ndjson");
  await Deno.writeTextFile(ndjson, list.ndjson);
  for (
    const [shell, state, end] of [
      [`${shellLine(["signups", "export"])} > '${exported}'`, /sign-ups?, \d+ %/, ""],
      [["signups", "export", "--output", file("a.csv")], /sign-ups?, \d+ %/, "Exported 6,000 sig"],
      [["signups", "import", ndjson], /5,000 sign-ups, \d+ %/, `Imported ${ndjson}: 0 new, `],
      [["counters", "verify"], /0 records, 0 %/, "Recounted 6,000 records; "],
      [["backup", backup], /\d lines?, \d+ %/, "Backed up 6,000 sign-ups, "],
      [["restore", backup], /Checking .+, \d+ %/, "waitlist: The store is not empty: "],
    ] as [string | string[], RegExp, string][]
  ) {
    await t.step(`${shell}`, async () => {
      const env = environment();
      const { stdout } = typeof shell === "string"
        ? await runLineOnTerminal(shell, { env })
        : await runOnTerminal(shell, { env, columns: 200 });
      const shown = stdout.split(`\r${CLEAR}`);
      assert.equal(shown[0], "");
      assert.match(shown.slice(1, -1).join("\n"), state, stdout);
      assert.ok(shown.at(-1)!.startsWith(end), stdout);
    });
  }
  const rows = (await Deno.readTextFile(exported)).trimEnd().split("\r\n");
  assert.equal(rows.length, LIST_LENGTH + 1);
});
