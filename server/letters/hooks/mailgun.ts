/**
 * Verifies the calls of Mailgun by their signatures, and reads the failures and complaints in these calls
 * (https://documentation.mailgun.com/docs/mailgun/user-manual/events/webhooks). @module
 */
import { createHmac } from "node:crypto";
import { z } from "zod";
import { DAY, isSameSecret, type Runtime } from "../../runtime/mod.ts";
import { REPORT_ID_MS } from "../../waitlist/mod.ts";
import { type HookProvider, type ProviderReport, readJson } from "./report.ts";

/**
 * Finds the signature in the text of the body. The body is not parsed as JSON before the signature is verified, because
 * parsing would take most of the time that the service needs to refuse a forged body of 64 KB.
 */
const SIGNATURE = /"signature"\s*:\s*(\{[^{}]{0,1000}\})/;

const signatureSchema = z.object({
  // Seconds since 1970. Mailgun signs the timestamp and the token as one text. The fixed number of digits is needed,
  // because otherwise the signature would stay right if somebody moved digits between the timestamp and the token.
  timestamp: z.string().regex(/^\d{10}$/),
  token: z.string().min(1),
  signature: z.string(),
});

const eventSchema = z.object({
  id: z.string(),
  event: z.enum(["failed", "complained"]),
  timestamp: z.number(),
  recipient: z.string(),
  severity: z.string().exactOptional(),
  reason: z.string().default(""),
  "delivery-status": z.object({
    message: z.string(),
    description: z.string(),
    // A value that is not a text is ignored, because a report counts without its enhanced status code as well.
    "enhanced-code": z.string().optional().catch(undefined),
  }).partial().nullish(),
  message: z.object({ headers: z.object({ "message-id": z.string() }).partial() }).nullish(),
});

const payloadSchema = z.object({ "event-data": eventSchema });

/**
 * The reasons of permanent failures that say nothing about the mailbox: Mailgun gave up (`old`), or Mailgun itself was
 * blocked (`espblock`).
 */
const REASONS_NOT_ABOUT_MAILBOX = ["old", "espblock"];

/**
 * The largest accepted difference between the timestamp of a call and the clock, in milliseconds. It is longer than the
 * 8 hours for which Mailgun repeats a call. It is shorter than the time for which tokens are stored (`REPORT_ID_MS`,
 * because a token is stored like the id of a report).
 */
const MAX_DIFFERENCE_MS = REPORT_ID_MS - DAY;

/**
 * The provider `mailgun`. Each token is accepted only once, because the signature covers only the token and its
 * timestamp, and not the event in the call.
 */
export const mailgun = (signingKey: string, { now }: Pick<Runtime, "now">): HookProvider => ({
  read({ text }) {
    const [, signatureText = ""] = SIGNATURE.exec(text) ?? [];
    const { data: signedValues } = signatureSchema.safeParse(readJson(signatureText));
    if (!signedValues) return "unsigned";
    const { timestamp, token, signature } = signedValues;
    const hmac = createHmac("sha256", signingKey);
    const expectedSignature = hmac.update(timestamp + token).digest("hex");
    const isInTime = Math.abs(now() - 1_000 * Number(timestamp)) < MAX_DIFFERENCE_MS;
    if (!isSameSecret(signature, expectedSignature) || !isInTime) return "unsigned";
    const { data: payload } = payloadSchema.safeParse(readJson(text));
    return { token, reports: payload ? [reportOf(payload["event-data"])] : [] };
  },
});

function reportOf(event: z.infer<typeof eventSchema>): ProviderReport {
  const { "delivery-status": delivery, reason } = event;
  return {
    id: event.id,
    email: event.recipient,
    kind: event.event === "failed" ? "bounced" : "complained",
    permanent: event.severity === "permanent" && !REASONS_NOT_ABOUT_MAILBOX.includes(reason),
    status: delivery?.["enhanced-code"],
    reason: delivery?.message || delivery?.description || reason,
    messageId: event.message?.headers["message-id"],
    at: event.timestamp * 1_000,
  };
}
