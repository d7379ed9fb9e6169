/**
 * Access tokens and more than one key. Their claims are in `tests/server/api/token_test.ts`, what
 * verification refuses in `tests/server/api/stats_test.ts`. @module
 */
import assert from "node:assert/strict";
import { decodeProtectedHeader, jwtVerify } from "jose";
import { type AccessTokens, createAccessTokens } from "../../../server/oauth/access_tokens.ts";
import { decideAccess, jwtSigner, rememberTokens } from "../../../server/oauth/access_tokens.ts";
import type { SigningKey } from "../../../server/oauth/key_ring.ts";
import { random } from "../../support/records.ts";
import { START } from "../../support/service.ts";

const GRANT = { clientId: "id", scopes: ["a", "b"] };

function newKey(keyId: string): SigningKey {
  return { keyId, secret: crypto.getRandomValues(new Uint8Array(32)) };
}

/** Tokens that `signing` signs and all `keys` verify. */
function tokensOf(signing: SigningKey, keys: SigningKey[]): AccessTokens {
  return createAccessTokens({
    issuer: "https://waitlist.test",
    audience: "https://waitlist.test/api/v1",
    keys: {
      signing: () => signing,
      find: (keyId) => keys.find((key) => key.keyId === keyId),
    },
    now: () => START,
    random,
  });
}

Deno.test("verify() returns the scopes of a token", async () => {
  const key = newKey("1");
  const tokens = tokensOf(key, [key]);
  assert.deepEqual((await tokens.verify(tokens.issue(GRANT)))?.scopes, ["a", "b"]);
  assert.deepEqual((await tokens.verify(tokens.issue({ ...GRANT, scopes: [] })))?.scopes, []);
});

Deno.test("verify() accepts a token of each known key by its kid, also when another key signs now", async () => {
  const [first, second] = [newKey("1"), newKey("2")];
  const before = tokensOf(first, [first]).issue(GRANT);
  const rotated = tokensOf(second, [first, second]);
  const after = rotated.issue(GRANT);
  assert.equal(decodeProtectedHeader(before).kid, "1");
  assert.equal(decodeProtectedHeader(after).kid, "2");
  assert.deepEqual((await rotated.verify(before))?.scopes, GRANT.scopes);
  assert.deepEqual((await rotated.verify(after))?.scopes, GRANT.scopes);
  assert.equal(await tokensOf(second, [second]).verify(before), undefined);
});

// Clauses: RFC 8725 §3.10.
Deno.test("verify() uses only the key that the kid names", async () => {
  const [one, another] = [newKey("1"), newKey("1")];
  const token = tokensOf(one, [one]).issue(GRANT);
  assert.equal(await tokensOf(another, [another]).verify(token), undefined);
});

Deno.test("jwtSigner() makes tokens with any claims that jose verifies", async () => {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  // Of every length modulo three, in bytes and in characters.
  for (const iss of ["", "a", "ab", "ü", "aü", "💧".repeat(3_000), "https://example.com/{}}"]) {
    const sign = jwtSigner({ keyId: "k1", secret }, { iss, n: { m: {} } });
    for (const claims of [{ a: 0 }, { sub: "ü💧".repeat(500) }, { sub: "a", p: [1, null] }]) {
      const { payload, protectedHeader } = await jwtVerify(sign(claims), secret);
      assert.deepEqual(payload, { iss, n: { m: {} }, ...claims });
      assert.deepEqual(protectedHeader, { alg: "HS256", typ: "at+jwt", kid: "k1" });
    }
  }
});

/** Knows one token, `valid`, and no other. */
const verify = (scopes: string[]) => (token: string) =>
  Promise.resolve(token === "valid" ? { scopes, expiresAt: 0, keyId: "1" } : undefined);

Deno.test("decideAccess() decides by scheme, then token, then scope", async () => {
  for (
    const [authorization, scopes, fault] of [
      [null, ["read"], "unauthorized"],
      ["", ["read"], "unauthorized"],
      ["Basic valid", ["read"], "unauthorized"],
      ["valid", ["read"], "unauthorized"],
      ["Bearervalid", ["read"], "unauthorized"],
      // Of the Bearer scheme, if without a token: the token is what is wrong.
      ["Bearer", ["read"], "invalid_token"],
      ["Bearer ", ["read"], "invalid_token"],
      ["Bearer wrong", ["read"], "invalid_token"],
      ["Bearer valid valid", ["read"], "invalid_token"],
      ["Bearer wrong", [], "invalid_token"],
      ["Bearer valid", [], "insufficient_scope"],
      ["Bearer valid", ["reader", "rea", ""], "insufficient_scope"],
      ["Bearer valid", ["write", "read"], undefined],
      ["bearer   valid", ["read"], undefined],
    ] as const
  ) {
    const decision = await decideAccess(authorization, "read", verify([...scopes]));
    assert.equal(decision, fault, `${authorization} [${scopes}]`);
  }
});

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

Deno.test("rememberTokens() verifies a valid token once until it expires", async () => {
  const { verify, clock, asked } = createTestVerify();
  assert.deepEqual((await verify("valid"))?.scopes, ["read"]);
  clock.now = START + 899_999;
  assert.deepEqual((await verify("valid"))?.scopes, ["read"]);
  assert.deepEqual(asked, ["valid"]);
  clock.now = START + 900_000;
  assert.equal(await verify("valid"), undefined);
});

Deno.test("rememberTokens() refuses a token when its key has expired", async () => {
  const { verify, retired } = createTestVerify();
  assert.ok(await verify("valid"));
  retired.add("1");
  assert.equal(await verify("valid"), undefined);
});

Deno.test("rememberTokens() compares whole tokens, and remembers only valid ones", async () => {
  const { verify, asked } = createTestVerify();
  await verify("valid");
  for (const other of ["valid ", "vali", "invalid", "invalid"]) await verify(other);
  assert.deepEqual(asked, ["valid", "valid ", "vali", "invalid", "invalid"]);
});

Deno.test("rememberTokens() forgets the oldest token when there are too many", async () => {
  const { verify, asked } = createTestVerify();
  for (let n = 0; n <= 1_000; n++) await verify(`valid ${n}`);
  asked.length = 0;
  await verify("valid 1000");
  await verify("valid 1");
  assert.deepEqual(asked, []);
  await verify("valid 0");
  assert.deepEqual(asked, ["valid 0"]);
});
