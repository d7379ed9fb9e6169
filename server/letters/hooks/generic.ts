/**
 * Reads the reports of the provider `generic`, which operators with a mail server of their own use: the events
 * `mail.bounced` and `mail.complained`, as `server/docs/configure.md` describes them. @module
 */
import { z } from "zod";
import type { HookProvider, ProviderReport } from "./report.ts";
import { createStandardWebhooks, type SignedPayload } from "./standard_webhooks.ts";

const eventSchema = z.object({
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

/** The provider `generic`, which signs its calls by Standard Webhooks. */
export const generic = (secret: string): HookProvider =>
  createStandardWebhooks({ secret, headerPrefix: "webhook", readReports });

function readReports({ id, signedAt, payload }: SignedPayload): ProviderReport[] {
  const { data: event } = eventSchema.safeParse(payload);
  if (!event) return [];
  const kind = event.type === "mail.bounced" ? "bounced" : "complained";
  return [{ id, kind, at: event.timestamp ?? signedAt, ...event.data }];
}
