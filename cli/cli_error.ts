import { EXIT, type ExitCode } from "./exit_codes.ts";

/** Ends a command: one sentence for standard error, with the next step, and the exit code. */
export class CliError extends Error {
  override name = "CliError";

  /** @param code the service's machine code, where it refused a call */
  constructor(message: string, readonly exitCode: ExitCode, readonly code?: string) {
    super(message);
  }
}

/** An error of the command line, a setting or the given data. */
export class UsageError extends CliError {
  override name = "UsageError";

  constructor(message: string) {
    super(message, EXIT.usage);
  }
}
