import assert from "node:assert/strict";
import { createHmac, hkdfSync } from "node:crypto";
import { deriveSigningKey, type RootKey } from "../../../server/oauth/signing_keys.ts";

const ROOT: RootKey = { keyId: "1", secret: new Uint8Array(32).fill(7), signsFrom: 0 };
const TEXT = new TextEncoder().encode("text");

async function sign({ key }: { key: CryptoKey }): Promise<string> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, TEXT)).toHex();
}

Deno.test("deriveSigningKey() derives by HKDF with SHA-256 a key for HMAC with SHA-256", async () => {
  for (const environment of ["production", "sandbox"]) {
    const derived = await deriveSigningKey(ROOT, environment);
    assert.equal(derived.keyId, "1");
    // A root key outlives the process, so what is derived from it may never change.
    const info = `waitlist access token ${environment}`;
    const bytes = new Uint8Array(hkdfSync("sha256", ROOT.secret, "", info, 32));
    assert.equal(await sign(derived), createHmac("sha256", bytes).update(TEXT).digest("hex"));
  }
});

Deno.test("deriveSigningKey() derives another key when environment or root key differ", async () => {
  const other: RootKey = { ...ROOT, secret: new Uint8Array(32).fill(8) };
  const signatures = await Promise.all([
    deriveSigningKey(ROOT, "production").then(sign),
    deriveSigningKey(ROOT, "sandbox").then(sign),
    deriveSigningKey(other, "production").then(sign),
  ]);
  assert.equal(new Set(signatures).size, 3);
});

Deno.test("deriveSigningKey() derives a key that nothing can read when it is asked for", async () => {
  const { key } = await deriveSigningKey(ROOT, "production");
  await assert.rejects(crypto.subtle.exportKey("raw", key));
});
