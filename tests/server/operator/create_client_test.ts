import assert from "node:assert/strict";
import { issueClient } from "../../../server/operator/create_client.ts";
import { START } from "../../support/service.ts";
import { secretDigest } from "../../support/tokens.ts";

const SCOPE = "waitlist:stats:read";

function contextOf(kv: Deno.Kv) {
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  return { kv, now: START, random };
}

Deno.test("issueClient() stores the client, with the digest of the secret alone, when it is issued", async () => {
  using kv = await Deno.openKv(":memory:");
  const issued = await issueClient({ name: "Dashboard", scopes: [SCOPE] }, contextOf(kv));
  const { client: { clientId }, clientSecret } = issued;
  const entries = await Array.fromAsync(kv.list({ prefix: [] }));
  assert.deepEqual(entries.map(({ key, value }) => ({ key, value })), [{
    key: ["client", clientId],
    value: {
      clientId,
      name: "Dashboard",
      scopes: [SCOPE],
      secrets: [secretDigest(clientSecret)],
      createdAt: "2026-11-21T12:00:20.000Z",
    },
  }]);
  assert.deepEqual(issued.client, entries[0]?.value);
  assert.ok(!Deno.inspect(entries, { depth: 10 }).includes(clientSecret));
});

Deno.test("issueClient() gives every client an id and a secret of its own when asked again", async () => {
  using kv = await Deno.openKv(":memory:");
  const seen = new Set<string>();
  for (let count = 0; count < 50; count++) {
    const issued = await issueClient({ name: "Same", scopes: [] }, contextOf(kv));
    seen.add(issued.client.clientId).add(issued.clientSecret);
  }
  assert.equal(seen.size, 100);
});

Deno.test("issueClient() grants each scope once when it is named twice, and none when none is", async () => {
  using kv = await Deno.openKv(":memory:");
  for (const [scopes, granted] of [[[SCOPE, SCOPE], [SCOPE]], [[], []]] as const) {
    const { client } = await issueClient({ name: "Test", scopes: [...scopes] }, contextOf(kv));
    assert.deepEqual(client.scopes, granted);
  }
});

Deno.test("issueClient() stores nothing when a name or scope is none that a client can have", async () => {
  using kv = await Deno.openKv(":memory:");
  for (
    const [name, scopes, message] of [
      ["", [], /The name has 0 characters/],
      ["   ", [], /name/],
      ["x".repeat(101), [], /101/],
      ["Test", ["unknown"], /'unknown'.*waitlist:stats:read/],
      ["Test", [SCOPE, SCOPE.toUpperCase()], /WAITLIST:STATS:READ/],
      ["Test", [`${SCOPE} ${SCOPE}`], /scope/],
      ["Test", [""], /scope ''/],
    ] as const
  ) {
    const issuing = issueClient({ name, scopes: [...scopes] }, contextOf(kv));
    await assert.rejects(issuing, { name: "RangeError", message });
  }
  assert.deepEqual(await Array.fromAsync(kv.list({ prefix: [] })), []);
  await issueClient({ name: "x".repeat(100), scopes: [] }, contextOf(kv));
});
