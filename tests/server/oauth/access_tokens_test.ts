/**
 * Access tokens and more than one key. Their claims are in `tests/server/api/token_test.ts`, what
 * verification refuses in `tests/server/api/stats_test.ts`. @module
 */
import assert from "node:assert/strict";
import { decodeProtectedHeader } from "jose";
import {
  type AccessTokens,
  createAccessTokens,
  decideAccess,
} from "../../../server/oauth/access_tokens.ts";
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

Deno.test("verify() accepts a token that was signed with any known key, even when another key signs now", async () => {
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
Deno.test("verify() checks a token only with the key that has the kid of the token", async () => {
  const [one, another] = [newKey("1"), newKey("1")];
  const token = tokensOf(one, [one]).issue(GRANT);
  assert.equal(await tokensOf(another, [another]).verify(token), undefined);
});

/** Knows one token, `valid`, and no other. */
const verify = (scopes: string[]) => (token: string) =>
  Promise.resolve(token === "valid" ? { scopes, expiresAt: 0, keyId: "1" } : undefined);

Deno.test("decideAccess() checks the scheme first, then the token, then the scope", async (t) => {
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
    await t.step(
      `Authorization ${JSON.stringify(authorization)} with the scopes [${scopes}] gives ${fault}`,
      async () => {
        const decision = await decideAccess(authorization, "read", verify([...scopes]));
        assert.equal(decision, fault);
      },
    );
  }
});
