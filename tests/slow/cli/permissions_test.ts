/** What the CLI says where a permission is missing. */
import assert from "node:assert/strict";
import { OPERATOR, useService } from "../../cli/support/service.ts";
import { runShell, shellLine } from "./support/process.ts";

const service = useService();

Deno.test("'waitlist' names the Deno permission that it lacks", async (t) => {
  const status = shellLine(["status"]);
  const table: [line: string, code: number, fault: RegExp][] = [
    [
      status.replace(/'--allow-env=[^']+' '--ignore-env'/, ""),
      2,
      /^waitlist: Deno has stopped this program with the message 'Requires env access to "WAITLIST_BASE_URL", .+'; .+\.\n$/,
    ],
    [
      status.replace("'--allow-net'", ""),
      3,
      /^waitlist: .+: Deno does not permit the program to call this host without --allow-net; .+\.\n$/,
    ],
    [
      shellLine(["validate", "--sandbox", "--document", "openapi.json"]),
      2,
      /^waitlist: Cannot read .+ Deno does not permit this without --allow-read; install this program again with --allow-read\.\n$/,
    ],
    [
      shellLine(["signups", "export", "--output", "list.csv", "--base-url", service.url]),
      1,
      /without --allow-read and --allow-write; install this program again with --allow-read and --allow-write\.\n$/,
    ],
  ];
  for (const [line, expected, fault] of table) {
    await t.step(line, async () => {
      const { code, stderr } = await runShell(line, { env: OPERATOR });
      assert.match(stderr, fault);
      assert.equal(code, expected);
    });
  }
});
