/**
 * What anybody can see of a service: its address, TLS and its clock.
 *
 * @module
 */
import { quotable } from "../../../shared/api_failure.ts";
import { isLoopbackOrigin } from "../../../shared/loopback.ts";
import { exchange, type ExchangeOptions } from "../../../shared/send.ts";
import { toCliError } from "../../errors.ts";
import { formatDuration } from "../../print.ts";
import { faulty, type Finding, fine, unchecked } from "./finding.ts";

/** How far the clocks may be apart besides the time of the call, in milliseconds. */
const CLOCK_TOLERANCE = 5_000;

/** Compares the address that was called with the one that the service writes. */
export function checkAddress(baseUrl: string, openapi: string): Finding {
  const own = URL.canParse(openapi) ? new URL(openapi).origin : quotable(openapi);
  const named = (origin: string) =>
    origin.replace(/^http:\/\/127\.0\.0\.1(?=:|$)/, "http://localhost");
  if (named(own) === named(baseUrl)) return fine("address", `the service calls itself ${own} too`);
  return faulty(
    "address",
    `the service calls itself ${own}; give --base-url ${own}, or set its BASE_URL if that is wrong`,
  );
}

/** Looks whether pages and secrets travel by TLS. */
export async function checkTls(baseUrl: string, options: ExchangeOptions): Promise<Finding> {
  if (isLoopbackOrigin(baseUrl)) {
    return unchecked("tls", "http: to this computer; call the public address");
  }
  if (!baseUrl.startsWith("https:")) {
    return faulty(
      "tls",
      "everybody on the way can read along; put a proxy with TLS in front of the service",
    );
  }
  const { answer, error } = await exchange(new Request(`${baseUrl}/`), options);
  if (error) throw toCliError(error);
  if (answer.headers.has("strict-transport-security")) {
    return fine("tls", "the certificate is valid, and browsers are told to stay with https:");
  }
  return faulty(
    "tls",
    "pages have no Strict-Transport-Security; set BASE_URL to the https: address, and let the proxy pass the " +
      "header on",
  );
}

/** Compares the service's clock with the one of this computer. */
export function checkClock({ time, sent, received }: {
  /** The service's, a date-time. */
  time: string;
  /** Of this computer, in milliseconds since 1970. */
  sent: number;
  received: number;
}): Finding {
  // The service read its clock during the call.
  const ahead = Math.round(Date.parse(time) - (sent + received) / 2);
  const text = `${formatDuration(Math.abs(ahead))} ${
    ahead < 0 ? "behind" : "ahead of"
  } this computer`;
  if (Math.abs(ahead) <= CLOCK_TOLERANCE + (received - sent) / 2) return fine("clock", text);
  return faulty("clock", `${text}; let both take the time from a time server`);
}
