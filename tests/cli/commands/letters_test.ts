import assert from "node:assert/strict";
import { assertRefused, printed } from "../support/cli.ts";
import { runOperator, startCliService } from "../support/service.ts";

Deno.test("letters list says that no letter was sent, and refuses a limit that is too high", async () => {
  await using service = await startCliService();
  const run = (args: string[]) => runOperator(service.url, ["letters", ...args]);
  assert.equal(await printed(run(["list"])), "No letter was sent in the last 90 days.\n");
  assert.deepEqual(JSON.parse((await run(["list", "--json"])).stdout), { letters: [] });
  await assertRefused(run, [[["list", "--limit", "501"], /give a number up to 500/]]);
});
