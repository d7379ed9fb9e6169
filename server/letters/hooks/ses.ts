/**
 * Amazon SES by SNS (https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html), whose messages are signed
 * (https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html). @module
 */
import { createVerify, type X509Certificate } from "node:crypto";
import { z } from "zod";
import { REPORT_MS } from "../../waitlist/mod.ts";
import { type HookProvider, type ProviderReport, readJson } from "./report.ts";
import { createSnsCertificates, type SnsCertificatesOptions } from "./sns_certificates.ts";

const recipients = z.array(
  z.object({
    emailAddress: z.string(),
    diagnosticCode: z.string().default(""),
    status: z.string().nullish(),
  }),
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
export function ses(topicArn: string, options: SnsCertificatesOptions): HookProvider {
  const check = createSnsCheck(topicArn, options);
  return {
    // SNS names the topic in a header, too.
    isForeign: (headers) => headers.get("x-amz-sns-topic-arn") !== topicArn,
    async read({ text, mayFetch }) {
      const { data: message } = snsMessage.safeParse(readJson(text));
      if (message?.TopicArn !== topicArn) return "unsigned";
      const verdict = await check.verify(message, mayFetch);
      if (verdict !== "signed") return verdict;
      if (message.Type === "SubscriptionConfirmation") await check.confirm(message);
      const isReport = message.Type === "Notification";
      return { reports: isReport ? reportsOf(readJson(message.Message)) : [] };
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
  return people.map(({ emailAddress: email, diagnosticCode, status }) => ({
    id: `${about.feedbackId} ${email}`,
    email,
    kind: bounce ? "bounced" : "complained",
    permanent: bounce?.bounceType === "Permanent",
    status,
    reason: type ?? diagnosticCode,
    messageId: mail?.messageId,
    at: about.timestamp,
  }));
}

const text = z.string();

const snsMessage = z.object({
  ...{ Type: text, MessageId: text, TopicArn: text, Message: text, Timestamp: text },
  ...{ Subject: text.nullish(), Token: text.exactOptional(), SubscribeURL: text.exactOptional() },
  ...{ SignatureVersion: z.enum(["1", "2"]), Signature: z.base64(), SigningCertURL: text },
});

type SnsMessage = z.infer<typeof snsMessage>;

/** The members that Amazon SNS signs in each type of message, in the order of the signature. It leaves out absent ones. */
const SIGNED: ReadonlyMap<string, readonly (keyof SnsMessage)[]> = new Map([
  ["Notification", ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]],
  [
    "SubscriptionConfirmation",
    ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
  ],
]);

/** With a query or another path, a certificate would have any number of names. */
const CERTIFICATE_PATH = /^\/SimpleNotificationService-\w+\.pem$/;

function createSnsCheck(topicArn: string, options: SnsCertificatesOptions) {
  const { getText, now } = options;
  const origin = `https://sns.${topicArn.split(":")[3]}.amazonaws.com`;
  const certificates = createSnsCertificates(options);

  function urlOfSns(text: string): URL | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url?.origin === origin ? url : undefined;
  }

  /** Gives the one name of the certificate, however its URL is written. */
  function certificateName({ SigningCertURL }: SnsMessage): string | undefined {
    const url = urlOfSns(SigningCertURL);
    const isCertificate = url?.href === `${origin}${url?.pathname}` &&
      CERTIFICATE_PATH.test(url.pathname);
    return isCertificate ? url.href : undefined;
  }

  return {
    /** Verifies a message; `unverifiable` where its certificate cannot be had, so that SNS sends the message again. */
    async verify(
      message: SnsMessage,
      mayFetch: () => boolean,
    ): Promise<"signed" | "unsigned" | "unverifiable"> {
      const names = SIGNED.get(message.Type);
      const certificateUrl = certificateName(message);
      // Once the ids of an older message's reports are forgotten, a repeat would count again.
      const isRecent = now() - Date.parse(message.Timestamp) <= REPORT_MS;
      if (!names || !certificateUrl || !isRecent) return "unsigned";
      const kept = certificates.findKept(certificateUrl);
      const certificate = kept ??
        (mayFetch() ? await certificates.fetch(certificateUrl) : undefined);
      if (!certificate) return "unverifiable";
      if (!isSignedBy(certificate, message, names)) return "unsigned";
      if (!kept) certificates.keep(certificateUrl, certificate);
      return "signed";
    },

    /** Tells SNS that the topic's messages are wanted here. */
    async confirm({ SubscribeURL = "" }: SnsMessage): Promise<void> {
      if (urlOfSns(SubscribeURL)) await getText(SubscribeURL);
    },
  };
}

function isSignedBy(
  { publicKey }: X509Certificate,
  message: SnsMessage,
  names: readonly (keyof SnsMessage)[],
): boolean {
  const lines = names.map((name) => message[name] ? `${name}\n${message[name]}\n` : "");
  return createVerify(message.SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256")
    .update(lines.join("")).verify(publicKey, message.Signature, "base64");
}
