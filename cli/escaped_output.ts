/**
 * Escapes control characters in everything that a command prints, because texts from files and servers could change a
 * terminal's display. The escapes are those of JSON, so that printed JSON keeps its meaning.
 *
 * @module
 */
import type { Context, Output, PrintingOutput, ResultOutput } from "./context.ts";
import { createStyle } from "./print.ts";

/** Matches control characters, invisible characters, characters that change the direction of text, and line separators. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Matches the colours of `createStyle()`, which are not escaped. A server could use them in its texts, but coloured text
 * does no harm.
 */
// deno-lint-ignore no-control-regex -- these are the control characters of a terminal
const COLOR = /\x1b\[(?:1|2|22|31|32|36|39)m/;

/** Matches a colour, or a character to escape. */
const COLOR_OR_UNSAFE = new RegExp(`${COLOR.source}|${UNSAFE.source}`, "gu");

/** Clears the present line, for the next state of progress. */
const CLEAR_LINE = "\r\x1b[K";

/** Clears the screen. */
const CLEAR_SCREEN = "\x1b[H\x1b[J";

/** Control characters that are not escaped, because the program's own texts use them. */
const HARMLESS_CONTROLS = ["\n", "\t"];

/** Escapes characters that could change a terminal's display. */
export function escapeControls(text: string): string {
  return text.replace(
    UNSAFE,
    (character) => HARMLESS_CONTROLS.includes(character) ? character : escapeCharacter(character),
  );
}

/** Escapes characters as {@linkcode escapeControls} does, and line feeds too, so that the text stays on one line. */
export const escapeLine = (text: string): string =>
  escapeControls(text).replaceAll("\n", () => escapeCharacter("\n"));

/** Escapes a character as JSON does, by its UTF-16 code units. */
function escapeCharacter(character: string): string {
  return character.split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** The outputs and the prompt without escapes, and the environment variables, because `NO_COLOR` turns colours off. */
export interface UnescapedOutputs extends Pick<Context, "stderr" | "prompt" | "variables"> {
  stdout: ResultOutput;
}

/** Wraps outputs and a prompt, so that they escape characters that could change a terminal's display. */
export function escapeOutputs(
  { stdout, stderr, prompt, variables }: UnescapedOutputs,
): Pick<Context, "stdout" | "stderr" | "prompt"> {
  const escape = (text: string, output: Output) => {
    if (!createStyle(output, variables).isEnabled) return escapeControls(text);
    return text.replace(
      COLOR_OR_UNSAFE,
      (match) => COLOR.test(match) ? match : escapeControls(match),
    );
  };
  const escapedStdout: PrintingOutput = {
    ...stdout,
    write: (text) => stdout.write(escape(text, stdout)),
    redraw: (text) => stdout.write(CLEAR_SCREEN + escape(text, stdout)),
    writeData: (text) =>
      stdout.write(stdout.isTerminal ? text.split("\r\n").map(escapeControls).join("\r\n") : text),
  };
  return {
    stdout: escapedStdout,
    stderr: {
      ...stderr,
      write(text) {
        // Only the program's own progress begins with this sequence, never a text from outside.
        const clearsLine = stderr.isTerminal && text.startsWith(CLEAR_LINE);
        if (!clearsLine) return stderr.write(escape(text, stderr));
        stderr.write(CLEAR_LINE + escape(text.slice(CLEAR_LINE.length), stderr));
      },
    },
    prompt: {
      secret: (question) => prompt.secret(escapeControls(question)),
      confirm: (question) => prompt.confirm(escapeControls(question)),
    },
  };
}
