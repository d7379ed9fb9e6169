import { quote } from "../waitlist/quote.ts";
import type { OperatorFailure } from "./failure.ts";

/** The failure for a client_id that no client has. */
export function unknownClient(clientId: string): OperatorFailure {
  return { failure: "not_found", message: `There is no client ${quote(clientId)}.` };
}
