import assert from "node:assert/strict";
import { readSources } from "./support/project_files.ts";

/** The names that a line exports: a declaration of constants can have several, as `A = 1, B = 2` does. */
function exportedNames(line: string): string[] {
  const exported = /^export (?:async )?(?:function\*?|class|interface|type|const) (\w.*)/;
  let declared = exported.exec(line)?.[1] ?? "";
  // Parameters, members and elements are no names of their own.
  const inner = /"[^"]*"|\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}|<[^<>]*>/g;
  for (let before = ""; before !== declared;) {
    before = declared;
    declared = declared.replace(inner, "");
  }
  const names = declared.matchAll(/^(\w+)|, (\w+)(?:: [^=,]+)? = /g);
  return Array.from(names, ([, first, further]) => first ?? further ?? "");
}

Deno.test("No two modules export different things under the same name", async () => {
  const places = new Map<string, string[]>();
  for (const { path, lines } of await readSources(["server", "shared", "cli"])) {
    // openapi-typescript gives the parts of each document the same names.
    if (path.startsWith("shared/generated/")) continue;
    for (const { at, text } of lines) {
      for (const name of exportedNames(text)) places.set(name, [...places.get(name) ?? [], at]);
    }
  }
  const twice = [...places].filter(([, at]) => at.length > 1);
  assert.deepEqual(twice.map(([name, at]) => `${name}: ${at.join(", ")}`), []);
});
