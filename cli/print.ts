/**
 * How a command answers: as text for people, as JSON, or with the bare result; and the forms of text
 * that several commands share.
 *
 * @module
 */
import type { Context, Output, Variables } from "./context.ts";
import { EXIT, type ExitCode } from "./errors.ts";
import type { Settings } from "./settings.ts";

/** The answer of a command in each form that its caller can choose. */
export interface CommandAnswer {
  /** The value that `--json` prints. */
  json: unknown;
  /** The text that is printed by default. */
  text: (style: Style) => string;
  /** The bare result that `--quiet` prints; nothing by default, as the exit code says enough. */
  quiet?: string;
  /** A note on standard error for people who read the text. */
  note?: string;
  /** The exit code of the command; 0 by default. */
  exitCode?: ExitCode;
}

/** Prints an answer in the form that the settings choose, and gives the command's exit code. */
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

/** A value as JSON, indented, with a line feed at the end. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Marks text on a terminal; elsewhere it leaves text as it is. */
export interface Style {
  enabled: boolean;
  bold: (text: string) => string;
  dim: (text: string) => string;
  red: (text: string) => string;
  green: (text: string) => string;
  cyan: (text: string) => string;
}

/** The style of an output: colour on a terminal, unless `NO_COLOR` is set and not empty (no-color.org). */
export function createStyle(output: Output, variables: Variables): Style {
  const enabled = output.isTerminal && !variables.NO_COLOR;
  const sgr = (start: number, end: number) => (text: string) =>
    enabled ? `\x1b[${start}m${text}\x1b[${end}m` : text;
  return {
    enabled,
    bold: sgr(1, 22),
    dim: sgr(2, 22),
    red: sgr(31, 39),
    green: sgr(32, 39),
    cyan: sgr(36, 39),
  };
}

/** A line feed within a value would begin a line that looks like one of the program's own. */
const oneLine = (text: string) => text.replaceAll("\n", "\\u000a");

/** Lines of names and values, the values aligned; fields without a value are left out. */
export function formatFields(
  fields: [name: string, value: string | undefined][],
  style: Style,
): string {
  const width = Math.max(...fields.map(([name]) => name.length));
  return fields
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${style.dim(name.padEnd(width))}  ${oneLine(value!)}\n`)
    .join("");
}

/** Rows under a heading, their columns aligned; no line ends in spaces. */
export function formatTable(heading: string[], rows: string[][], style: Style): string {
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (row: string[]) =>
    row.map(oneLine).map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd();
  return [style.bold(line(heading)), ...rows.map(line)].map((text) => `${text}\n`).join("");
}

/** A length of time for people: `12 ms`, `1.5 s`, `14 min 58 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${Math.round(milliseconds / 100) / 10} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A number with separators between thousands, and the noun that it counts. */
export function plural(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
