import assert from "node:assert/strict";
import { whyNoProof } from "../../shared/missing_proof.ts";

Deno.test("whyNoProof() says whether a person has not confirmed yet, was imported after a confirmation letter, or never got a confirmation letter", () => {
  const lastLetters = { confirmation: { putAt: "2026-06-01T09:00:00.000Z" } };
  assert.equal(whyNoProof({ state: "unconfirmed", lastLetters }), "notYet");
  assert.equal(whyNoProof({ state: "waiting", lastLetters }), "imported");
  assert.equal(
    whyNoProof({ state: "invited", lastLetters: { link: lastLetters.confirmation } }),
    "notAsked",
  );
  assert.equal(whyNoProof({ state: "waiting" }), "notAsked");
});
