import assert from "node:assert/strict";
import { base64url } from "jose";
import type { Client } from "../../../server/oauth/clients.ts";
import { holdsSecret, newClient, publicClient } from "../../../server/oauth/clients.ts";
import { START } from "../../support/service.ts";
import { secretDigest } from "../../support/tokens.ts";

const DESCRIPTION = { name: "Test", scopes: ["waitlist:stats:read"] };

function clientWith(part: Partial<Client>): Client {
  return { ...newClient(DESCRIPTION, { now: START, random: zeros }).client, ...part };
}

function zeros(length: number): Uint8Array {
  return new Uint8Array(length);
}

// Clauses: RFC 6749 §2.3.1 brute force.
Deno.test("newClient() makes a secret of 256 bits, and stores only its digest", () => {
  const drawn: Uint8Array[] = [];
  const random = (length: number) => {
    const bytes = crypto.getRandomValues(new Uint8Array(length));
    drawn.push(bytes);
    return bytes;
  };
  const { client, clientSecret } = newClient(DESCRIPTION, { now: START, random });
  const bytes = base64url.decode(clientSecret);
  assert.equal(bytes.byteLength, 32);
  assert.ok(drawn.some((one) => base64url.encode(one) === clientSecret), "all of it is random");
  assert.deepEqual(client, {
    clientId: client.clientId,
    name: "Test",
    scopes: ["waitlist:stats:read"],
    secrets: [secretDigest(clientSecret)],
    createdAt: "2026-11-21T12:00:20.000Z",
  });
  assert.ok(holdsSecret(client, clientSecret, START));
});

// `A-Z a-z 0-9 . _ ~ -` only, so that no way of sending them has to encode them.
// Clauses: RFC 8725 §3.7.
Deno.test("newClient() makes ids and secrets of unreserved characters from any bytes", async (t) => {
  for (const pattern of [[0x00], [0xff], [0xfb, 0xef, 0xbe], [0x7f, 0x3e, 0x80]]) {
    await t.step(JSON.stringify(pattern), () => {
      const random = (length: number) =>
        Uint8Array.from({ length }, (_, index) => pattern[index % pattern.length] ?? 0);
      const { client, clientSecret } = newClient(DESCRIPTION, { now: START, random });
      assert.match(client.clientId, /^[A-Za-z0-9._~-]+$/);
      assert.match(clientSecret, /^[A-Za-z0-9._~-]+$/);
    });
  }
});

Deno.test("publicClient() has its id as its secret", () => {
  const client = publicClient("sandbox-public-client", START);
  assert.equal(client.clientId, "sandbox-public-client");
  assert.deepEqual(client.scopes, ["waitlist:stats:read"]);
  assert.ok(holdsSecret(client, "sandbox-public-client", START));
  assert.ok(!holdsSecret(client, "", START));
});

Deno.test("holdsSecret() is true only for the exact secret", async (t) => {
  const client = clientWith({ secrets: [secretDigest("secret")] });
  assert.ok(holdsSecret(client, "secret", START));
  for (
    const wrong of ["", "Secret", "secret ", "secre", "secrets", secretDigest("secret").digest]
  ) {
    await t.step(wrong, () => {
      assert.ok(!holdsSecret(client, wrong, START));
    });
  }
});

Deno.test("holdsSecret() is true for each of two secrets until the secret expires", async (t) => {
  const expiresAt = START + 1_000;
  const secrets = [secretDigest("old", expiresAt), secretDigest("new")];
  for (const client of [clientWith({ secrets }), clientWith({ secrets: secrets.toReversed() })]) {
    await t.step(JSON.stringify(client), () => {
      assert.ok(holdsSecret(client, "old", expiresAt - 1));
      assert.ok(holdsSecret(client, "new", expiresAt - 1));
      assert.ok(!holdsSecret(client, "old", expiresAt));
      assert.ok(holdsSecret(client, "new", expiresAt));
      assert.ok(!holdsSecret(client, "oldnew", START));
    });
  }
});

Deno.test("holdsSecret() is false when the client is absent, disabled or without a secret", () => {
  const secrets = [secretDigest("secret")];
  assert.ok(holdsSecret(clientWith({ secrets, disabled: false }), "secret", START));
  assert.ok(!holdsSecret(clientWith({ secrets, disabled: true }), "secret", START));
  assert.ok(!holdsSecret(clientWith({ secrets: [] }), "secret", START));
  assert.ok(!holdsSecret(undefined, "secret", START));
  assert.ok(!holdsSecret(undefined, "", START));
});
