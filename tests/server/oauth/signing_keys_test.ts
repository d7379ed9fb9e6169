import assert from "node:assert/strict";
import { hkdfSync } from "node:crypto";
import { deriveSigningKey, type RootKey } from "../../../server/oauth/signing_keys.ts";

const ROOT: RootKey = { keyId: "1", secret: new Uint8Array(32).fill(7), signsFrom: 0 };

Deno.test("deriveSigningKey() derives 256 bits by HKDF with SHA-256 for an environment", () => {
  for (const environment of ["production", "sandbox"]) {
    // A root key outlives the process, so what is derived from it may never change.
    const info = `waitlist access token ${environment}`;
    const secret = new Uint8Array(hkdfSync("sha256", ROOT.secret, "", info, 32));
    assert.deepEqual(deriveSigningKey(ROOT, environment), { keyId: "1", secret });
  }
});

Deno.test("deriveSigningKey() derives another key when environment or root key differ", () => {
  const other: RootKey = { ...ROOT, secret: new Uint8Array(32).fill(8) };
  const secrets = [
    deriveSigningKey(ROOT, "production"),
    deriveSigningKey(ROOT, "sandbox"),
    deriveSigningKey(other, "production"),
  ].map(({ secret }) => secret.toHex());
  assert.equal(new Set(secrets).size, 3);
});
