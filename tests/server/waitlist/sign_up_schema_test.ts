import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { signUpSchema, validateSignUp } from "../../../server/waitlist/sign_up.ts";
import { address, fromJson, spoiled, stranger } from "../../support/nearly_valid.ts";
import document from "../../../shared/generated/public.json" with { type: "json" };

const ajv = new Ajv2020({ strict: true, strictRequired: true, allowMatchingProperties: true });
formats.default(ajv);
ajv.addVocabulary(["components"]);
ajv.addSchema({ components: document.components }, "openapi");
const keepsSchema = ajv.compile({ $ref: "openapi#/components/schemas/WaitlistSignup" });

/**
 * Whether zod and the JSON Schema, asked for the same value, both accept it or both refuse it; and the
 * service too, but that it accepts a filled honeypot whatever else the body holds.
 */
function verdict(body: unknown): boolean {
  const zod = signUpSchema.safeParse(body).success;
  const jsonSchema = keepsSchema(body);
  assert.equal(zod, jsonSchema, `zod: ${zod}, JSON Schema: ${jsonSchema}: ${inspect(body)}`);
  const judged = validateSignUp(body).verdict;
  if (judged !== "honeypot") assert.equal(judged === "sign_up", jsonSchema, inspect(body));
  return zod;
}

function inspect(body: unknown): string {
  return JSON.stringify(body)?.slice(0, 300) ?? "undefined";
}

/** Each field with a value that it may have, or nearly so. */
const fields = {
  email: fc.oneof({ arbitrary: address, weight: 4 }, spoiled, fc.jsonValue()),
  consent: fc.oneof({ arbitrary: fc.constant(true), weight: 8 }, fc.constantFrom(false, "true", 1)),
  source: fc.constantFrom("hero", "cta", "hero", "cta", "", "HERO", null),
  lang: fc.constantFrom("en", "de", "en", "de", "", "fr", 1),
  website: fc.constantFrom("", "", "", "x", " ", null, 0),
};
const nearly = fc.oneof(
  fc.record(fields, { requiredKeys: ["email", "consent"] }),
  fc.record(fields, { requiredKeys: [] }),
);

const nearlyValid = nearly.map((body) => fromJson(Object.entries(body)));
const withStranger = fc.tuple(nearly, stranger)
  .map(([body, field]) => fromJson([...Object.entries(body), field]));
const wild = fc.oneof(
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text)),
  fc.array(stranger, { maxLength: 4 }).map(fromJson),
);

// Architecture, law 5: zod's verdict is the JSON Schema's on generated bodies.
Deno.test("signUpSchema decides like the OpenAPI document on bodies that are nearly valid", () => {
  let accepted = 0;
  let refused = 0;
  fc.assert(
    fc.property(nearlyValid, (body) => void (verdict(body) ? accepted++ : refused++)),
    { numRuns: 3000 },
  );
  // Without both kinds, the property would show little.
  assert.ok(accepted > 100 && refused > 100, `${accepted} accepted, ${refused} refused`);
});

Deno.test("signUpSchema decides like the OpenAPI document on bodies with an unknown field", () => {
  fc.assert(fc.property(withStranger, (body) => void verdict(body)), { numRuns: 1500 });
});

Deno.test("signUpSchema decides like the OpenAPI document on any JSON", () => {
  fc.assert(fc.property(wild, (body) => void verdict(body)), { numRuns: 1500 });
});
