import assert from "node:assert/strict";
import { findInvisible, nameInvisible, trimInvisible } from "../../shared/invisible.ts";

/** Spaces, format characters, and characters that are displayed as nothing. */
const CHARACTERS = [
  ...[" ", "\t", "\r", "\n", "\u0085", "\u00a0", "\u2007", "\u2028", "\u202f", "\u3000"],
  ...["\u00ad", "\u180e", "\u200b", "\u200d", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e"],
  ...["\u2060", "\u2066", "\ufeff", "\ufe0f", "\u3164", "\u{e0020}"],
];

Deno.test("trimInvisible() removes invisible characters at both ends of a text, and none inside of the text", async (t) => {
  for (const character of CHARACTERS) {
    await t.step(JSON.stringify(character), () => {
      const around = `${character}${character}a${character}ß${character}`;
      assert.equal(trimInvisible(around), `a${character}ß`);
      assert.equal(trimInvisible(character), "");
    });
  }
  for (const text of ["", "a", "ada@example.com", "ä", "a b", "😀"]) {
    await t.step(JSON.stringify(text), () => {
      assert.equal(trimInvisible(text), text);
    });
  }
});

Deno.test("nameInvisible() names the first invisible character", async (t) => {
  const named = (text: string) => {
    const found = findInvisible(text);
    return found && nameInvisible(found);
  };
  assert.equal(named("ada\u200b@exam\u00a0ple.com"), "U+200B, an invisible character");
  assert.equal(named("ada\u00a0@example.com"), "U+00A0, a space");
  assert.equal(named("ada @example.com"), "U+0020, a space");
  assert.equal(named("ada\u{e0020}@example.com"), "U+E0020, an invisible character");
  assert.equal(named("ädä@example.com"), undefined);
  assert.equal(named("no address"), undefined);
  for (const character of CHARACTERS) {
    await t.step(character, () => {
      assert.ok(findInvisible(`a${character}@b`));
    });
  }
});
