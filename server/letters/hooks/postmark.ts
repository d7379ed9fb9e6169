/** Postmark: its bounce and its spam complaint webhook (https://postmarkapp.com/developer/webhooks). @module */
import { Buffer } from "node:buffer";
import { z } from "zod";
import { isSame } from "../../runtime/mod.ts";
import { type HookProvider, type ProviderReport, readJson } from "./report.ts";

const schema = z.object({
  RecordType: z.enum(["Bounce", "SpamComplaint"]),
  Type: z.string(),
  MessageID: z.string(),
  Email: z.string(),
  BouncedAt: z.string(),
  Description: z.string().default(""),
  Details: z.string().default(""),
});

/** The types of bounces after which Postmark itself sends nothing more to the address. */
const PERMANENT = ["HardBounce", "BadEmailAddress"];

/** Postmark signs nothing: the URL that it is given has the user `hook` and the password. */
export function postmark(password: string): HookProvider {
  const wanted = `Basic ${Buffer.from(`hook:${password}`).toString("base64")}`;
  return {
    isForeign: (headers) => !isSame(headers.get("authorization") ?? "", wanted),
    read({ text }) {
      const { data: report } = schema.safeParse(readJson(text));
      if (!report) return { reports: [] };
      const { RecordType, Type, MessageID, Email, Description, Details, BouncedAt } = report;
      const bounceOrComplaint: ProviderReport = {
        // Its `ID` is a number that JavaScript cannot tell from its neighbours.
        id: `${RecordType} ${Type} ${MessageID} ${Email}`,
        email: Email,
        kind: RecordType === "Bounce" ? "bounced" : "complained",
        permanent: PERMANENT.includes(Type),
        reason: Details || Description,
        messageId: MessageID,
        at: BouncedAt,
      };
      return { reports: [bounceOrComplaint] };
    },
  };
}
