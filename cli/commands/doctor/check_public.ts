/**
 * The checks that need no key: the service's address, TLS and clock. `check_proxy.ts` has the check of the proxy.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import { isLoopbackOrigin } from "../../../shared/loopback.ts";
import { exchange } from "../../../shared/send.ts";
import { toCliError } from "../../errors.ts";
import { formatDuration } from "../../format.ts";
import { type CheckInput, fault, ok, unchecked, type UnnamedFinding } from "./check.ts";

/**
 * How far the service's clock and this computer's clock may differ, in milliseconds. Half the time of the call is added
 * to this limit.
 */
const CLOCK_TOLERANCE_MS = 5_000;

/** Compares the origin that this program calls with the origin that the service itself uses in URLs. */
export function checkAddress({ baseUrl, status: { openapi } }: CheckInput): UnnamedFinding {
  const ownOrigin = URL.canParse(openapi) ? new URL(openapi).origin : quotable(openapi);
  // A service on this computer can be called by either name.
  const withLocalhost = (origin: string) =>
    origin.replace(/^http:\/\/127\.0\.0\.1(?=:|$)/, "http://localhost");
  const message = `the service calls itself ${ownOrigin}`;
  if (withLocalhost(ownOrigin) === withLocalhost(baseUrl)) return ok(`${message} too`);
  return fault(message, `give --base-url ${ownOrigin}, or correct the service's BASE_URL`);
}

/** Checks that pages and secrets are sent over TLS. */
export async function checkTls({ baseUrl, callOptions }: CheckInput): Promise<UnnamedFinding> {
  if (isLoopbackOrigin(baseUrl)) {
    return unchecked(
      "the URL of the service leads to this computer; give --base-url with the public URL",
    );
  }
  if (!baseUrl.startsWith("https:")) {
    const toDo = "put a proxy with TLS in front of the service";
    return fault(
      "the URL of the service is http:, so others on the network can read what is sent",
      toDo,
    );
  }
  const { answer, error } = await exchange(new Request(`${baseUrl}/`), callOptions);
  if (error) throw toCliError(error);
  if (answer.headers.has("strict-transport-security")) {
    return ok("the certificate is valid, and browsers are told to use only https:");
  }
  return fault(
    "pages have no header Strict-Transport-Security",
    "set the service's BASE_URL to the https: URL, and let the proxy pass this header on",
  );
}

/** Compares the service's clock with the clock of this computer. */
export function checkClock(
  { status: { time }, statusProbeTimes: { sentAt, answeredAt } }: CheckInput,
): UnnamedFinding {
  // The best guess is that the service read its clock in the middle of the call.
  const aheadMs = Math.round(Date.parse(time) - (sentAt + answeredAt) / 2);
  const direction = aheadMs < 0 ? "behind" : "ahead of";
  const text = `the service's clock is ${
    formatDuration(Math.abs(aheadMs))
  } ${direction} this computer's clock`;
  if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS + (answeredAt - sentAt) / 2) return ok(text);
  return fault(text, "synchronise both clocks with a time server");
}
