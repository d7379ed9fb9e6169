import type { Output, Variables } from "../context.ts";

/** Marks text on a terminal; elsewhere it leaves text as it is. */
export interface Style {
  enabled: boolean;
  bold: (text: string) => string;
  dim: (text: string) => string;
  red: (text: string) => string;
  green: (text: string) => string;
  yellow: (text: string) => string;
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
    yellow: sgr(33, 39),
    cyan: sgr(36, 39),
  };
}
