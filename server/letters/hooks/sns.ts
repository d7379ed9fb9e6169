/**
 * Verifies messages of Amazon SNS by their signatures and certificates, and confirms the subscription to the operator's
 * topic (https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html). @module
 */
import { createVerify, X509Certificate } from "node:crypto";
import { z } from "zod";
import type { Runtime } from "../../runtime/mod.ts";
import { REPORT_MS } from "../../waitlist/mod.ts";
import { readJson } from "./report.ts";

export interface SnsOptions extends Pick<Runtime, "monotonic" | "now"> {
  /** Gets a short text. @throws an Error if the answer is not 2xx or does not come */
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

/** The form of a certificate's path. Only one form is accepted, so that one certificate cannot have many URLs. */
const CERTIFICATE_PATH = /^\/SimpleNotificationService-\w+\.pem$/;

/** Reads a message of a topic, but does not verify its signature. Gives `undefined` for any other text. */
export function readSnsMessage(text: string, topicArn: string): SnsMessage | undefined {
  const { data: message } = snsMessage.safeParse(readJson(text));
  return message?.TopicArn === topicArn ? message : undefined;
}

export interface SnsVerifier {
  /**
   * Verifies the signature of a message.
   *
   * @param mayFetch whether a certificate may be fetched; is called only right before a fetch
   * @returns "unverifiable" if the certificate cannot be fetched now, so that SNS has to send the message again
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
  const origin = `https://sns.${topicArn.split(":")[3]}.amazonaws.com`;
  const certificates = createCertificates(options);

  function urlOfSns(text: string): URL | undefined {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url?.origin === origin ? url : undefined;
  }

  /** Gives the URL of a message's certificate in normal form; `undefined` for a URL that SNS does not use. */
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
      // An older message is refused, because the ids of its reports may be deleted already, so that the reports would
      // count again.
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

/** How many certificates are kept in memory at most. */
const MAX_CERTIFICATES = 10;

/** How many certificates are fetched at once at most. */
const MAX_FETCHES = 10;

/** How long a certificate is not fetched again after a failure, in milliseconds. */
const RETRY_MS = 10_000;

/** How many URLs of failed fetches are remembered at most. */
const MAX_FAILURES = 1_000;

/** Makes the cache of SNS certificates by URL. A certificate is kept in memory once it has verified a message. */
function createCertificates({ getText, monotonic, now }: SnsOptions) {
  const stored = new Map<string, X509Certificate>();
  const fetches = new Map<string, Promise<X509Certificate | undefined>>();
  /** For each URL whose fetch failed, the moment until which it is not fetched again, on the monotonic clock. */
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
    /** Fetches a certificate; gives `undefined` if the fetch fails or is not tried at present. */
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

/** Puts a value at the end of a map. Deletes the first value if the map then has more than `max` values. */
function setLast<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > max) map.delete(map.keys().next().value!);
}
