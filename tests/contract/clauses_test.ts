import assert from "node:assert/strict";
import { readSources } from "../support/project_files.ts";

const page = await Deno.readTextFile(new URL("clauses.md", import.meta.url));
const clauses = page.replaceAll(/\n +/g, " ").split("\n## ").slice(1).flatMap((section) => {
  const document = section.slice(0, section.search(/[:\n]/));
  return [...section.matchAll(/^- (.+?)(?: \(.+?\))?: (.+)$/gm)]
    .map(([, name, text]) => ({ name: `${document} ${name}`, text: text ?? "" }));
});
const names = clauses.map(({ name }) => name);

/** The clauses that a comment above a test names, and where it stands. */
const tags = (await readSources(["tests"])).flatMap(({ path, text }) =>
  [...text.matchAll(/^ *\/\/ Clauses: (.*(?:\n *\/\/.*)*)\n(.*)/gm)].flatMap(([, list, next]) => {
    assert.match(next ?? "", /^ *(?:Deno\.)?test\(/, `${path}: no test follows '${list}'`);
    const names = list?.replaceAll(/\s*\n *\/\/ /g, " ").replace(/\.$/, "").split("; ") ?? [];
    return names.map((name) => ({ path, name }));
  })
);

Deno.test("clauses.md lists every clause that a comment in a test names", () => {
  const unknown = tags.filter(({ name }) => !names.includes(name));
  assert.deepEqual(unknown.map(({ path, name }) => `${path}: ${name}`), []);
});

Deno.test("clauses.md gives a reason for each clause that no test names, and for no other clause", () => {
  const tested = new Set(tags.map(({ name }) => name));
  const wrong = clauses.filter(({ name, text }) =>
    tested.has(name) === / (Deviates|Never arises), because .{20}/.test(text)
  );
  assert.deepEqual(wrong.map(({ name }) => name), []);
});

Deno.test("clauses.md lists no clause twice", () => {
  assert.ok(names.length > 140);
  assert.deepEqual(names.filter((name, index) => names.indexOf(name) !== index), []);
});
