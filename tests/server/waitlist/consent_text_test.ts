import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { consentTextId } from "../../../server/waitlist/consent_text.ts";

Deno.test("consentTextId() returns a hash of the language and the wording together", () => {
  const wording = { lang: "de", text: "Ich bin einverstanden." } as const;
  const hash = createHash("sha256").update("de\nIch bin einverstanden.").digest("base64url");
  assert.equal(consentTextId(wording), hash);
  assert.notEqual(consentTextId({ ...wording, lang: "en" }), hash);
  assert.notEqual(consentTextId({ ...wording, text: "Ich bin einverstanden" }), hash);
});
