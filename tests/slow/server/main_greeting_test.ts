import assert from "node:assert/strict";
import { join } from "node:path";
import { environment, makeTestFolder, PROJECT } from "../../support/process.ts";
import { runLineOnTerminal, test } from "../cli/support/terminal.ts";

const CTRL_C = "\x03";

test("main() prints the service's URLs on a terminal, and stops on Ctrl+C", async () => {
  await using folder = await makeTestFolder();
  const env = environment({
    BASE_URL: "https://waitlist.example.org",
    PORT: "0",
    KV_PATH: join(folder.path, "kv.sqlite3"),
    MAIL_URL: "file:mail",
  });
  const line = `cd '${PROJECT}' && exec '${Deno.execPath()}' task --quiet start`;
  const { code, stdout } = await runLineOnTerminal(line, { env }, ["  Letters  ", CTRL_C]);
  assert.equal(code, 0, stdout);
  const lines = stdout.split("\r\n");
  for (
    const line of [
      "The waitlist runs at https://waitlist.example.org",
      "  Status   https://waitlist.example.org/api/v1/status",
      "  Console  off: set OPERATOR_KEY to turn it on",
      `  Letters  ${folder.path}/mail/`,
    ]
  ) assert.ok(lines.includes(line), stdout);
  assert.match(stdout, /"event":"stopped"/);
});
