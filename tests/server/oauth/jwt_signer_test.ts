import assert from "node:assert/strict";
import { jwtVerify } from "jose";
import { jwtSigner } from "../../../server/oauth/jwt_signer.ts";

Deno.test("jwtSigner() signs what jose verifies, whatever the claims are", async () => {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  const sign = jwtSigner({ keyId: "k1", secret }, "at+jwt");
  for (const claims of [{}, { sub: "a" }, { sub: "ü💧".repeat(500) }, { sub: "a", n: [1, null] }]) {
    const { payload, protectedHeader } = await jwtVerify(sign(claims), secret);
    assert.deepEqual(payload, claims);
    assert.deepEqual(protectedHeader, { alg: "HS256", typ: "at+jwt", kid: "k1" });
  }
});
