import assert from "node:assert/strict";
import { escapeControls, escapeLine, escapeOutputs } from "../../cli/escaped_output.ts";
import { createStyle } from "../../cli/print.ts";

/** What a server or a file may hold: a cleared screen, a C1 sequence, a turned direction, a separator, a tag. */
const HOSTILE = "a\x1b[2J\x07\x9b31m\u202e\u2028\r\u{e0001}b";

function outputs(isTerminal: boolean) {
  const written = { stdout: "", stderr: "" };
  const to = (name: keyof typeof written) => ({
    ...{ isTerminal, isFile: false, columns: () => 80 },
    write: (text: string) => void (written[name] += text),
  });
  const prompt = { secret: () => Promise.resolve(""), confirm: () => Promise.resolve(true) };
  const variables = {};
  const given = { stdout: to("stdout"), stderr: to("stderr"), variables, prompt };
  return { written, ...escapeOutputs(given), variables };
}

Deno.test("escapeControls() writes control and format characters as JSON escapes, and keeps line breaks", () => {
  const escaped = escapeControls(HOSTILE);
  assert.doesNotMatch(escaped, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  assert.equal(JSON.parse(`"${escaped}"`), HOSTILE);
  assert.equal(escapeControls("two\nlines"), "two\nlines");
  assert.equal(escapeLine("two\nlines"), "two\\u000alines");
});

Deno.test("escapeOutputs() leaves the colours and progress lines of the CLI unescaped only on a terminal", async (t) => {
  for (const isTerminal of [true, false]) {
    await t.step(JSON.stringify(isTerminal), () => {
      const { stdout, stderr, variables, written } = outputs(isTerminal);
      stdout.write(createStyle(stdout, variables).red("bad") + HOSTILE);
      stderr.write(`\r\x1b[K${HOSTILE}\r\x1b[K`);
      const bad = isTerminal ? "\x1b[31mbad\x1b[39m" : "bad";
      const clear = isTerminal ? "\r\x1b[K" : escapeControls("\r\x1b[K");
      assert.equal(written.stdout, bad + escapeControls(HOSTILE));
      assert.equal(written.stderr, clear + escapeControls(`${HOSTILE}\r\x1b[K`));
    });
  }
});

Deno.test("escapeOutputs() escapes control characters of data on a terminal, and leaves data unchanged elsewhere", async (t) => {
  const rows = `name\r\n${HOSTILE}\r\n`;
  for (
    const [isTerminal, expected] of [[false, rows], [
      true,
      `name\r\n${escapeControls(HOSTILE)}\r\n`,
    ]] as const
  ) {
    await t.step(JSON.stringify(isTerminal), () => {
      const { stdout, written } = outputs(isTerminal);
      stdout.writeData(rows);
      assert.equal(written.stdout, expected);
    });
  }
});
