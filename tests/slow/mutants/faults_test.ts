import assert from "node:assert/strict";
import { mutantsOf, withFault } from "./faults.ts";

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
