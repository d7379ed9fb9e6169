/**
 * Verifies calls that are signed by Standard Webhooks (https://www.standardwebhooks.com), and reads the reports of the
 * provider `generic`, which operators with a mail server of their own use. @module
 */
import { createHmac } from "node:crypto";
import { z } from "zod";
import { isSameSecret } from "../../runtime/mod.ts";
import { type HookProvider, type ProviderReport, readJson } from "./report.ts";

/** The beginning of a signature by HMAC-SHA-256. A header can also have signatures of other versions. */
const VERSION_PREFIX = "v1,";

/** The largest accepted difference between the moment of a signature and the clock, in seconds. */
const MAX_DIFFERENCE_SECONDS = 5 * 60;

/**
 * Makes a provider that signs its calls by Standard Webhooks.
 *
 * @param secret the secret of `MAIL_HOOK`, with its prefix `whsec_`
 * @param prefix the beginning of the header names, as in `webhook-signature`
 * @param reportsOf reads the reports in a payload of any form; `at` is the moment of the signature, in ms since 1970
 */
export function standardWebhooks(
  secret: string,
  prefix: "webhook" | "svix",
  reportsOf: (payload: unknown, call: { id: string; at: number }) => ProviderReport[],
): HookProvider {
  const key = Uint8Array.fromBase64(secret.slice("whsec_".length));
  // Uses the HMAC of Node, because a forged body may be long and the digest functions of `runtime/` are for short
  // texts.
  const sign = (text: string) => createHmac("sha256", key).update(text).digest("base64");
  /** Reads the headers about the signature. A header that is absent has an empty text here. */
  const signatureHeadersOf = (headers: Headers) => ({
    id: headers.get(`${prefix}-id`) ?? "",
    timestamp: headers.get(`${prefix}-timestamp`) ?? "",
    signatures: headers.get(`${prefix}-signature`) ?? "",
  });
  return {
    hasWrongHeaders(headers, now) {
      const { id, timestamp, signatures } = signatureHeadersOf(headers);
      const isInTime = Math.abs(now / 1_000 - Number(timestamp)) <= MAX_DIFFERENCE_SECONDS;
      return !id || !timestamp || !signatures.includes(VERSION_PREFIX) || !isInTime;
    },
    // The moment of the signature is not checked again, because `hasWrongHeaders()` is called before.
    read({ headers, text }) {
      const { id, timestamp, signatures } = signatureHeadersOf(headers);
      const expected = `${VERSION_PREFIX}${sign(`${id}.${timestamp}.${text}`)}`;
      // One right signature is enough, because the provider sends two signatures while its secret is being replaced.
      const isSigned = signatures.split(" ").some((signature) => isSameSecret(signature, expected));
      return isSigned
        ? { reports: reportsOf(readJson(text), { id, at: 1_000 * Number(timestamp) }) }
        : "unsigned";
    },
  };
}

const genericEventSchema = z.object({
  type: z.enum(["mail.bounced", "mail.complained"]),
  timestamp: z.iso.datetime({ offset: true }).exactOptional(),
  data: z.object({
    email: z.string(),
    permanent: z.boolean().default(false),
    status: z.string().exactOptional(),
    reason: z.string().default(""),
    messageId: z.string().exactOptional(),
  }),
});

/**
 * The provider `generic`: the events `mail.bounced` and `mail.complained`, as `server/docs/configure.md` describes
 * them.
 */
export const generic = (secret: string) =>
  standardWebhooks(secret, "webhook", (payload, { id, at }) => {
    const { data: event } = genericEventSchema.safeParse(payload);
    if (!event) return [];
    const kind = event.type === "mail.bounced" ? "bounced" : "complained";
    return [{ id, kind, at: event.timestamp ?? at, ...event.data }];
  });
