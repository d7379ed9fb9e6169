import assert from "node:assert/strict";
import { chooseParts } from "../../../server/content/placeholders.ts";

const TEXT =
  "a\n\n{{if mail}}\n\nb\n\n{{else}}\n\nc\n\n{{end}}\n\nd\n\n{{if waiting}}\n\ne\n\n{{end}}\n";

Deno.test("chooseParts() keeps the parts whose condition holds, and otherwise what is behind {{else}}", () => {
  const words = (text: string) => text.split("\n").filter((line) => line !== "");
  assert.deepEqual(words(chooseParts(TEXT, [])), ["a", "c", "d"]);
  assert.deepEqual(words(chooseParts(TEXT, ["mail"])), ["a", "b", "d"]);
  assert.deepEqual(words(chooseParts(TEXT, ["waiting", "mail"])), ["a", "b", "d", "e"]);
  assert.equal(chooseParts("a\n", ["mail"]), "a\n");
});

Deno.test("chooseParts() names a condition and those that exist when it is not known", () => {
  assert.throws(() => chooseParts("{{if post}}\n{{end}}\n", ["mail"]), {
    message:
      "{{if post}} has no condition; the conditions are mail, embed, unconfirmed, waiting, invited",
  });
});
