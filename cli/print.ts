/**
 * Prints the answer of a command as text, as JSON or as the bare result, and makes the colours of the text. `format.ts`
 * formats the tables, times and numbers in the text.
 *
 * @module
 */
import type { Context, Output, Variables } from "./context.ts";
import { EXIT, type ExitCode } from "./errors.ts";
import type { Settings } from "./settings.ts";

/** The answer of a command in each form that the user can choose. */
export interface CommandAnswer {
  /** The value that `--json` prints. */
  json: unknown;
  /** The text that is printed without `--json` and `--quiet`. */
  text: (style: Style) => string;
  /** The bare result that `--quiet` prints; nothing by default, because the exit code says enough. */
  quiet?: string;
  /** A note on standard error below the text. */
  note?: string;
  /** The exit code of the command; 0 by default. */
  exitCode?: ExitCode;
}

/** Prints an answer in the form that the settings name, and returns the exit code. */
export function printAnswer(
  { json, text, quiet = "", note = "", exitCode = EXIT.fine }: CommandAnswer,
  settings: Settings,
  { stdout, stderr, variables }: Context,
): ExitCode {
  if (settings.json) stdout.write(formatJson(json));
  else if (settings.quiet) stdout.write(quiet);
  else {
    stdout.write(text(createStyle(stdout, variables)));
    stderr.write(note);
  }
  return exitCode;
}

/** Returns a value as indented JSON with a line feed at its end. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Colours and weights for text on a terminal. Elsewhere, the functions return the text as it is. */
export interface Style {
  /** Whether the output shows colours and weights. */
  isEnabled: boolean;
  /** The width of the terminal in characters; absent if the output is no terminal. */
  width?: number;
  bold: (text: string) => string;
  dim: (text: string) => string;
  red: (text: string) => string;
  green: (text: string) => string;
  cyan: (text: string) => string;
}

/** Makes the style of an output: colours on a terminal, unless `NO_COLOR` is set and not empty (no-color.org). */
export function createStyle(output: Output, variables: Variables): Style {
  const isEnabled = output.isTerminal && !variables.NO_COLOR;
  /** Makes the function that puts a text between the codes by which a terminal begins and ends a colour or a weight. */
  const formatWith = (startCode: number, endCode: number) => (text: string) =>
    isEnabled ? `\x1b[${startCode}m${text}\x1b[${endCode}m` : text;
  return {
    isEnabled,
    ...output.isTerminal && { width: output.columns() },
    bold: formatWith(1, 22),
    dim: formatWith(2, 22),
    red: formatWith(31, 39),
    green: formatWith(32, 39),
    cyan: formatWith(36, 39),
  };
}
