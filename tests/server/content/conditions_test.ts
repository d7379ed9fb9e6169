import assert from "node:assert/strict";
import { chooseParts } from "../../../server/content/conditions.ts";

const TEXT =
  "a\n\n{{if mail}}\n\nb\n\n{{else}}\n\nc\n\n{{end}}\n\nd\n\n{{if waiting}}\n\ne\n\n{{end}}\n";

Deno.test("chooseParts() keeps the part after {{if}} when the condition holds, and otherwise the part after {{else}}", () => {
  const words = (text: string) => text.split("\n").filter((line) => line !== "");
  assert.deepEqual(words(chooseParts(TEXT, [])), ["a", "c", "d"]);
  assert.deepEqual(words(chooseParts(TEXT, ["mail"])), ["a", "b", "d"]);
  assert.deepEqual(words(chooseParts(TEXT, ["waiting", "mail"])), ["a", "b", "d", "e"]);
  assert.equal(chooseParts("a\n", ["mail"]), "a\n");
});

Deno.test("chooseParts() throws an error with the unknown condition and the conditions that exist", () => {
  assert.throws(() => chooseParts("{{if post}}\n{{end}}\n", ["mail"]), {
    message:
      "{{if post}} has no condition; the conditions are mail, embed, backups, developers, sun, tagline, headline, promise, picture, address, answers, referrals, unconfirmed, waiting, invited, accepted",
  });
});
