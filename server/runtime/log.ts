/** The log of the service: lines of JSON, each about one event. @module */

/** The levels of log lines, the lowest first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/** The level of a log line. */
export type LogLevel = typeof LOG_LEVELS[number];

/** The further fields of a log line. */
export type LogFields = Record<string, string | number | boolean | Record<string, number>>;

/** Writes log lines. No line has an e-mail address, a source address, a token or a secret. */
export type Log =
  & { readonly [level in LogLevel]: (event: string, fields?: LogFields) => void }
  & { /** The lowest level that is written. */ readonly level: LogLevel };

/** What a log needs. */
export interface LogOptions {
  /** The lowest level that is written. */
  level: LogLevel;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** Writes a line, which is given without a line feed at the end. */
  write: (line: string) => void;
}

/** Makes a log, whose lines are JSON objects `{time, level, event}` with further fields. */
export function createLog({ level: lowest, now, write }: LogOptions): Log {
  const writer = (level: LogLevel) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(lowest)) return () => {};
    return (event: string, fields?: LogFields) => {
      const time = new Date(now()).toISOString();
      write(JSON.stringify({ time, level, event, ...fields }));
    };
  };
  return {
    level: lowest,
    debug: writer("debug"),
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
  };
}
