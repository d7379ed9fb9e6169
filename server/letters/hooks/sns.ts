/**
 * Verifies messages of Amazon SNS by their signatures and certificates, and confirms the subscription of the own topic.
 * It follows https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html. @module
 */
import { createVerify, X509Certificate } from "node:crypto";
import { z } from "zod";
import type { Runtime } from "../../runtime/mod.ts";
import { REPORT_MS } from "../../waitlist/mod.ts";
import { readJson } from "./report.ts";

export interface SnsOptions extends Pick<Runtime, "monotonic" | "now"> {
  /** Gets a short text. @throws where the answer is not 2xx or does not come */
  getText: (url: string) => Promise<string>;
}

const snsMessage = z.object({
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

export type SnsMessage = z.infer<typeof snsMessage>;

/** The members that SNS signs, by the type of the message, in the order of the signature. SNS skips absent members. */
const SIGNED: ReadonlyMap<string, readonly (keyof SnsMessage)[]> = new Map([
  ["Notification", ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]],
  [
    "SubscriptionConfirmation",
    ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
  ],
]);

/** The path of a certificate. Only one form is accepted, so that a certificate cannot have any number of URLs. */
const CERTIFICATE_PATH = /^\/SimpleNotificationService-\w+\.pem$/;

/** Reads a message of a topic, without a look at its signature; `undefined` for any other text. */
export function readSnsMessage(text: string, topicArn: string): SnsMessage | undefined {
  const { data: message } = snsMessage.safeParse(readJson(text));
  return message?.TopicArn === topicArn ? message : undefined;
}

export interface SnsVerifier {
  /**
   * Verifies the signature of a message.
   *
   * @param mayFetch is asked before a certificate is fetched
   * @returns "unverifiable" where the certificate cannot be fetched now, so that SNS has to send the message again
   */
  verify: (
    message: SnsMessage,
    mayFetch: () => boolean,
  ) => Promise<"signed" | "unsigned" | "unverifiable">;
  /** Confirms the subscription of a verified message, so that SNS sends the topic's messages to the service. */
  confirm: (message: SnsMessage) => Promise<void>;
}

/** @param topicArn the topic, whose region decides from which host certificates come */
export function createSnsVerifier(topicArn: string, options: SnsOptions): SnsVerifier {
  const { getText, now } = options;
  const origin = `https://sns.${topicArn.split(":")[3]}.amazonaws.com`;
  const certificates = createCertificates(options);

  function urlOfSns(text: string): URL | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url?.origin === origin ? url : undefined;
  }

  /** Gives the URL of a message's certificate in its one normal form; `undefined` for a URL that SNS does not use. */
  function certificateUrlOf({ SigningCertURL }: SnsMessage): string | undefined {
    const url = urlOfSns(SigningCertURL);
    const isCertificate = url?.href === `${origin}${url?.pathname}` &&
      CERTIFICATE_PATH.test(url.pathname);
    return isCertificate ? url.href : undefined;
  }

  return {
    async verify(message, mayFetch) {
      const members = SIGNED.get(message.Type);
      const url = certificateUrlOf(message);
      // An older message is refused, because the ids of its reports are forgotten and it would count a second time.
      const isRecent = now() - Date.parse(message.Timestamp) <= REPORT_MS;
      if (!members || !url || !isRecent) return "unsigned";
      const stored = certificates.find(url);
      const certificate = stored ?? (mayFetch() ? await certificates.fetch(url) : undefined);
      if (!certificate) return "unverifiable";
      if (!isSignedBy(certificate, message, members)) return "unsigned";
      if (!stored) certificates.store(url, certificate);
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

/** The most certificates that are stored. */
const MAX_CERTIFICATES = 10;

/** The most certificates that are fetched at once. */
const MAX_FETCHES = 10;

/** How long a certificate is not fetched again after a failure, in milliseconds. */
const RETRY_MS = 10_000;

/** The most failures that are remembered. */
const MAX_FAILURES = 1_000;

/** Makes the certificates of SNS by their URLs: they are fetched, and stored in memory once they verified a message. */
function createCertificates({ getText, monotonic, now }: SnsOptions) {
  const stored = new Map<string, X509Certificate>();
  const fetches = new Map<string, Promise<X509Certificate | undefined>>();
  /** The moments until which URLs are not fetched again, on the monotonic clock. */
  const retryAt = new Map<string, number>();

  const hasExpired = ({ validTo }: X509Certificate) => now() > Date.parse(validTo);

  async function fetchOnce(url: string): Promise<X509Certificate | undefined> {
    try {
      const certificate = new X509Certificate(await getText(url));
      if (!hasExpired(certificate)) return certificate;
    } catch {
      // SNS may be unreachable, or a forged message may name a certificate that does not exist.
    }
    setLast(retryAt, url, monotonic() + RETRY_MS, MAX_FAILURES);
    return undefined;
  }

  return {
    /** Finds a certificate that has verified a message before. */
    find(url: string): X509Certificate | undefined {
      const certificate = stored.get(url);
      return certificate && !hasExpired(certificate) ? certificate : undefined;
    },
    /** Fetches a certificate; gives `undefined` where that fails or is not tried at present. */
    async fetch(url: string): Promise<X509Certificate | undefined> {
      const begun = fetches.get(url);
      if (begun) return await begun;
      if ((retryAt.get(url) ?? -Infinity) > monotonic() || fetches.size >= MAX_FETCHES) {
        return undefined;
      }
      const fetched = fetchOnce(url).finally(() => fetches.delete(url));
      fetches.set(url, fetched);
      return await fetched;
    },
    store(url: string, certificate: X509Certificate): void {
      setLast(stored, url, certificate, MAX_CERTIFICATES);
    },
  };
}

/** Sets a value as the last one of a map, and deletes the first value where there are more than `max`. */
function setLast<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value!);
}
