import assert from "node:assert/strict";
import { jwtVerify } from "jose";
import { createJwtSigner } from "../../../server/oauth/jwt_signer.ts";

Deno.test("createJwtSigner() signs claims of any length and any characters, and the library jose verifies the tokens", async (t) => {
  const secret = crypto.getRandomValues(new Uint8Array(32));
  // Of every length modulo three, in bytes and in characters.
  for (const iss of ["", "a", "ab", "ü", "aü", "💧".repeat(3_000), "https://example.com/{}}"]) {
    await t.step(JSON.stringify(iss.slice(0, 30)), async () => {
      const sign = createJwtSigner({
        key: { keyId: "k1", secret },
        type: "at+jwt",
        fixedClaims: { iss, n: { m: {} } },
      });
      for (const claims of [{ a: 0 }, { sub: "ü💧".repeat(500) }, { sub: "a", p: [1, null] }]) {
        const { payload, protectedHeader } = await jwtVerify(sign(claims), secret);
        assert.deepEqual(payload, { iss, n: { m: {} }, ...claims });
        assert.deepEqual(protectedHeader, { alg: "HS256", typ: "at+jwt", kid: "k1" });
      }
    });
  }
});
