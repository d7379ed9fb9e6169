/** Reads the bounce and spam complaint webhooks of Postmark (https://postmarkapp.com/developer/webhooks). @module */
import { Buffer } from "node:buffer";
import { z } from "zod";
import { isSameSecret } from "../../runtime/mod.ts";
import { type HookProvider, type ProviderReport, readJson } from "./report.ts";

const payloadSchema = z.object({
  RecordType: z.enum(["Bounce", "SpamComplaint"]),
  Type: z.string(),
  MessageID: z.string(),
  Email: z.string(),
  BouncedAt: z.string(),
  Description: z.string().default(""),
  Details: z.string().default(""),
});

/** The types of bounces after which Postmark itself sends no more letters to the address. */
const PERMANENT_TYPES = ["HardBounce", "BadEmailAddress"];

/**
 * The provider `postmark`, which does not sign its calls. Instead, the operator gives Postmark a URL that has the user
 * `hook` and the password of `MAIL_HOOK`.
 */
export function postmark(password: string): HookProvider {
  const expectedHeader = `Basic ${Buffer.from(`hook:${password}`).toString("base64")}`;
  return {
    refusesHeaders: (headers) => !isSameSecret(headers.get("authorization") ?? "", expectedHeader),
    read({ text }) {
      const { data: payload } = payloadSchema.safeParse(readJson(text));
      // The call is about something else, such as a delivery.
      if (!payload) return { reports: [] };
      const { RecordType, Type, MessageID, Email, Description, Details, BouncedAt } = payload;
      const report: ProviderReport = {
        // Postmark's own `ID` is not used, because it is a number that is too large for JavaScript to hold exactly.
        id: `${RecordType} ${Type} ${MessageID} ${Email}`,
        email: Email,
        kind: RecordType === "Bounce" ? "bounced" : "complained",
        permanent: PERMANENT_TYPES.includes(Type),
        reason: Details || Description,
        messageId: MessageID,
        at: BouncedAt,
      };
      return { reports: [report] };
    },
  };
}
