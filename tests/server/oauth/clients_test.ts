import assert from "node:assert/strict";
import { base64url } from "jose";
import {
  type Client,
  isSecretOf,
  newClient,
  newSandboxClient,
  newSecret,
  rotateSecret,
} from "../../../server/oauth/clients.ts";
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
Deno.test("newClient() makes a secret of 256 random bits, and stores only the digest of the secret", () => {
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
  assert.ok(isSecretOf(clientSecret, client, START));
});

// `A-Z a-z 0-9 . _ ~ -` only, so that no way of sending them has to encode them.
// Clauses: RFC 8725 §3.7.
Deno.test("newClient() makes ids and secrets that contain only unreserved URL characters, whatever the random bytes are", async (t) => {
  for (const pattern of [[0x00], [0xff], [0xfb, 0xef, 0xbe], [0x7f, 0x3e, 0x80]]) {
    await t.step(`the random bytes are ${JSON.stringify(pattern)}`, () => {
      const random = (length: number) =>
        Uint8Array.from({ length }, (_, index) => pattern[index % pattern.length] ?? 0);
      const { client, clientSecret } = newClient(DESCRIPTION, { now: START, random });
      assert.match(client.clientId, /^[A-Za-z0-9._~-]+$/);
      assert.match(clientSecret, /^[A-Za-z0-9._~-]+$/);
    });
  }
});

Deno.test("newSandboxClient() returns a client whose secret equals its id", () => {
  const client = newSandboxClient("sandbox-public-client", START);
  assert.equal(client.clientId, "sandbox-public-client");
  assert.deepEqual(client.scopes, ["waitlist:stats:read"]);
  assert.ok(isSecretOf("sandbox-public-client", client, START));
  assert.ok(!isSecretOf("", client, START));
});

Deno.test("isSecretOf() is true only for the exact secret", async (t) => {
  const client = clientWith({ secrets: [secretDigest("secret")] });
  assert.ok(isSecretOf("secret", client, START));
  for (
    const wrong of ["", "Secret", "secret ", "secre", "secrets", secretDigest("secret").digest]
  ) {
    await t.step(`the secret is ${JSON.stringify(wrong)}`, () => {
      assert.ok(!isSecretOf(wrong, client, START));
    });
  }
});

Deno.test("isSecretOf() is true for each of two secrets of a client until the secret expires", async (t) => {
  const expiresAt = START + 1_000;
  const secrets = [secretDigest("old", expiresAt), secretDigest("new")];
  for (const client of [clientWith({ secrets }), clientWith({ secrets: secrets.toReversed() })]) {
    await t.step(`the client is ${JSON.stringify(client)}`, () => {
      assert.ok(isSecretOf("old", client, expiresAt - 1));
      assert.ok(isSecretOf("new", client, expiresAt - 1));
      assert.ok(!isSecretOf("old", client, expiresAt));
      assert.ok(isSecretOf("new", client, expiresAt));
      assert.ok(!isSecretOf("oldnew", client, START));
    });
  }
});

Deno.test("isSecretOf() is false when the client is absent, disabled or without secrets", () => {
  const secrets = [secretDigest("secret")];
  assert.ok(isSecretOf("secret", clientWith({ secrets, disabled: false }), START));
  assert.ok(!isSecretOf("secret", clientWith({ secrets, disabled: true }), START));
  assert.ok(!isSecretOf("secret", clientWith({ secrets: [] }), START));
  assert.ok(!isSecretOf("secret", undefined, START));
  assert.ok(!isSecretOf("", undefined, START));
});

/**
 * The overlaps of rotations at {@linkcode START}, and for how long the secrets are valid then, in
 * milliseconds, the newest first.
 */
const ROTATIONS: [overlaps: number[], valid: (number | undefined)[]][] = [
  [[60], [undefined, 60]],
  [[86_400, 60], [undefined, 60, 86_400]],
  [[3_600, 0], [undefined]],
  [[60, 60, 60, 60], [undefined, 60, 60, 60, 60]],
  [[60, 60, 60, 60, 0], [undefined]],
];

Deno.test("rotateSecret() keeps the previous secret until the overlap ends, and removes all old secrets when the overlap is 0", async (t) => {
  for (const [overlaps, valid] of ROTATIONS) {
    await t.step(`the overlaps of the rotations are ${overlaps} ms`, () => {
      let { client } = newClient(DESCRIPTION, { now: START, random: zeros });
      for (const overlapMs of overlaps) {
        client = rotateSecret(client, newSecret(zeros), { overlapMs, now: START })!;
      }
      const left = client.secrets.map(({ expiresAt }) => expiresAt && expiresAt - START);
      assert.deepEqual(left, valid);
    });
  }
});
