/**
 * Reads the reports of Amazon SES, which come as messages of SNS
 * (https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html). @module
 */
import { z } from "zod";
import { type HookProvider, type ProviderReport, readJson } from "./report.ts";
import { createSnsVerifier, readSnsMessage } from "./sns.ts";
import type { SnsOptions } from "./sns_certificates.ts";

const recipientsSchema = z.array(
  z.object({
    emailAddress: z.string(),
    diagnosticCode: z.string().default(""),
    status: z.string().nullish(),
  }),
);

/** A notification of SES, or an event of a configuration set. Both have the same members. */
const notificationSchema = z.object({
  mail: z.object({ messageId: z.string() }).partial().default({}),
  bounce: z.object({
    timestamp: z.string(),
    feedbackId: z.string(),
    bounceType: z.string(),
    bouncedRecipients: recipientsSchema,
  }).exactOptional(),
  complaint: z.object({
    timestamp: z.string(),
    feedbackId: z.string(),
    complainedRecipients: recipientsSchema,
    complaintFeedbackType: z.string().nullish(),
  }).exactOptional(),
});

/** Makes the provider `ses`. @param topicArn the only topic of SNS whose messages are accepted */
export function ses(topicArn: string, options: SnsOptions): HookProvider {
  const verifier = createSnsVerifier(topicArn, options);
  return {
    refusesHeaders: (headers) => headers.get("x-amz-sns-topic-arn") !== topicArn,
    async read({ text, mayFetch }) {
      const message = readSnsMessage(text, topicArn);
      if (!message) return "unsigned";
      const verdict = await verifier.verify(message, mayFetch);
      if (verdict !== "signed") return verdict;
      if (message.Type === "SubscriptionConfirmation") await verifier.confirm(message);
      const isReport = message.Type === "Notification";
      return { reports: isReport ? reportsOf(readJson(message.Message)) : [] };
    },
  };
}

function reportsOf(payload: unknown): ProviderReport[] {
  const { mail, bounce, complaint } = notificationSchema.safeParse(payload).data ?? {};
  const feedback = bounce ?? complaint;
  const complaintType = complaint?.complaintFeedbackType;
  // The type `not-spam` is no complaint: it means that a recipient has withdrawn a complaint.
  if (!feedback || complaintType === "not-spam") return [];
  const recipients = bounce?.bouncedRecipients ?? complaint?.complainedRecipients ?? [];
  return recipients.map(({ emailAddress: email, diagnosticCode, status }) => ({
    id: `${feedback.feedbackId} ${email}`,
    email,
    kind: bounce ? "bounced" : "complained",
    permanent: bounce?.bounceType === "Permanent",
    status,
    reason: complaintType ?? diagnosticCode,
    messageId: mail?.messageId,
    at: feedback.timestamp,
  }));
}
