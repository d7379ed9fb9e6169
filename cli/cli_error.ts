import { EXIT, type ExitCode } from "./exit_codes.ts";

/** The codes of errors that the service has not given one, by the exit code. */
const CODES: Record<ExitCode, string> = {
  [EXIT.fine]: "fine",
  [EXIT.failedCheck]: "failed_check",
  [EXIT.usage]: "usage",
  [EXIT.cannotConnect]: "cannot_connect",
  [EXIT.notAuthorised]: "not_authorised",
  [EXIT.limited]: "rate_limited",
  [EXIT.notFound]: "not_found",
};

/** Ends a command: one sentence for standard error, with the next step, and the exit code. */
export class CliError extends Error {
  override name = "CliError";

  /** @param code the service's machine code, where it refused a call */
  constructor(message: string, readonly exitCode: ExitCode, readonly code?: string) {
    super(message);
  }

  /** The error as a line of JSON, in the form that the service's own errors have. */
  toJsonLine(): string {
    const error = this.code ?? CODES[this.exitCode];
    return `${JSON.stringify({ error, message: `${this.message}.` })}\n`;
  }
}

/** An error of the command line, a setting or the given data. */
export class UsageError extends CliError {
  override name = "UsageError";

  constructor(message: string) {
    super(message, EXIT.usage);
  }
}
