/**
 * The functions that read the secrets of webhooks: of the mail provider's reports to the service (`MAIL_HOOK`), and of
 * the service's events (`WEBHOOK_SECRET`). @module
 */
import { secretMatching } from "./values.ts";

/** The length of the shortest key that a webhook secret may have, in bytes (Standard Webhooks). */
const MIN_KEY_BYTES = 24;

/** The length of the longest key that a webhook secret may have, in bytes (Standard Webhooks). */
const MAX_KEY_BYTES = 64;

/** Reads a signing key or a password. */
const parseVisibleSecret = secretMatching(
  /^[\x21-\x7e]{16,200}$/,
  "is not 16 to 200 visible characters",
);

/** The functions that read the secret of a `MAIL_HOOK`, by the name of the mail provider. */
const HOOK_SECRETS = {
  resend: parseWebhookSecret,
  generic: parseWebhookSecret,
  postmark: parseVisibleSecret,
  mailgun: parseVisibleSecret,
  ses: secretMatching(
    /^arn:aws:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/,
    "is not the ARN of an SNS topic",
  ),
};

/**
 * The mail provider that reports bounces and complaints to the service, and the secret by which its calls are verified.
 */
export interface MailHook {
  provider: keyof typeof HOOK_SECRETS;
  secret: string;
}

/** Reads `MAIL_HOOK`, which has the form `provider:secret`. Errors never quote the secret. */
export function parseMailHook(text: string): MailHook {
  const { name = "", secret = "" } = /^(?<name>[a-z]+):(?<secret>.*)$/s.exec(text)?.groups ?? {};
  // The cast is needed because the type of `Object.keys` is a list of plain strings.
  const providers = Object.keys(HOOK_SECRETS) as MailHook["provider"][];
  const provider = providers.find((provider) => provider === name);
  if (!provider) {
    throw new Error(
      `does not begin with a provider and a colon; the providers are ${providers.join(", ")}`,
    );
  }
  return { provider, secret: HOOK_SECRETS[provider](secret) };
}

/**
 * Reads `WEBHOOK_SECRET`: one secret, or two secrets with a space between them while an operator replaces the secret.
 */
export function parseWebhookSecrets(text: string): string[] {
  const secrets = text.trim().split(/\s+/);
  if (secrets.length > 2) throw new Error("has more than two secrets");
  return secrets.map(parseWebhookSecret);
}

/** Reads a secret of Standard Webhooks: `whsec_` and a key in base64. Errors never quote the secret. */
export function parseWebhookSecret(text: string): string {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (!encoded || encoded.length % 4 !== 0) throw new Error("is not whsec_ and base64");
  const length = atob(encoded).length;
  if (length < MIN_KEY_BYTES || length > MAX_KEY_BYTES) {
    throw new Error(
      `has a key of ${length} bytes; it must have ${MIN_KEY_BYTES} to ${MAX_KEY_BYTES}`,
    );
  }
  return text;
}
