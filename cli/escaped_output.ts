/**
 * Keeps text of files and servers from changing a terminal's display: whatever a command prints passes here. An escape
 * has the form of JSON, so that printed JSON means the same.
 *
 * @module
 */
import type { Context, Output, PrintingOutput, ResultOutput } from "./context.ts";
import { createStyle } from "./print.ts";

/** Control characters, those that show nothing or turn the direction of text, and separators of lines. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** What `createStyle()` makes. The text of a server could be colourful by it, and nothing else. */
// deno-lint-ignore no-control-regex -- these are the control characters of a terminal
const COLOR = /(\x1b\[(?:1|2|22|31|32|36|39)m)/;

/** Begins a line of progress anew, in the place of the last one. */
const CLEAR_LINE = "\r\x1b[K";

/** Begins a screen anew. */
const CLEAR_SCREEN = "\x1b[H\x1b[J";

/** What the program's own texts have between lines and between columns. */
const KEPT = ["\n", "\t"];

/** Escapes what could change a terminal's display. */
export function escapeControls(text: string): string {
  return text.replace(
    UNSAFE,
    (character) => KEPT.includes(character) ? character : escapeUnits(character),
  );
}

/** The same for a text that is to stay on its line. */
export const escapeLine = (text: string): string =>
  escapeControls(text).replaceAll("\n", () => escapeUnits("\n"));

function escapeUnits(character: string): string {
  return character.split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** What a program shows and asks; `variables` decide about colours. */
export interface GivenOutputs extends Pick<Context, "stderr" | "prompt" | "variables"> {
  stdout: ResultOutput;
}

/** Makes outputs and a prompt that let nothing through that could change a terminal's display. */
export function escapeOutputs(
  { stdout, stderr, prompt, variables }: GivenOutputs,
): Pick<Context, "stdout" | "stderr" | "prompt"> {
  const escape = (text: string, output: Output) => {
    if (!createStyle(output, variables).enabled) return escapeControls(text);
    return text.split(COLOR).map((part, at) => at % 2 === 1 ? part : escapeControls(part)).join("");
  };
  const printing: PrintingOutput = {
    ...stdout,
    write: (text) => stdout.write(escape(text, stdout)),
    redraw: (text) => stdout.write(CLEAR_SCREEN + escape(text, stdout)),
    writeData: (text) =>
      stdout.write(stdout.isTerminal ? text.split("\r\n").map(escapeControls).join("\r\n") : text),
  };
  return {
    stdout: printing,
    stderr: {
      ...stderr,
      write(text) {
        // No text from outside begins what is written there.
        const clears = stderr.isTerminal && text.startsWith(CLEAR_LINE);
        const rest = clears ? text.slice(CLEAR_LINE.length) : text;
        stderr.write((clears ? CLEAR_LINE : "") + escape(rest, stderr));
      },
    },
    prompt: {
      secret: (question) => prompt.secret(escapeControls(question)),
      confirm: (question) => prompt.confirm(escapeControls(question)),
    },
  };
}
