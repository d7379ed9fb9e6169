import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { signUpSchema } from "../../../server/waitlist/sign_up.ts";
import document from "../../../shared/generated/public.json" with { type: "json" };

const ajv = new Ajv2020({ strict: true, strictRequired: true, allowMatchingProperties: true });
formats.default(ajv);
const schema = document.components.schemas.WaitlistSignup;
const keepsSchema = ajv.compile(schema);

/** Whether zod and the JSON Schema, asked for the same value, both accept it or both refuse it. */
function verdict(body: unknown): boolean {
  const zod = signUpSchema.safeParse(body).success;
  const jsonSchema = keepsSchema(body);
  assert.equal(zod, jsonSchema, `zod: ${zod}, JSON Schema: ${jsonSchema}: ${inspect(body)}`);
  return zod;
}

function inspect(body: unknown): string {
  return JSON.stringify(body)?.slice(0, 300) ?? "undefined";
}

/** Addresses, some of them valid, most of them near to it. */
const address = fc.oneof(
  fc.constantFrom("ada@example.com", "ADA@Example.COM", "a.b+c@d-e.example"),
  fc.emailAddress(),
  fc.stringMatching(new RegExp(schema.properties.email.pattern)),
  fc.stringMatching(/^[a-z.+"' é@-]{0,12}@[a-z0-9.-]{0,12}\.?[a-z0-9]{0,4}$/),
  // Around the limit of 254 characters, with one character in two UTF-16 units at times.
  fc.tuple(fc.integer({ min: 252, max: 256 }), fc.constantFrom("", "😀", "é"))
    .map(([length, odd]) => `${odd}${"a".repeat(length - odd.length - 12)}@example.com`),
);

/** Addresses with one character too many, in any place. */
const spoiled = fc.tuple(address, fc.nat(), fc.constantFrom(" ", "\n", "\0", "\ud800", "@", "."))
  .map(([text, at, character]) => {
    const index = at % (text.length + 1);
    return text.slice(0, index) + character + text.slice(index);
  });

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

/** A field that is not part of a sign-up, also one with a name that objects have by nature. */
const stranger = fc.tuple(
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("__proto__", "constructor", "toString", "Email", "role", "building", ""),
  ),
  fc.jsonValue(),
);

/** Bodies come from JSON, where `__proto__` is a field like any other. */
function fromJson(entries: Iterable<readonly [string, unknown]>): unknown {
  const members = [...entries].map((entry) => entry.map((part) => JSON.stringify(part)).join(":"));
  return JSON.parse(`{${members.join(",")}}`);
}

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
