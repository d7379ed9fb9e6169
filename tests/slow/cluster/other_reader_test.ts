import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { DENOKV, Denokv, DENOKV_ACCESS_TOKEN } from "../../support/denokv.ts";
import { openKv } from "../../../server/store/kv/open.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { issueClient } from "../../support/process_requests.ts";
import { getAccessToken, json } from "../../support/service.ts";
import { whileServing } from "../../support/victim.ts";

/** Every entry of a KV server as `@deno/kv` reads it on Node, as lines of JSON. */
async function readOnNode(url: string): Promise<string[]> {
  const reader = createRequire(import.meta.url).resolve("@deno/kv");
  const { code, stdout, stderr } = await new Deno.Command("node", {
    args: [new URL("support/read_all.mjs", import.meta.url).pathname, reader, url],
    env: { DENO_KV_ACCESS_TOKEN: DENOKV_ACCESS_TOKEN },
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trimEnd().split("\n");
}

/** Whether bytes are inside a value, where only the client that wrote them can read them. */
function holdsBytes(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((part) => part instanceof Uint8Array || holdsBytes(part));
}

// deno-kv: bytes inside a value, written by one client, could not be read by the other.
Deno.test("another client reads on Node everything that the service has written to denokv", {
  ignore: DENOKV === undefined,
}, async () => {
  await using denokv = await Denokv.start();
  const variables = {
    KV_URL: denokv.url,
    DENO_KV_ACCESS_TOKEN: DENOKV_ACCESS_TOKEN,
    OPERATOR_KEY,
  };
  await whileServing(variables, async (service) => {
    const operate = (path: string, body: unknown = {}) =>
      service.request(`/operator/v1${path}`, {
        ...json(body),
        headers: {
          "Authorization": `Bearer ${OPERATOR_KEY}`,
          "Content-Type": "application/json",
        },
      });
    await getAccessToken(service, await issueClient(service));
    for (const name of ["ada", "grace"]) {
      const email = `${name}@example.com`;
      const signUp = json({ email, consent: true, lang: "de", source: "hero" });
      assert.equal((await service.request("/api/v1/waitlist", signUp)).status, 200);
    }
    assert.equal((await operate("/signups/erase", { email: "ada@example.com" })).status, 200);
    assert.equal((await operate("/keys/rotate")).status, 200);
    assert.equal((await operate("/counters/verify")).status, 200);
  });

  using store = await openKv({
    kind: "connect",
    url: denokv.url,
    accessToken: DENOKV_ACCESS_TOKEN,
  });
  const entries = await Array.fromAsync(store.kv.list({ prefix: [] }));
  const lines = entries.map(({ key, value }) =>
    JSON.stringify([key, value], (_name, part) => typeof part === "bigint" ? `${part}n` : part)
  );
  assert.deepEqual(await readOnNode(denokv.url), lines);
  const kinds = new Set(entries.map(({ key }) => key[0]));
  for (const kind of ["sign_up", "statistics", "erased", "client", "root_key", "limit_counts"]) {
    assert.ok(kinds.has(kind), `there is no entry of ${kind}`);
  }
  assert.deepEqual(entries.filter(({ value }) => holdsBytes(value)).map(({ key }) => key), []);
});
