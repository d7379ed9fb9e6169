/**
 * Reports that are signed as Standard Webhooks has it (https://www.standardwebhooks.com): those of a provider, and those
 * of who runs a mail server and can call a URL. @module
 */
import { createHmac } from "node:crypto";
import { z } from "zod";
import { isSame } from "../../runtime/mod.ts";
import { type HookProvider, type ProviderReport, readJson } from "./report.ts";

/** How far the moment of the signature may be off, in seconds. */
const TOLERANCE = 5 * 60;

/**
 * @param prefix the beginning of the names of its headers
 * @param reportsOf reads the reports of a payload, which may be anything; `at` is when the call was signed, in ms
 */
export function standardWebhooks(
  secret: string,
  prefix: "webhook" | "svix",
  reportsOf: (payload: unknown, call: { id: string; at: number }) => ProviderReport[],
): HookProvider {
  const key = Uint8Array.fromBase64(secret.slice("whsec_".length));
  // Native, as a forged body may be long; the digests of `runtime/` are for short texts.
  const sign = (text: string) => createHmac("sha256", key).update(text).digest("base64");
  const partsOf = (headers: Headers) =>
    ["id", "timestamp", "signature"].map((name) => headers.get(`${prefix}-${name}`) ?? "");
  return {
    isForeign(headers, now) {
      const [id, timestamp, signature] = partsOf(headers);
      const isInTime = Math.abs(now / 1_000 - Number(timestamp)) <= TOLERANCE;
      return !id || !timestamp || !signature?.includes("v1,") || !isInTime;
    },
    read({ headers, text }) {
      const [id = "", timestamp = "", signatures = ""] = partsOf(headers);
      const wanted = `v1,${sign(`${id}.${timestamp}.${text}`)}`;
      // While a secret is replaced there are two signatures.
      const isSigned = signatures.split(" ").some((each) => isSame(each, wanted));
      return isSigned
        ? { reports: reportsOf(readJson(text), { id, at: 1_000 * Number(timestamp) }) }
        : "unsigned";
    },
  };
}

const schema = z.object({
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

export const generic = (secret: string) =>
  standardWebhooks(secret, "webhook", (payload, { id, at }) => {
    const { data: report } = schema.safeParse(payload);
    if (!report) return [];
    const kind = report.type === "mail.bounced" ? "bounced" : "complained";
    return [{ id, kind, at: report.timestamp ?? at, ...report.data }];
  });
