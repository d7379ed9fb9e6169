/**
 * Reads the reports `email.bounced` and `email.complained` of Resend
 * (https://resend.com/docs/webhooks/emails/bounced). @module
 */
import { z } from "zod";
import type { HookProvider, ProviderReport } from "./report.ts";
import { createStandardWebhooks, type SignedPayload } from "./standard_webhooks.ts";

const eventSchema = z.object({
  type: z.enum(["email.bounced", "email.complained"]),
  created_at: z.string(),
  data: z.object({
    email_id: z.string().exactOptional(),
    to: z.array(z.string()),
    bounce: z.object({ type: z.string(), message: z.string().default("") }).exactOptional(),
  }),
});

/** The provider `resend`, which signs its calls by Standard Webhooks with the header names of Svix. */
export const resend = (secret: string): HookProvider =>
  createStandardWebhooks({ secret, headerPrefix: "svix", readReports });

function readReports({ id, payload }: SignedPayload): ProviderReport[] {
  const { data: event } = eventSchema.safeParse(payload);
  if (!event) return [];
  const { email_id: messageId, to, bounce } = event.data;
  return to.map((email) => ({
    // An event can be about several addresses. Each report of the event needs an id of its own, because repeats are
    // recognized by the id.
    id: `${id} ${email}`,
    email,
    kind: event.type === "email.bounced" ? "bounced" : "complained",
    permanent: bounce?.type === "Permanent",
    reason: bounce?.message ?? "",
    messageId,
    at: event.created_at,
  }));
}
