/**
 * Values that are nearly valid, for tests that hold zod's verdict against the JSON Schema's (architecture, law 5).
 * @module
 */
import fc from "fast-check";
import document from "../../shared/generated/public.json" with { type: "json" };
import { unicodeText } from "./unicode_text.ts";

const { email } = document.components.schemas.WaitlistSignup.properties;

/** Addresses, some of them valid, most of them near to it. */
export const address = fc.oneof(
  fc.constantFrom("ada@example.com", "ADA@Example.COM", "a.b+c@d-e.example"),
  fc.emailAddress(),
  fc.stringMatching(new RegExp(email.pattern)),
  fc.stringMatching(/^[a-z.+"' é@-]{0,12}@[a-z0-9.-]{0,12}\.?[a-z0-9]{0,4}$/),
  // Around the limit of 64 characters before the `@`, with one in two UTF-16 units at times.
  fc.tuple(fc.integer({ min: 62, max: 66 }), fc.constantFrom("", ".", "a.", "😀", "é"))
    .map(([length, odd]) => `a${odd}${"a".repeat(length - odd.length - 1)}@example.com`),
  // Around the limit of 254 characters in all.
  fc.integer({ min: 252, max: 256 }).map((length) => `a@${"b.".repeat(120)}`.padEnd(length, "c")),
);

/** Addresses with one character too many, in any place. */
export const spoiled = fc.tuple(
  address,
  fc.nat(),
  fc.constantFrom(" ", "\n", "\0", "\ud800", "@", "."),
).map(([text, at, character]) => {
  const index = at % (text.length + 1);
  return text.slice(0, index) + character + text.slice(index);
});

/** A field that is not part of a body, also one with a name that objects have by nature. */
export const stranger = fc.tuple(
  fc.oneof(
    unicodeText(),
    fc.constantFrom("__proto__", "constructor", "toString", "Email", "role", "building", ""),
  ),
  fc.jsonValue(),
);

/** Bodies come from JSON, where `__proto__` is a field like any other. */
export function fromJson(entries: Iterable<readonly [string, unknown]>): unknown {
  const members = [...entries].map((entry) => entry.map((part) => JSON.stringify(part)).join(":"));
  return JSON.parse(`{${members.join(",")}}`);
}
