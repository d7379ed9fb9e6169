/** What the fields of the operator's bodies may hold or nearly so. @module */
import fc from "fast-check";
import publicDocument from "../../shared/generated/public.json" with { type: "json" };
import { address, spoiled } from "./nearly_valid.ts";

const { pattern } = publicDocument.components.schemas.WaitlistSignup.properties.email;
/** Its domain; a record's address may have more before the `@` than a sign-up's. */
const domain = pattern.slice(pattern.indexOf("@"));

export const email = fc.oneof({ arbitrary: address, weight: 4 }, spoiled, fc.jsonValue());

export const dateTime = fc.oneof(
  { arbitrary: fc.constant("2026-05-01T09:30:00Z"), weight: 12 },
  fc.date({ min: new Date("1900-01-01"), max: new Date("2026-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom("2026-05-01", "2026-05-01T09:30:00+02:00", "2024-02-29T00:00:00.1Z"),
  fc.constantFrom("2026-02-30T00:00:00Z", "2026-05-01T24:00:00Z", "2026-05-01T09:30:00", "now"),
  fc.constantFrom<unknown>("", null, 0),
);

export const answer = (...values: string[]) =>
  fc.oneof(
    { arbitrary: fc.constantFrom<unknown>(...values, "", null), weight: 12 },
    fc.constantFrom<unknown>("", null, "X", "__proto__", 1),
  );

/** Rarely takes a bad value, as a body of many fields would have one nearly always. */
export const mostly = (good: unknown[], bad: unknown[]) =>
  fc.oneof({ arbitrary: fc.constantFrom(...good), weight: 8 }, fc.constantFrom(...bad));

export const count = fc.constantFrom<unknown>(0, 1, 2, 7, 1_000_000, -1, 0.5, 1e400, "1", null);

export const slug = fc.oneof(
  { arbitrary: answer("engineer", "0_-", "a".repeat(40)), weight: 12 },
  fc.constantFrom("a".repeat(41), "-a", "a\n"),
);

export const ofAddress = {
  schema: "Address",
  fields: { email },
  inWords: { email: { type: "string", pattern: domain } },
} as const;

/** A moment ahead of the clock of tests, or what is no date-time. */
export const ahead = fc.oneof(
  { arbitrary: fc.constantFrom("2027-01-31T23:00:00Z", "2999-05-01T09:30:00.5+02:00"), weight: 8 },
  fc.constantFrom<unknown>("2027-01-31", "2027-02-30T00:00:00Z", "soon", "", 1, null),
);

export const ofCode = {
  fields: {
    code: fc.oneof(
      { arbitrary: fc.constantFrom("c".repeat(20), "c".repeat(100)), weight: 8 },
      fc.constantFrom<unknown>("", "c".repeat(101), 1, null),
    ),
    email,
  },
  inWords: { email: { type: "string", pattern: domain } },
};
