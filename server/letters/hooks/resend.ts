/**
 * Reads the reports `email.bounced` and `email.complained` of Resend
 * (https://resend.com/docs/webhooks/emails/bounced). @module
 */
import { z } from "zod";
import { standardWebhooks } from "./standard_webhooks.ts";

const schema = z.object({
  type: z.enum(["email.bounced", "email.complained"]),
  created_at: z.string(),
  data: z.object({
    email_id: z.string().exactOptional(),
    to: z.array(z.string()),
    bounce: z.object({ type: z.string(), message: z.string().default("") }).exactOptional(),
  }),
});

/** The provider `resend`, which signs its calls by Standard Webhooks with the header names of Svix. */
export const resend = (secret: string) =>
  standardWebhooks(secret, "svix", (payload, { id }) => {
    const { data: call } = schema.safeParse(payload);
    if (!call) return [];
    const { type, created_at: at, data: { email_id: messageId, to, bounce } } = call;
    return to.map((email) => ({
      // A call can be about several addresses. Each report of the call needs an id of its own, because repeats are
      // recognized by the id.
      id: `${id} ${email}`,
      email,
      kind: type === "email.bounced" ? "bounced" : "complained",
      permanent: bounce?.type === "Permanent",
      reason: bounce?.message ?? "",
      messageId,
      at,
    }));
  });
