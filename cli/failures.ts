import type { ApiFailure } from "../shared/api_failure.ts";
import { CliError } from "./cli_error.ts";
import { EXIT, type ExitCode } from "./exit_codes.ts";

/** The error that ends a command after a failed call: what happened, and the next step. */
export function toCliError(failure: ApiFailure): CliError {
  const { exitCode, nextStep } = describe(failure);
  const code = "code" in failure ? failure.code : undefined;
  const sentence = nextStep === undefined ? failure.message : `${failure.message}; ${nextStep}`;
  return new CliError(sentence, exitCode, code);
}

/** What the failure comes to; without a next step where the service's message names one, or none helps. */
function describe(failure: ApiFailure): { exitCode: ExitCode; nextStep?: string } {
  const { message } = failure;
  switch (failure.kind) {
    case "refused": {
      const { status } = failure;
      if (status === 404) return { exitCode: EXIT.notFound };
      if (status === 409 || message.includes("; ")) {
        return { exitCode: EXIT.usage };
      }
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
      if (message.includes("; try again")) return { exitCode: EXIT.limited };
      const { retryAfter } = failure;
      const when = retryAfter === undefined ? "in a minute" : `in ${retryAfter} s`;
      return { exitCode: EXIT.limited, nextStep: `try again ${when}` };
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
    case "unreachable":
      return {
        exitCode: EXIT.cannotConnect,
        nextStep: "check --base-url and that the service runs",
      };
    case "timed_out":
      return { exitCode: EXIT.cannotConnect, nextStep: "try again, or raise --timeout" };
    case "aborted":
      return { exitCode: EXIT.cannotConnect, nextStep: "run the command again" };
    case "no_credentials":
      return {
        exitCode: EXIT.usage,
        nextStep: "set WAITLIST_CLIENT_ID and WAITLIST_CLIENT_SECRET",
      };
  }
}
