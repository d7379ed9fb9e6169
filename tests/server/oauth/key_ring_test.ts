import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { hkdfSync, randomBytes } from "node:crypto";
import { ANNOUNCE_MS, deriveSigningKey, KeyRing } from "../../../server/oauth/key_ring.ts";
import { keyTermsOf, type RootKey } from "../../../server/oauth/key_ring.ts";
import { START } from "../../support/service.ts";

/** The last moment of the last token that the first key can have signed, and the next moment. */
const RETIRED = START + 60_000 + 900_000;

function rootKey(keyId: string, signsFrom: number): RootKey {
  return { keyId, secret: randomBytes(32).toString("base64url"), signsFrom };
}

const FIRST = rootKey("1", 0);
const SECOND = rootKey("2", START);

function createTestRing(roots: RootKey[]) {
  const clock = { now: START };
  const ring = new KeyRing(roots, { now: () => clock.now });
  return { ring, clock, keys: ring.keysOf("production") };
}

Deno.test("keyTermsOf() lets a root key verify tokens until the last token that this root key signed has expired", () => {
  const third = rootKey("3", START + 5_000);
  assert.deepEqual(keyTermsOf([SECOND, third, FIRST]), [
    { root: FIRST, verifiesUntil: RETIRED },
    { root: SECOND, verifiesUntil: RETIRED + 5_000 },
    { root: third, verifiesUntil: Infinity },
  ]);
});

Deno.test("KeyRing.keysOf() signs with the newest root key whose signsFrom is not in the future", async (t) => {
  for (const roots of [[FIRST, SECOND], [SECOND, FIRST]]) {
    await t.step(`the root keys come in the order ${roots.map(({ keyId }) => keyId)}`, () => {
      const { keys, clock } = createTestRing(roots);
      for (const [now, keyId] of [[START - 1, "1"], [START, "2"], [START + 1e9, "2"]] as const) {
        clock.now = now;
        assert.equal(keys.signing().keyId, keyId, `${now - START}`);
      }
    });
  }
});

Deno.test("KeyRing.keysOf() signs with the oldest root key when the signsFrom of every key is in the future", () => {
  const { keys, clock } = createTestRing([rootKey("3", START + 1), SECOND]);
  clock.now = START - 1;
  assert.equal(keys.signing().keyId, "2");
});

Deno.test("KeyRing.keysOf().find() returns a new key before this key signs tokens, and an old key until all tokens of the old key have expired", async (t) => {
  const { keys, clock } = createTestRing([FIRST, SECOND]);
  for (
    const [now, found] of [
      [START - ANNOUNCE_MS, ["1", "2"]],
      [START, ["1", "2"]],
      [RETIRED - 1, ["1", "2"]],
      [RETIRED, ["2"]],
    ] as const
  ) {
    await t.step(`${now - START} ms after the second key began to sign`, () => {
      clock.now = now;
      const ids = ["0", "1", "2", "", "__proto__"].filter((keyId) => keys.find(keyId));
      assert.deepEqual(ids, found);
    });
  }
});

Deno.test("KeyRing.keysOf() derives two different signing keys from one root key, for production and for the sandbox", () => {
  const { ring, keys } = createTestRing([FIRST]);
  assert.deepEqual(keys.signing(), deriveSigningKey(FIRST, "production"));
  assert.equal(keys.find("1"), keys.signing());
  assert.deepEqual(ring.keysOf("sandbox").find("1"), deriveSigningKey(FIRST, "sandbox"));
});

// A rotation that was given up, and went through when KV answered again.
Deno.test("KeyRing.replace() keeps the old key for another 960 s when the process learns late of the new key", async (t) => {
  const { ring, keys, clock } = createTestRing([FIRST]);
  const learnedAt = RETIRED + 10_000;
  clock.now = learnedAt;
  assert.equal(keys.signing().keyId, "1");
  for (const later of [0, 15_000, 900_000]) {
    await t.step(`${later} ms after the process learned of the new key`, () => {
      clock.now = learnedAt + later;
      ring.replace([FIRST, SECOND]);
      assert.equal(keys.signing().keyId, "2");
      assert.ok(keys.find("1"));
    });
  }
  clock.now = learnedAt + 960_000;
  assert.equal(keys.find("1"), undefined);
});

Deno.test("KeyRing.replace() removes the old key on time even when a fast clock is set back", () => {
  const { ring, keys, clock } = createTestRing([FIRST]);
  clock.now = START + 1e9;
  ring.replace([FIRST, SECOND]);
  clock.now = START + 1;
  ring.replace([FIRST, SECOND]);
  clock.now = RETIRED + 1;
  assert.equal(keys.find("1"), undefined);
});

Deno.test("KeyRing.replace() throws an error for an empty list of root keys, and keeps the present keys", () => {
  const { ring, keys } = createTestRing([FIRST]);
  assert.throws(() => ring.replace([]), /no root key/);
  assert.equal(keys.signing().keyId, "1");
});

const ROOT: RootKey = {
  keyId: "1",
  secret: Buffer.alloc(32, 7).toString("base64url"),
  signsFrom: 0,
};

// Clauses: RFC 8725 §3.5.
Deno.test("deriveSigningKey() derives a 256-bit key for an environment by HKDF with SHA-256", async (t) => {
  for (const environment of ["production", "sandbox"]) {
    await t.step(`the environment is ${environment}`, () => {
      // A root key outlives the process, so what is derived from it may never change.
      const info = `waitlist access token ${environment}`;
      const secret = new Uint8Array(hkdfSync("sha256", Buffer.alloc(32, 7), "", info, 32));
      assert.deepEqual(deriveSigningKey(ROOT, environment), { keyId: "1", secret });
    });
  }
});
