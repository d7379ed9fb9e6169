/** The log: one JSON object a line, without any e-mail address, client address, token or secret. @module */

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export type LogLevel = typeof LOG_LEVELS[number];

export type LogFields = Record<string, string | number | boolean | Record<string, number>>;

/** Writes log lines; a line below the configured level is dropped. */
export type Log =
  & { readonly [level in LogLevel]: (event: string, fields?: LogFields) => void }
  & { /** The lowest level that is written. */ readonly level: LogLevel };

/** Makes a log of lines `{"time","level","event",…fields}`, which `write` takes without line feeds. */
export function createLog(
  options: { level: LogLevel; now: () => number; write: (line: string) => void },
): Log {
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

/** Shows a request's value in a message: well-formed Unicode, and cut to a length that stays readable. */
export function quote(value: unknown): string {
  if (typeof value !== "string") {
    return JSON.stringify(value)?.slice(0, 40).toWellFormed() ?? "absent";
  }
  return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`.toWellFormed();
}
