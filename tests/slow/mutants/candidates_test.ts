import assert from "node:assert/strict";
import { candidatesOf, type EarlierMutant, findAgain } from "./candidates.ts";

const PATH = "server/limits/limiter.ts";

function earlierMutant(path: string, text: string, fault: string): EarlierMutant {
  return candidatesOf(path, text).find((mutant) => mutant.fault === fault)!;
}

Deno.test("findAgain() finds a mutant again when its statement has moved to another line and has other line breaks", () => {
  const before = earlierMutant(PATH, "function f(a) {\n  return a.size < 2;\n}\n", "< to <=");
  const text = "function g(a) { return a < 2; }\nfunction f(a) {\n  return a.size <\n    2;\n}\n";
  const { found, lost } = findAgain(candidatesOf(PATH, text), [before]);
  assert.deepEqual(found.map(({ line, earlier }) => [line, earlier]), [[3, before.id]]);
  assert.deepEqual(lost, []);
});

Deno.test("findAgain() finds a mutant again in another file of the same folder only if exactly one place fits", () => {
  const text = "export const isFull = (size) => size >= LIMIT;\n";
  const before = earlierMutant(PATH, text, ">= to >");
  const moved = candidatesOf("server/limits/full.ts", text);
  assert.equal(findAgain(moved, [before]).found.length, 1);
  const twice = [...moved, ...candidatesOf("server/limits/again.ts", text)];
  assert.deepEqual(findAgain(twice, [before]).lost, [before]);
  assert.deepEqual(findAgain(candidatesOf("server/http/full.ts", text), [before]).lost, [before]);
});

Deno.test("findAgain() finds a mutant by the text of its line even if a similar statement now stands at the line's old place", () => {
  const text = (lines: string[]) => `function f(a, b) {\n${lines.join("\n")}\n}\n`;
  const [first, second] = ["  if (a) return false;", "  if (b) return false;"];
  const before = earlierMutant(PATH, text([first!, second!]), "false to true");
  const now = candidatesOf(PATH, text([second!, first!]));
  assert.deepEqual(findAgain(now, [before]).found.map(({ code }) => code), [first!.trim()]);
});

Deno.test("findAgain() finds one of two earlier mutants and reports the other mutant as lost when the source has only one of their two statements left", () => {
  const twice = "if (a) stop();\nif (b) stop();\n";
  const before = candidatesOf(PATH, twice).filter(({ fault }) => fault === "no call");
  const { found, lost } = findAgain(candidatesOf(PATH, "if (a) stop();\n"), before);
  assert.deepEqual([before.length, found.length, lost.length], [2, 1, 1]);
});

Deno.test("findAgain() finds a mutant again when names in its statement have changed, unless the function's name has changed too", () => {
  const before = earlierMutant(PATH, "function f(a) {\n  return a.size < 2;\n}\n", "< to <=");
  const now = (name: string) => candidatesOf(PATH, `function ${name}(b) { return b.count < 2; }\n`);
  assert.equal(findAgain(now("f"), [before]).found.length, 1);
  assert.deepEqual(findAgain(now("g"), [before]).lost, [before]);
});
