/**
 * The service's log: one JSON object a line. No line holds an e-mail address, a client address, a token or
 * a secret: callers pass counts, codes and durations.
 *
 * @module
 */

/** The levels, from the lowest to the highest. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/** A log's level; `info` is the default. */
export type LogLevel = typeof LOG_LEVELS[number];

/** Values that a log line may carry. */
export type LogFields = Record<string, string | number | boolean | Record<string, number>>;

/** Writes log lines; a line below the configured level is dropped. */
export type Log =
  & { readonly [level in LogLevel]: (event: string, fields?: LogFields) => void }
  & { /** The lowest level that is written. */ readonly level: LogLevel };

/** What a log is made with. */
export interface LogOptions {
  level: LogLevel;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  /** Takes one finished line, without its line feed. */
  write: (line: string) => void;
}

/** Makes a log whose lines are `{"time","level","event",…fields}`. */
export function createLog(options: LogOptions): Log {
  const writer = (level: LogLevel) => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(options.level)) return () => {};
    return (event: string, fields?: LogFields) => {
      const time = new Date(options.now()).toISOString();
      options.write(JSON.stringify({ time, level, event, ...fields }));
    };
  };
  return {
    level: options.level,
    debug: writer("debug"),
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
  };
}
