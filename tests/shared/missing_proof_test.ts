import assert from "node:assert/strict";
import { whyNoProof } from "../../shared/missing_proof.ts";

Deno.test("whyNoProof() says whether a person has not confirmed yet, was imported with or without a confirmation letter, or never got a confirmation letter", () => {
  const lastLetters = { confirmation: { putAt: "2026-06-01T09:00:00.000Z" } };
  assert.equal(whyNoProof({ state: "unconfirmed", lastLetters }), "notYet");
  assert.equal(whyNoProof({ state: "waiting", lastLetters }), "imported");
  assert.equal(
    whyNoProof({ state: "invited", lastLetters: { link: lastLetters.confirmation } }),
    "notAsked",
  );
  assert.equal(whyNoProof({ state: "waiting" }), "notAsked");

  const imported = { at: "2026-06-02T09:00:00.000Z", consentedAt: "2024-06-01T09:00:00.000Z" };
  assert.equal(whyNoProof({ state: "unconfirmed", imported }), "notYet");
  assert.equal(whyNoProof({ state: "waiting", imported }), "importedUnasked");
  assert.equal(whyNoProof({ state: "waiting", imported, lastLetters }), "imported");
  // The import changed another answer of a person who had signed up by a form.
  assert.equal(whyNoProof({ state: "waiting", imported: { at: imported.at } }), "notAsked");
});
