import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { consentTextId } from "../../../server/waitlist/record.ts";

Deno.test("consentTextId() is a hash of language and wording, each of which makes another id", () => {
  const wording = { lang: "de", text: "Ich bin einverstanden." } as const;
  const hash = createHash("sha256").update("de\nIch bin einverstanden.").digest("base64url");
  assert.equal(consentTextId(wording), hash);
  assert.notEqual(consentTextId({ ...wording, lang: "en" }), hash);
  assert.notEqual(consentTextId({ ...wording, text: "Ich bin einverstanden" }), hash);
});
