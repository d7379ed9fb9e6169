import assert from "node:assert/strict";
import { groupRefusals } from "../../../shared/import_file/refusal_groups.ts";

/** The group of rows whose role has each of some values, the first of them on line 1. */
const groupOfRoles = (...values: string[]) =>
  groupRefusals(values.map((value, index) => ({
    line: index + 1,
    reason: `The field role is ${value}; it must be a short name.`,
  })));

Deno.test("groupRefusals() gives each reason once with its lines, in the order of the first lines", () => {
  const noAddress = "The e-mail address is missing or not valid.";
  const noQuote =
    "A quotation mark opens on this line and never closes; add the closing quotation mark.";
  const refusals = [[2, noAddress], [3, noQuote], [5, noAddress]] as const;
  assert.deepEqual(groupRefusals(refusals.map(([line, reason]) => ({ line, reason }))), [
    { reason: noAddress, lines: [2, 5] },
    { reason: noQuote, lines: [3] },
  ]);
  assert.deepEqual(groupRefusals([]), []);
});

Deno.test("groupRefusals() groups reasons that differ only by the wrong value, and names the values", () => {
  const reasonWith = (values: string) => `The field role is ${values}; it must be a short name.`;
  assert.deepEqual(groupOfRoles("'A b'"), [
    { reason: reasonWith("'A b'"), field: "role", lines: [1] },
  ]);
  assert.deepEqual(groupOfRoles("'A b'", "'it's'", "'A b'"), [
    { reason: reasonWith("'A b' or 'it's'"), field: "role", lines: [1, 2, 3] },
  ]);
  assert.deepEqual(groupOfRoles("'A'", "7", "(not shown, as it may be an address)", "'D'"), [
    {
      reason: reasonWith("'A', 7, (not shown, as it may be an address) or 'D'"),
      field: "role",
      lines: [1, 2, 3, 4],
    },
  ]);
  assert.deepEqual(
    groupOfRoles("'A'", "'B'", "'C'", "'D'", "'E'")[0]?.reason,
    reasonWith("'A', 'B', 'C' or 2 other values"),
  );
});

Deno.test("groupRefusals() keeps reasons about different fields and different faults apart", () => {
  const reasons = [
    "The field role is 'A'; it must be a short name.",
    "The field building is 'A'; it must be a short name.",
    "The field consentedAt is 'A', which is in the future.",
    "The field consentedAt is 'A', which is before 1970.",
    "The field 'phone' is not known; the known ones are email and role.",
    "The field 'fax' is not known; the known ones are email and role.",
  ];
  const groups = groupRefusals(reasons.map((reason, line) => ({ line, reason })));
  assert.deepEqual(
    groups.map(({ reason, lines }) => ({ reason, lines })),
    reasons.map((reason, line) => ({ reason, lines: [line] })),
  );
  assert.deepEqual(
    groups.map(({ field }) => field),
    ["role", "building", "consentedAt", "consentedAt", undefined, undefined],
  );
});
