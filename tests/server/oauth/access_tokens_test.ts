/**
 * Access tokens and more than one key. Their claims are in `tests/server/api/token_test.ts`, what
 * verification refuses in `stats_forged_token_test.ts` beside it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { decodeProtectedHeader } from "jose";
import { type AccessTokens, createAccessTokens } from "../../../server/oauth/access_tokens.ts";
import { deriveSigningKey, type SigningKey } from "../../../server/oauth/signing_keys.ts";
import { START } from "../../support/service.ts";

const GRANT = { clientId: "id", scopes: ["a", "b"] };

function newKey(keyId: string): SigningKey {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  return deriveSigningKey({ keyId, secret, signsFrom: 0 }, "production");
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
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  });
}

Deno.test("verify() gives the scopes of a token when it was issued with them", async () => {
  const key = newKey("1");
  const tokens = tokensOf(key, [key]);
  assert.deepEqual((await tokens.verify(tokens.issue(GRANT)))?.scopes, ["a", "b"]);
  assert.deepEqual((await tokens.verify(tokens.issue({ ...GRANT, scopes: [] })))?.scopes, []);
});

Deno.test("verify() takes a token of each key it has, by the kid, when another one signs", async () => {
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

Deno.test("verify() takes no other key for the one that a kid names", async () => {
  const [one, another] = [newKey("1"), newKey("1")];
  const token = tokensOf(one, [one]).issue(GRANT);
  assert.equal(await tokensOf(another, [another]).verify(token), undefined);
});
