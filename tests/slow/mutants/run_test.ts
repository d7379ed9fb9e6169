import assert from "node:assert/strict";
import { choose, readRun } from "./run.ts";
import { BEFORE_ALL } from "./watch.ts";

const begun = (number: number, title: string) => ({ number, file: "a_test.ts", title });
const ended = (number: number, passed: boolean) => ({ number, passed, milliseconds: 3 });
const lines = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

Deno.test("readRun() names the first test that failed", () => {
  const report = lines(begun(1, "one"), ended(1, true), begun(2, "two"), ended(2, false));
  const run = readRun(report, { success: false, code: 1, output: "error: Error: 2 !== 3\n" });
  assert.deepEqual(run.failed, { file: "a_test.ts", title: "two" });
  assert.equal(run.reason, "Error: 2 !== 3");
  assert.deepEqual(run.ended.map(({ title, passed }) => [title, passed]), [
    ["one", true],
    ["two", false],
  ]);
});

Deno.test("readRun() names the test that ran when the process was stopped", () => {
  const report = `${lines(begun(1, "one"), ended(1, true), begun(2, "two"))}{"number":2,"pas`;
  const run = readRun(report, { success: false, code: 137, output: "" });
  assert.deepEqual(run.failed, { file: "a_test.ts", title: "two" });
  assert.equal(run.reason, "stopped by signal 9");
});

Deno.test("readRun() names no test when the process broke while it loaded modules", () => {
  const output = "error: Uncaught SyntaxError: Unexpected token\nerror: Test failed\n";
  const run = readRun("", { success: false, code: 1, output });
  assert.equal(run.failed, undefined);
  assert.equal(run.reason, "Uncaught SyntaxError: Unexpected token");
});

Deno.test("choose() takes all tests of a file when the file's hook is named in place of a test", () => {
  const tests = [
    { file: "a_test.ts", title: "one" },
    { file: "a_test.ts", title: "two" },
    { file: "b_test.ts", title: BEFORE_ALL },
  ];
  assert.deepEqual([...choose(tests)], [["a_test.ts", ["one", "two"]], ["b_test.ts", undefined]]);
});
