/**
 * How a command ends: the exit codes, the errors that lead to them, and the errors that failed calls become.
 *
 * @module
 */
import type { ApiFailure } from "../shared/api_failure.ts";

/** The exit codes of all commands. */
export const EXIT = {
  /** The command did its work, and every check passed. */
  fine: 0,
  /** A check failed, the service failed, or its answer is wrong. */
  failedCheck: 1,
  /** The command line, a setting or the input is wrong, or a required value is missing. */
  usage: 2,
  /** There was no answer, or only a part of it, because of the host name, the network, TLS or a time-out. */
  cannotConnect: 3,
  /** The service refused the credentials or the token, or they do not allow the call. */
  notAuthorised: 4,
  /** The request limit is used up. */
  rateLimited: 5,
  /** The service does not have what the command names, such as an address, a client or a wave. */
  notFound: 6,
  /** Ctrl+C ended the command. Shells use this code for every program that Ctrl+C ends. */
  interrupted: 130,
} as const;

/** An exit code of this program. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * An error that ends a command. Its message is one sentence without a full stop: what is wrong and, behind a semicolon,
 * the next step.
 */
export class CliError extends Error {
  override name = "CliError";
  readonly exitCode: ExitCode;
  /** The error code that the service gave, if it refused the call. */
  readonly code: string | undefined;

  constructor(message: string, exitCode: ExitCode, code?: string) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }

  /** The message without the next step, for a command that takes the next step by itself. */
  get fault(): string {
    return this.message.split("; ")[0]!;
  }

  /**
   * Returns the error as a line of JSON in the form of the service's errors. Without an error code, `error` is the name
   * of the exit code, such as `failed_check`.
   */
  toJsonLine(): string {
    const [name = ""] = Object.entries(EXIT).find(([, code]) => code === this.exitCode) ?? [];
    const error = this.code ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return `${JSON.stringify({ error, message: `${this.message}.` })}\n`;
  }
}

/** An error in the command line, in a setting or in the input. */
export class UsageError extends CliError {
  override name = "UsageError";

  constructor(message: string) {
    super(message, EXIT.usage);
  }
}

/** Turns a failed call into the error that ends the command. The message says what happened, and the next step. */
export function toCliError(failure: ApiFailure): CliError {
  const { exitCode, nextStep } = classify(failure);
  const code = "code" in failure ? failure.code : undefined;
  const sentence = nextStep === undefined ? failure.message : `${failure.message}; ${nextStep}`;
  return new CliError(sentence, exitCode, code);
}

/** Turns a failed call of the operator surface into the error that ends the command. */
export function toOperatorError(failure: ApiFailure): CliError {
  const { kind, message } = failure;
  if (kind === "unauthorized" && failure.code === "forbidden") {
    return new CliError(message, EXIT.notAuthorised, failure.code);
  }
  if (kind === "unauthorized") {
    // The service's advice to send the header with the key is removed, because this program sends the header itself.
    const fault = message.replace(/; send it as Authorization: Bearer .*(?= \(\d+ from )/, "");
    return new CliError(
      `${fault}; check that WAITLIST_OPERATOR_KEY is the value of the service's OPERATOR_KEY, or one of the keys in the ` +
        "service's OPERATOR_KEYS",
      EXIT.notAuthorised,
      failure.code,
    );
  }
  if (kind === "unexpected" && failure.status === 404) {
    return new CliError(
      `${message}; check that --base-url is right, and that OPERATOR_KEY or OPERATOR_KEYS is set for the service`,
      EXIT.failedCheck,
    );
  }
  return toCliError(failure);
}

/** The next step if no answer has arrived, or only a part of it. */
const NO_ANSWER = {
  unreachable: "check that --base-url is right, and that the service runs",
  timed_out: "run the command again, or give it more time with --timeout",
  aborted: "run the command again",
};

/** Returns the exit code of a failure, and the next step unless the service's message already has one. */
function classify(failure: ApiFailure): { exitCode: ExitCode; nextStep?: string } {
  // The service's messages have the next step behind a semicolon, as the messages of this program have.
  const { message } = failure;
  switch (failure.kind) {
    case "refused": {
      const { status } = failure;
      if (status === 404) return { exitCode: EXIT.notFound };
      const hasNextStep = message.includes("; ");
      if (status === 409 || hasNextStep) return { exitCode: EXIT.usage };
      return { exitCode: EXIT.usage, nextStep: "correct the input" };
    }
    case "unauthorized":
      return {
        exitCode: EXIT.notAuthorised,
        nextStep: failure.status === 403
          ? "ask the operator for a client with this scope"
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
      const namesLog = message.includes("; see its log");
      const logAdvice = namesLog ? "" : ", or look at the service's log";
      return { exitCode: EXIT.failedCheck, nextStep: `try again ${when}${logAdvice}` };
    }
    case "unexpected":
      return {
        exitCode: EXIT.failedCheck,
        nextStep: "check that --base-url is the address of a waitlist service",
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
