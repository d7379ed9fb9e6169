import assert from "node:assert/strict";
import { decideAccess } from "../../../server/oauth/access.ts";

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
