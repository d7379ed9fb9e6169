import assert from "node:assert/strict";
import { rememberTokens } from "../../../server/oauth/remembered_tokens.ts";
import { START } from "../../support/service.ts";

/** Verifies texts that begin with `valid`, for 900 s, and counts how often it is asked. */
function createTestVerify() {
  const clock = { now: START };
  const asked: string[] = [];
  const retired = new Set<string>();
  const verify = rememberTokens((token) => {
    asked.push(token);
    const verified = { scopes: ["read"], expiresAt: START / 1000 + 900, keyId: "1" };
    const valid = token.startsWith("valid") && clock.now < START + 900_000 && !retired.has("1");
    return Promise.resolve(valid ? verified : undefined);
  }, {
    keys: {
      find: (keyId) => retired.has(keyId) ? undefined : { keyId, secret: new Uint8Array(32) },
    },
    now: () => clock.now,
  });
  return { verify, clock, asked, retired };
}

Deno.test("rememberTokens() verifies a valid token once, and returns the remembered scopes until the token expires", async () => {
  const { verify, clock, asked } = createTestVerify();
  assert.deepEqual((await verify("valid"))?.scopes, ["read"]);
  clock.now = START + 899_999;
  assert.deepEqual((await verify("valid"))?.scopes, ["read"]);
  assert.deepEqual(asked, ["valid"]);
  clock.now = START + 900_000;
  assert.equal(await verify("valid"), undefined);
});

Deno.test("rememberTokens() refuses a remembered token when the key of the token has been removed", async () => {
  const { verify, retired } = createTestVerify();
  assert.ok(await verify("valid"));
  retired.add("1");
  assert.equal(await verify("valid"), undefined);
});

Deno.test("rememberTokens() verifies a token that only resembles a remembered token, and verifies an invalid token at every call", async () => {
  const { verify, asked } = createTestVerify();
  await verify("valid");
  for (const other of ["valid ", "vali", "invalid", "invalid"]) await verify(other);
  assert.deepEqual(asked, ["valid", "valid ", "vali", "invalid", "invalid"]);
});

Deno.test("rememberTokens() forgets the oldest token when it remembers more than 1,000 tokens", async () => {
  const { verify, asked } = createTestVerify();
  for (let n = 0; n <= 1_000; n++) await verify(`valid ${n}`);
  asked.length = 0;
  await verify("valid 1000");
  await verify("valid 1");
  assert.deepEqual(asked, []);
  await verify("valid 0");
  assert.deepEqual(asked, ["valid 0"]);
});
