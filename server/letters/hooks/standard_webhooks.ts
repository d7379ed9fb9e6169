/**
 * Verifies calls that are signed by Standard Webhooks (https://www.standardwebhooks.com). The file of a provider with
 * such signatures, `resend.ts` or `generic.ts`, reads the reports in a call. @module
 */
import { createHmac } from "node:crypto";
import { isSameSecret, MINUTE } from "../../runtime/mod.ts";
import { type HookProvider, type ProviderReport, readJson } from "./report.ts";

/** The prefix of a signature by HMAC-SHA-256. A header can also have signatures of other versions. */
const SIGNATURE_PREFIX = "v1,";

/** The largest accepted difference between the moment of a signature and the clock, in milliseconds. */
const MAX_DIFFERENCE_MS = 5 * MINUTE;

/** A call whose signature is right. */
export interface SignedPayload {
  /** The id of the call. It is the same each time the provider sends the call. */
  id: string;
  /** The moment of the signature, in milliseconds since 1970. */
  signedAt: number;
  /** The parsed body; `undefined` if the body is not JSON. */
  payload: unknown;
}

/** What {@linkcode createStandardWebhooks} needs. */
export interface StandardWebhooksOptions {
  /** The secret of `MAIL_HOOK`, with its prefix `whsec_`. */
  secret: string;
  /** The beginning of the header names, as in `webhook-signature`. */
  headerPrefix: "webhook" | "svix";
  /** Reads the reports in a payload of any form. */
  readReports: (signedPayload: SignedPayload) => ProviderReport[];
}

/** Makes a provider that signs its calls by Standard Webhooks. */
export function createStandardWebhooks(
  { secret, headerPrefix, readReports }: StandardWebhooksOptions,
): HookProvider {
  const key = Uint8Array.fromBase64(secret.slice("whsec_".length));
  // Uses the HMAC of Node, because a forged body may be long and the digest functions of `runtime/` are for short
  // texts.
  const sign = (text: string) => createHmac("sha256", key).update(text).digest("base64");
  /** Reads the headers about the signature. A header that is absent has an empty text here. */
  const signatureHeadersOf = (headers: Headers) => ({
    id: headers.get(`${headerPrefix}-id`) ?? "",
    timestamp: headers.get(`${headerPrefix}-timestamp`) ?? "",
    signatures: headers.get(`${headerPrefix}-signature`) ?? "",
  });
  return {
    refusesHeaders(headers, now) {
      const { id, timestamp, signatures } = signatureHeadersOf(headers);
      const isInTime = Math.abs(now - momentOf(timestamp)) <= MAX_DIFFERENCE_MS;
      return !id || !timestamp || !signatures.includes(SIGNATURE_PREFIX) || !isInTime;
    },
    // The moment of the signature is not checked again, because `refusesHeaders()` has accepted the headers.
    read({ headers, text }) {
      const { id, timestamp, signatures } = signatureHeadersOf(headers);
      const expectedSignature = SIGNATURE_PREFIX + sign(`${id}.${timestamp}.${text}`);
      // One right signature is enough, because the provider sends two signatures while its secret is being replaced.
      const isSigned = signatures.split(" ")
        .some((signature) => isSameSecret(signature, expectedSignature));
      if (!isSigned) return "unsigned";
      const signedAt = momentOf(timestamp);
      return { reports: readReports({ id, signedAt, payload: readJson(text) }) };
    },
  };
}

/** Gives the moment of a timestamp in seconds since 1970, in milliseconds since 1970. */
const momentOf = (timestamp: string): number => 1_000 * Number(timestamp);
