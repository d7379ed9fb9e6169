/** Amazon SES, whose notifications come by SNS
 * (https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html). @module
 */
import { z } from "zod";
import { type HookProvider, type ProviderReport, readJson } from "./report.ts";
import { createSnsCheck, type SnsCheckOptions, snsMessage } from "./sns_signature.ts";

const mail = z.object({ messageId: z.string() }).partial().default({});

const bounce = z.object({
  bounceType: z.string(),
  bouncedRecipients: z.array(
    z.object({ emailAddress: z.string(), diagnosticCode: z.string().default("") }),
  ),
  timestamp: z.string(),
  feedbackId: z.string(),
});

const complaint = z.object({
  complainedRecipients: z.array(z.object({ emailAddress: z.string() })),
  complaintFeedbackType: z.string().nullish(),
  timestamp: z.string(),
  feedbackId: z.string(),
});

/** What SES publishes by itself has `notificationType`; what a configuration set publishes, `eventType`. */
const notification = z.object({
  mail,
  bounce: bounce.exactOptional(),
  complaint: complaint.exactOptional(),
});

/** @param topicArn the one topic whose messages are taken */
export function ses(topicArn: string, options: SnsCheckOptions): HookProvider {
  const check = createSnsCheck(topicArn, options);
  return {
    async read({ text }) {
      const { data: message } = snsMessage.safeParse(readJson(text));
      if (message?.TopicArn !== topicArn || !await check.isSigned(message)) return undefined;
      if (message.Type === "SubscriptionConfirmation") await check.confirm(message);
      return message.Type === "Notification" ? reportsOf(readJson(message.Message)) : [];
    },
  };
}

function reportsOf(payload: unknown): ProviderReport[] {
  const { data } = notification.safeParse(payload);
  if (!data) return [];
  const { mail: { messageId }, bounce, complaint } = data;
  const bounced = bounce?.bouncedRecipients.map(({ emailAddress: email, diagnosticCode }) => ({
    id: `${bounce.feedbackId} ${email}`,
    email,
    kind: "bounced" as const,
    permanent: bounce.bounceType === "Permanent",
    reason: diagnosticCode,
    messageId,
    at: bounce.timestamp,
  }));
  // `not-spam` takes a complaint back.
  const isComplaint = complaint && complaint.complaintFeedbackType !== "not-spam";
  const complained = isComplaint &&
    complaint.complainedRecipients.map(({ emailAddress: email }) => ({
      id: `${complaint.feedbackId} ${email}`,
      email,
      kind: "complained" as const,
      permanent: true,
      reason: complaint.complaintFeedbackType ?? "",
      messageId,
      at: complaint.timestamp,
    }));
  return [...bounced ?? [], ...complained || []];
}
