/**
 * Verifies messages of Amazon SNS by their signatures and certificates, and confirms the subscription to the operator's
 * topic (https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html). @module
 */
import { createVerify, type X509Certificate } from "node:crypto";
import { z } from "zod";
import { REPORT_ID_MS } from "../../waitlist/mod.ts";
import { readJson } from "./report.ts";
import { createCertificates, type SnsOptions } from "./sns_certificates.ts";

const messageSchema = z.object({
  Type: z.string(),
  MessageId: z.string(),
  TopicArn: z.string(),
  Message: z.string(),
  Timestamp: z.string(),
  Subject: z.string().nullish(),
  Token: z.string().exactOptional(),
  SubscribeURL: z.string().exactOptional(),
  SignatureVersion: z.enum(["1", "2"]),
  Signature: z.base64(),
  SigningCertURL: z.string(),
});

/** A message of SNS. */
export type SnsMessage = z.infer<typeof messageSchema>;

/** For each type of message, the members that SNS signs, in the order of signing. SNS skips absent members. */
const SIGNED_MEMBERS: ReadonlyMap<string, readonly (keyof SnsMessage)[]> = new Map([
  ["Notification", ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]],
  [
    "SubscriptionConfirmation",
    ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
  ],
]);

/** The form of a certificate's path. Only one form is accepted, so that one certificate cannot have many URLs. */
const CERTIFICATE_PATH = /^\/SimpleNotificationService-\w+\.pem$/;

/** Reads a message of a topic, but does not verify its signature. Gives `undefined` for any other text. */
export function readSnsMessage(text: string, topicArn: string): SnsMessage | undefined {
  const { data: message } = messageSchema.safeParse(readJson(text));
  return message?.TopicArn === topicArn ? message : undefined;
}

/** Verifies the messages of one topic. */
export interface SnsVerifier {
  /**
   * Verifies the signature of a message. Stores a fetched certificate if it verifies the message.
   *
   * @param mayFetch whether a certificate may be fetched; is called only right before a fetch
   * @returns "unsigned" also for a message that is too old; "unverifiable" if the certificate cannot be fetched now, so
   * that SNS has to send the message again
   */
  verify: (
    message: SnsMessage,
    mayFetch: () => boolean,
  ) => Promise<"signed" | "unsigned" | "unverifiable">;
  /** Confirms the subscription that a verified message asks about, so that SNS sends the messages of the topic. */
  confirm: (message: SnsMessage) => Promise<void>;
}

/**
 * Makes the verifier of a topic's messages.
 * @param topicArn the topic; its region decides from which host certificates are fetched
 */
export function createSnsVerifier(topicArn: string, options: SnsOptions): SnsVerifier {
  const { getText, now } = options;
  // An ARN has the form `arn:partition:service:region:account:name`.
  const region = topicArn.split(":")[3];
  const origin = `https://sns.${region}.amazonaws.com`;
  const certificates = createCertificates(options);

  function urlOfSns(text: string): URL | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url?.origin === origin ? url : undefined;
  }

  /** Gives the URL of a message's certificate in normal form; `undefined` for a URL that SNS does not use. */
  function certificateUrlOf({ SigningCertURL }: SnsMessage): string | undefined {
    const url = urlOfSns(SigningCertURL);
    if (!url || !CERTIFICATE_PATH.test(url.pathname)) return undefined;
    // A query or a fragment would give one certificate many URLs.
    return url.href === origin + url.pathname ? url.href : undefined;
  }

  return {
    async verify(message, mayFetch) {
      const members = SIGNED_MEMBERS.get(message.Type);
      const url = certificateUrlOf(message);
      // A message that is older than `REPORT_ID_MS` is refused, because the ids of its reports may already be
      // deleted, so that the reports would count again.
      const isRecent = now() - Date.parse(message.Timestamp) <= REPORT_ID_MS;
      if (!members || !url || !isRecent) return "unsigned";
      const storedCertificate = certificates.find(url);
      const certificate = storedCertificate ??
        (mayFetch() ? await certificates.fetch(url) : undefined);
      if (!certificate) return "unverifiable";
      if (!isSignedBy(certificate, message, members)) return "unsigned";
      if (!storedCertificate) certificates.store(url, certificate);
      return "signed";
    },
    async confirm({ SubscribeURL = "" }) {
      if (urlOfSns(SubscribeURL)) await getText(SubscribeURL);
    },
  };
}

function isSignedBy(
  { publicKey }: X509Certificate,
  message: SnsMessage,
  members: readonly (keyof SnsMessage)[],
): boolean {
  const lines = members.map((member) => message[member] ? `${member}\n${message[member]}\n` : "");
  return createVerify(message.SignatureVersion === "1" ? "RSA-SHA1" : "RSA-SHA256")
    .update(lines.join("")).verify(publicKey, message.Signature, "base64");
}
