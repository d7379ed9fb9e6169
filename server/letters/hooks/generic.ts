/** The reports of those who run a mail server and can call a URL. @module */
import { z } from "zod";
import { standardWebhooks } from "./standard_webhooks.ts";

const schema = z.object({
  type: z.enum(["mail.bounced", "mail.complained"]),
  timestamp: z.iso.datetime({ offset: true }).exactOptional(),
  data: z.object({
    email: z.string(),
    permanent: z.boolean().default(false),
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
