import type { ApiFailure } from "../../shared/api_failure.ts";
import { CliError } from "../cli_error.ts";
import { EXIT } from "../exit_codes.ts";
import { toCliError } from "../failures.ts";

/** The error that ends a command after a failed call of the operator surface. */
export function toOperatorError(failure: ApiFailure): CliError {
  const { kind, message } = failure;
  if (kind === "unauthorized") {
    // How a header is made is no concern of somebody who runs a command.
    const what = message.replace(/; send Authorization: Bearer .*$/, "");
    return new CliError(
      `${what}; check that WAITLIST_OPERATOR_KEY is the service's OPERATOR_KEY`,
      EXIT.notAuthorised,
      failure.code,
    );
  }
  if (kind === "unexpected" && failure.status === 404) {
    return new CliError(
      `${message}; check --base-url, and that the service runs with OPERATOR_KEY set`,
      EXIT.failedCheck,
    );
  }
  return toCliError(failure);
}
