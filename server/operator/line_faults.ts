import { type LineFault, MAX_LINE_BYTES } from "../../shared/lines.ts";

/** What is said of a line that could not be read. */
export const LINE_FAULTS: Record<LineFault, string> = {
  too_long: `The line is longer than ${MAX_LINE_BYTES} bytes.`,
  not_utf8: "The line is not UTF-8 text.",
};
