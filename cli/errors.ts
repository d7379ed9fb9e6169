/**
 * How a command ends: the exit codes, and the errors that lead to them.
 *
 * @module
 */
import type { ApiFailure } from "../shared/api_failure.ts";

/** What the exit code of every command says. */
export const EXIT = {
  /** The command did its work, and every check holds. */
  fine: 0,
  /** A check failed, or the service gave an answer that it should not give. */
  failedCheck: 1,
  /** The command line, a setting or the given data is wrong, or a needed value is missing. */
  usage: 2,
  /** The service gave no answer, or only a part of one: name, network, TLS, time-out. */
  cannotConnect: 3,
  /** The service did not accept the credentials or the token, or they lack the scope. */
  notAuthorised: 4,
  /** The limit of requests is used up. */
  rateLimited: 5,
  /** The service does not have what the command names, such as an address or a client. */
  notFound: 6,
  /** Ctrl+C ended the command; shells give this code too, where the signal ends a program. */
  interrupted: 130,
} as const;

/** An exit code of this program. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command. Its message is one sentence without the full stop, with the next step. */
export class CliError extends Error {
  override name = "CliError";

  /** @param code the service's machine code, where the service refused a call */
  readonly exitCode: ExitCode;
  readonly code: string | undefined;

  constructor(message: string, exitCode: ExitCode, code?: string) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }

  /** The error as a line of JSON, in the form of the service's own errors; `failedCheck` is `failed_check`. */
  toJsonLine(): string {
    const [name = ""] = Object.entries(EXIT).find(([, code]) => code === this.exitCode) ?? [];
    const error = this.code ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return `${JSON.stringify({ error, message: `${this.message}.` })}\n`;
  }
}

/** An error in the command line, in a setting or in the given data. */
export class UsageError extends CliError {
  override name = "UsageError";

  constructor(message: string) {
    super(message, EXIT.usage);
  }
}

/** Turns a failed call into the error that ends the command; it says what happened and the next step. */
export function toCliError(failure: ApiFailure): CliError {
  const { exitCode, nextStep } = describe(failure);
  const code = "code" in failure ? failure.code : undefined;
  const sentence = nextStep === undefined ? failure.message : `${failure.message}; ${nextStep}`;
  return new CliError(sentence, exitCode, code);
}

/** Like {@linkcode toCliError}, for a failed call of the operator surface. */
export function toOperatorError(failure: ApiFailure): CliError {
  const { kind, message } = failure;
  if (kind === "unauthorized" && failure.code === "forbidden") {
    return new CliError(message, EXIT.notAuthorised, failure.code);
  }
  if (kind === "unauthorized") {
    // The service says how to send the header, which the program does by itself.
    const what = message.replace(/; send it as Authorization: Bearer .*(?= \(\d+ from )/, "");
    return new CliError(
      `${what}; check that WAITLIST_OPERATOR_KEY is the service's OPERATOR_KEY or one of its OPERATOR_KEYS`,
      EXIT.notAuthorised,
      failure.code,
    );
  }
  if (kind === "unexpected" && failure.status === 404) {
    return new CliError(
      `${message}; check --base-url, and that the service runs with OPERATOR_KEY or OPERATOR_KEYS set`,
      EXIT.failedCheck,
    );
  }
  return toCliError(failure);
}

/** The next step where there is no whole answer. */
const NO_ANSWER = {
  unreachable: "check --base-url and that the service runs",
  timed_out: "try again, or raise --timeout",
  aborted: "run the command again",
};

/** The exit code of a failure, and the next step, unless the service's message names it already. */
function describe(failure: ApiFailure): { exitCode: ExitCode; nextStep?: string } {
  const { message } = failure;
  switch (failure.kind) {
    case "refused": {
      const { status } = failure;
      if (status === 404) return { exitCode: EXIT.notFound };
      if (status === 409 || message.includes("; ")) return { exitCode: EXIT.usage };
      return { exitCode: EXIT.usage, nextStep: "correct what you send" };
    }
    case "unauthorized":
      return {
        exitCode: EXIT.notAuthorised,
        nextStep: failure.status === 403
          ? "ask the operator for a client that has the scope"
          : "check WAITLIST_CLIENT_ID and WAITLIST_CLIENT_SECRET",
      };
    case "limited": {
      if (message.includes("; try again")) return { exitCode: EXIT.rateLimited };
      const { retryAfter } = failure;
      const when = retryAfter === undefined ? "in a minute" : `in ${retryAfter} s`;
      return { exitCode: EXIT.rateLimited, nextStep: `try again ${when}` };
    }
    case "failed": {
      if (message.includes("; try again")) return { exitCode: EXIT.failedCheck };
      const { retryAfter } = failure;
      const when = retryAfter === undefined ? "later" : `in ${retryAfter} s`;
      const log = message.includes("; see its log") ? "" : ", or look at its log";
      return { exitCode: EXIT.failedCheck, nextStep: `try again ${when}${log}` };
    }
    case "unexpected":
      return {
        exitCode: EXIT.failedCheck,
        nextStep: "check that --base-url is a waitlist service's address",
      };
    case "no_credentials":
      return {
        exitCode: EXIT.usage,
        nextStep: "set WAITLIST_CLIENT_ID and WAITLIST_CLIENT_SECRET",
      };
    default:
      return { exitCode: EXIT.cannotConnect, nextStep: NO_ANSWER[failure.kind] };
  }
}
