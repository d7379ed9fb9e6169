import assert from "node:assert/strict";
import { runCli } from "../support/cli.ts";
import { serveLocally } from "../support/proxy.ts";
import { OPERATOR, useService } from "../support/service.ts";

const service = useService();

Deno.test("keys rotate says from when on the new key signs", async () => {
  const env = { ...OPERATOR, WAITLIST_BASE_URL: service.url };
  const { code, stdout } = await runCli(["keys", "rotate"], { env });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Key 2 signs from 20\S+Z on\. Tokens of the key before it stay valid .+\n$/,
  );
  const soon = await runCli(["keys", "rotate"], { env });
  assert.match(soon.stdout, /^A rotation is already under way\. Key 2 signs from 20\S+Z on\. /);
  // Within the minute it is still the same one.
  const again = await runCli(["keys", "rotate", "--json"], { env });
  assert.equal(JSON.parse(again.stdout).keyId, "2");
  const quiet = await runCli(["keys", "rotate", "--quiet"], { env });
  assert.deepEqual(quiet, { code: 0, stdout: "", stderr: "" });
});

Deno.test("keys rotate and clients rotate show the whole way on when the service does not know the outcome", async () => {
  const message = `${"It may still be made; try again once KV answers. ".repeat(4).slice(0, 199)}.`;
  await using failing = serveLocally(() =>
    Response.json({ error: "internal_error", message }, { status: 500 })
  );
  const env = { ...OPERATOR, WAITLIST_BASE_URL: failing.url };
  for (const args of [["keys", "rotate"], ["clients", "rotate", "kVx2Qd0nRzM4aTfW"]]) {
    const { code, stderr } = await runCli(args, { env });
    assert.equal(code, 1);
    assert.ok(stderr.startsWith(`waitlist: ${message.slice(0, -1)} (500 from `), stderr);
  }
});
