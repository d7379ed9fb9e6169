import assert from "node:assert/strict";
import { addRun, type Reach } from "./reach.ts";
import { BEFORE_ALL } from "./watch.ts";

const MUTANTS = ["in a test", "in a hook", "outside a test", "nowhere"].map((id) => ({ id }));

Deno.test("addRun() records for each mutant the tests that depend on its code, whether this code runs in a test, in a hook or outside of tests", () => {
  const reach: Reach = {
    tests: [{ file: "0_test.ts", title: "earlier", milliseconds: 1 }],
    byMutant: Object.fromEntries(MUTANTS.map(({ id }) => [id, []])),
  };
  const ended = [["a_test.ts", BEFORE_ALL], ["a_test.ts", "one"], ["a_test.ts", "two"], [
    "b_test.ts",
    "three",
  ]].map(([file = "", title = ""], index) => ({
    file,
    title,
    number: index + 1,
    passed: true,
    milliseconds: 5,
  }));
  addRun(reach, MUTANTS, ended, "3 0\n4 0\n1 1\n0 2\n4 2\n");
  assert.deepEqual(reach.tests.map(({ title }) => title), ["earlier", "one", "two", "three"]);
  assert.deepEqual(reach.byMutant, {
    "in a test": [2, 3],
    "in a hook": [1, 2],
    "outside a test": [1, 2, 3],
    "nowhere": [],
  });
});
