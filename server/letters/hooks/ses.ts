/**
 * Amazon SES by SNS (https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html), whose messages are signed
 * (https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html). @module
 */
import { createVerify, type KeyObject, X509Certificate } from "node:crypto";
import { z } from "zod";
import type { Runtime } from "../../runtime/mod.ts";
import { type HookProvider, type ProviderReport, readJson } from "./report.ts";

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

const text = z.string();

const snsMessage = z.object({
  ...{ Type: text, MessageId: text, TopicArn: text, Message: text, Timestamp: text },
  ...{ Subject: text.nullish(), Token: text.exactOptional(), SubscribeURL: text.exactOptional() },
  ...{ SignatureVersion: z.enum(["1", "2"]), Signature: z.base64(), SigningCertURL: text },
});

type SnsMessage = z.infer<typeof snsMessage>;

export interface SnsCheckOptions extends Pick<Runtime, "monotonic" | "now"> {
  getText: (url: string) => Promise<string>;
}

/** The names of what is signed, in this order, where the message has it. */
const SIGNED: Record<string, string> = {
  Notification: "Message MessageId Subject Timestamp TopicArn Type",
  SubscriptionConfirmation: "Message MessageId SubscribeURL Timestamp Token TopicArn Type",
};

/** How many certificates are kept, and for how many milliseconds none is fetched after a failure, as names are free. */
const MAX_CERTIFICATES = 10, REST_MS = 10_000;

function createSnsCheck(topicArn: string, { getText, monotonic, now }: SnsCheckOptions) {
  const origin = `https://sns.${topicArn.split(":")[3]}.amazonaws.com`;
  const isOfSns = (url: string) => URL.canParse(url) && new URL(url).origin === origin;
  const keys = new Map<string, Promise<KeyObject>>();
  let restUntil = -Infinity;

  function findKey(url: string): Promise<KeyObject> | undefined {
    const known = keys.get(url);
    if (known || restUntil > monotonic() || keys.size >= MAX_CERTIFICATES) return known;
    const key = getText(url).then((pem) => {
      const certificate = new X509Certificate(pem);
      if (now() > Date.parse(certificate.validTo)) throw new Error("The certificate has expired");
      return certificate.publicKey;
    });
    key.catch(() => {
      keys.delete(url);
      restUntil = monotonic() + REST_MS;
    });
    keys.set(url, key);
    return key;
  }

  return {
    /** @throws where the certificate cannot be had, so that Amazon sends the message again */
    async isSigned(message: SnsMessage): Promise<boolean> {
      const { Type, SigningCertURL: url, SignatureVersion, Signature } = message;
      const names = SIGNED[Type]?.split(" ") as (keyof SnsMessage)[] | undefined;
      // With a query or another path, a certificate would have any number of names, which fill what is kept.
      const isCertificate = /^\/SimpleNotificationService-\w+\.pem$/.test(url.slice(origin.length));
      if (!names || !isOfSns(url) || !isCertificate) return false;
      const key = await findKey(url);
      if (!key) return false;
      const lines = names.map((name) => message[name] ? `${name}\n${message[name]}\n` : "");
      return createVerify(SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256")
        .update(lines.join("")).verify(key, Signature, "base64");
    },

    /** Tells SNS that the topic's messages are wanted here. */
    async confirm({ SubscribeURL: url = "" }: SnsMessage): Promise<void> {
      if (isOfSns(url)) await getText(url);
    },
  };
}
