/** A log whose lines a test reads. */
import { createLog, type LogLevel } from "../../server/runtime/mod.ts";

/** Makes a log, and gives its lines, parsed. @param now milliseconds since 1970, as the lines have it */
export function recordLog(level: LogLevel = "info", now: () => number = () => 0) {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: createLog({ level, now, write: (line) => lines.push(JSON.parse(line)) }) };
}
