import assert from "node:assert/strict";
import { serveLocally } from "../../cli/support/proxy.ts";
import { OPERATOR } from "../../cli/support/service.ts";
import { startCli } from "./support/process.ts";

Deno.test("'counters verify' exits with code 130 and says how to continue when it gets SIGINT", async () => {
  const called = Promise.withResolvers<void>();
  await using silent = serveLocally(({ signal }) => {
    called.resolve();
    return new Promise((resolve) =>
      signal.addEventListener("abort", () => resolve(new Response()))
    );
  });
  const env = { ...OPERATOR, WAITLIST_BASE_URL: silent.url };
  await using cli = startCli(["counters", "verify"], { env });
  await called.promise;
  const { code, stderr } = await cli.end("SIGINT");
  assert.equal(code, 130);
  assert.equal(
    stderr,
    "waitlist: Interrupted; to go on, run the same command again; it counts anew.\n",
  );
});
