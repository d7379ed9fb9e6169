import assert from "node:assert/strict";
import { mutantsOf, withFault, withMarks } from "./faults.ts";

Deno.test("mutantsOf() changes only code that runs, and no types, imports or comments", () => {
  const text = `import { a } from "./a.ts";
type Size = 1 | 2;
// 1 < 2
export function isSmall(size: Size): boolean {
  if (size < 2) return true;
  note(size);
  return size === 2 && a ? false : !a;
}
`;
  assert.deepEqual(
    mutantsOf("x.ts", text).map((mutant) => {
      const changed = withFault(text, mutant).split("\n")[mutant.line - 1]!.trim();
      return `${mutant.fault}: ${changed}`;
    }),
    [
      "if always: if (true) return true;",
      "if never: if (false) return true;",
      "< to <=: if (size <= 2) return true;",
      "2 plus 1: if (size < (2 + 1)) return true;",
      "true to false: if (size < 2) return false;",
      "no call: ;",
      "always the first of ? and :: return (false);",
      "always the second of ? and :: return (!a);",
      "&& to ||: return size === 2 || a ? false : !a;",
      "=== to !==: return size !== 2 && a ? false : !a;",
      "2 plus 1: return size === (2 + 1) && a ? false : !a;",
      "false to true: return size === 2 && a ? true : !a;",
      "no !: return size === 2 && a ? false : a;",
    ],
  );
});

Deno.test("mutantsOf() returns the statement and the function that contain each changed place", () => {
  const text = `const LIMIT = 30;
function report(size: number) {
  if (
    size > LIMIT
  ) note(size);
  return { 404: "missing" };
}
`;
  assert.deepEqual(
    mutantsOf("x.ts", text).map(({ fault, around, within }) => [fault, around, within]),
    [
      ["30 plus 1", "const LIMIT = ⟦30⟧;", "LIMIT"],
      ["if always", "⟦size > LIMIT⟧", "report"],
      ["if never", "⟦size > LIMIT⟧", "report"],
      ["> to >=", "size ⟦>⟧ LIMIT", "report"],
      ["no call", "⟦note(size);⟧", "report"],
      ["404 plus 1", 'return { ⟦404⟧: "missing" };', "report"],
    ],
  );
});

Deno.test("withFault() changes a number that is a property's name, and the changed module can still be loaded", async () => {
  const text = 'export const texts = { 404: "missing" };';
  const [mutant] = mutantsOf("x.ts", text);
  const { texts } = await import(`data:text/javascript,${withFault(text, mutant!)}`);
  assert.deepEqual(texts, { 405: "missing" });
});

Deno.test("withMarks() makes a module report each place of a mutant when the code at that place runs, and does not change the module's results", async () => {
  const text = `export function isSmall(size) {
  if (size < 2) note(size);
  return size < 3 || size === 7 ? "small" : "large";
}
function note() {}
`;
  const mutants = mutantsOf("x.ts", text);
  const module =
    "data:text/javascript,export const ran = (place) => globalThis.ranPlaces.push(place)";
  const marked = withMarks(text, module, new Map(mutants.map((mutant, place) => [place, mutant])));
  const places: number[] = [];
  Object.assign(globalThis, { ranPlaces: places });
  const { isSmall } = await import(`data:text/javascript,${encodeURIComponent(marked)}`);

  assert.equal(isSmall(2), "small");
  const faults = places.map((place) => mutants[place]!.fault);
  assert.ok(faults.includes("3 plus 1"));
  assert.ok(!faults.includes("no call"), "the call did not run");
  assert.ok(!faults.includes("7 plus 1"), "the second condition did not run");
  assert.equal(isSmall(8), "large");
  assert.equal(marked.split("\n").length, text.split("\n").length, "the lines keep their numbers");
});
