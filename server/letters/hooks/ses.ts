/** Amazon SES by SNS (https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html). @module */
import { z } from "zod";
import { type HookProvider, type ProviderReport, readJson } from "./report.ts";
import { createSnsCheck, type SnsCheckOptions, snsMessage } from "./sns_signature.ts";

const recipients = z.array(
  z.object({ emailAddress: z.string(), diagnosticCode: z.string().default("") }),
);

const feedback = { timestamp: z.string(), feedbackId: z.string() };

/** What SES publishes by itself, or a configuration set. */
const notification = z.object({
  mail: z.object({ messageId: z.string() }).partial().default({}),
  bounce: z.object({ ...feedback, bounceType: z.string(), bouncedRecipients: recipients })
    .exactOptional(),
  complaint: z.object({
    ...feedback,
    complainedRecipients: recipients,
    complaintFeedbackType: z.string().nullish(),
  }).exactOptional(),
});

/** @param topicArn the one topic whose messages are taken */
export function ses(topicArn: string, options: SnsCheckOptions): HookProvider {
  const check = createSnsCheck(topicArn, options);
  return {
    // SNS names the topic in a header, too.
    isForeign: (headers) => headers.get("x-amz-sns-topic-arn") !== topicArn,
    async read({ text }) {
      const { data: message } = snsMessage.safeParse(readJson(text));
      if (message?.TopicArn !== topicArn || !await check.isSigned(message)) return undefined;
      if (message.Type === "SubscriptionConfirmation") await check.confirm(message);
      return message.Type === "Notification" ? reportsOf(readJson(message.Message)) : [];
    },
  };
}

function reportsOf(payload: unknown): ProviderReport[] {
  const { mail, bounce, complaint } = notification.safeParse(payload).data ?? {};
  const type = complaint?.complaintFeedbackType;
  const about = bounce ?? complaint;
  // `not-spam` takes a complaint back.
  if (!about || type === "not-spam") return [];
  const people = bounce?.bouncedRecipients ?? complaint?.complainedRecipients ?? [];
  return people.map(({ emailAddress: email, diagnosticCode }) => ({
    id: `${about.feedbackId} ${email}`,
    email,
    kind: bounce ? "bounced" : "complained",
    permanent: bounce?.bounceType === "Permanent",
    reason: type ?? diagnosticCode,
    messageId: mail?.messageId,
    at: about.timestamp,
  }));
}
