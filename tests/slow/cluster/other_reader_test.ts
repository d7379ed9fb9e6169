import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { type Denokv, startDenokv, test } from "../../support/denokv.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { outputOf } from "../../support/process.ts";
import { issueClient, operate, sendSignUp } from "../../support/process_requests.ts";
import { getAccessToken } from "../../support/service.ts";
import { whileServing } from "../../support/victim.ts";
import { listAll } from "../../support/memory_kv.ts";

/** Every entry of a KV server as `@deno/kv` reads it on Node, as lines of JSON. */
async function readOnNode({ url, variables: env }: Denokv): Promise<string[]> {
  const reader = createRequire(import.meta.url).resolve("@deno/kv");
  const program = new URL("support/read_all.mjs", import.meta.url).pathname;
  return (await outputOf(["node", program, reader, url], { env })).trimEnd().split("\n");
}

test("another client reads on Node everything that the service has written to denokv", async () => {
  await using denokv = await startDenokv();
  await whileServing({ ...denokv.variables, OPERATOR_KEY }, async (service) => {
    await getAccessToken(service, await issueClient(service));
    for (const name of ["ada", "grace"]) {
      const email = `${name}@example.com`;
      const signUp = { email, lang: "de", source: "hero" };
      assert.equal((await sendSignUp(service, signUp)).status, 200);
    }
    assert.equal(
      (await operate(service, "/signups/erase", { email: "ada@example.com" })).status,
      200,
    );
    assert.equal((await operate(service, "/keys/rotate")).status, 200);
    assert.equal((await operate(service, "/counters/verify")).status, 200);
  });

  using store = await denokv.open();
  const entries = await listAll(store.kv, { prefix: [] });
  const lines = entries.map(({ key, value }) => JSON.stringify([key, value]));
  assert.deepEqual(await readOnNode(denokv), lines);
  const kinds = new Set(entries.map(({ key }) => key[0]));
  for (const kind of ["sign_up", "statistics", "erased", "client", "root_key", "limit_counts"]) {
    assert.ok(kinds.has(kind), `there is no entry of ${kind}`);
  }
});
