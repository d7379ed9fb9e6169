/** The functions that read the values of the variables for letters and events. @module */
import { emailSchema } from "../../shared/email_schema.ts";
import { LOOPBACK } from "../../shared/loopback.ts";
import { redactUrl } from "../../shared/redact_url.ts";
import { decodePercent, parseUrl, secretMatching } from "./values.ts";

/** The place to which letters are sent: a mail server, a mail API, or a folder beside the KV file. */
export type MailTarget =
  | {
    kind: "smtp";
    host: string;
    port: number;
    /** How the connection is encrypted. `none` is only for loopback hosts and for a relay in the operator's network. */
    tls: "from_start" | "starttls" | "none";
    login?: { user: string; password: string };
  }
  | { kind: "api"; url: string; token: string }
  | { kind: "folder"; name: string };

export interface Sender {
  /** The name of the sender. It is empty if the sender has only an address. */
  name: string;
  address: string;
}

/** Reads `MAIL_URL`. The token of a mail API is added later, from `MAIL_TOKEN`. */
export function parseMailUrl(text: string): MailTarget {
  if (text.startsWith("file:")) return parseMailFolder(text);
  const url = parseUrl(text, ["smtp:", "smtps:", "https:", "http:", "file:"], { hidesPath: true });
  return url.protocol.startsWith("smtp")
    ? parseMailServer(url)
    : { kind: "api", url: parseCalledUrl(text), token: "" };
}

function parseMailFolder(text: string): MailTarget {
  const name = text.slice("file:".length);
  if (/^\w[\w.-]*$/.test(name)) return { kind: "folder", name };
  const shown = redactUrl(text);
  throw new Error(
    `is '${shown}'; it must name one folder, such as file:mail, which is made beside the KV file`,
  );
}

/** The default port of `smtp:`, with STARTTLS (RFC 6409). */
const SUBMISSION_PORT = 587;

/** The default port of `smtps:`, with TLS from the start (RFC 8314). */
const SUBMISSIONS_PORT = 465;

function parseMailServer(url: URL): MailTarget {
  const { protocol, hostname, port, username, password, pathname, search, hash } = url;
  const shown = redactUrl(url.href, { path: false });
  const isSecure = protocol === "smtps:";
  if (!hostname) throw new Error(`is '${shown}', which names no host`);
  if (!["", "/"].includes(pathname) || hash || !["", "?tls=none"].includes(search)) {
    throw new Error(`is '${shown}'; after the host and the port, only ?tls=none may follow`);
  }
  if (isSecure && search) {
    throw new Error(`is '${shown}'; smtps: always has TLS, so write smtp: with ?tls=none`);
  }
  if (Boolean(username) !== Boolean(password)) {
    throw new Error("has a user without a password, or a password without a user");
  }
  const user = decodePercent(username);
  const decodedPassword = decodePercent(password);
  if (username && (!user || !decodedPassword)) {
    throw new Error("has a user part that cannot be decoded; write a % in it as %25");
  }
  return {
    kind: "smtp",
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port) || (isSecure ? SUBMISSIONS_PORT : SUBMISSION_PORT),
    tls: tlsOf(url),
    ...(username && { login: { user, password: decodedPassword } }),
  };
}

/** Gives how the connection to a mail server is encrypted. A loopback host needs no encryption. */
function tlsOf({ protocol, hostname, search }: URL): "from_start" | "starttls" | "none" {
  if (protocol === "smtps:") return "from_start";
  return search === "?tls=none" || LOOPBACK.test(hostname) ? "none" : "starttls";
}

/** Reads a URL to which the service sends personal data: `https:`, or `http:` for a loopback host. */
export function parseCalledUrl(text: string): string {
  const url = parseUrl(text, ["https:", "http:"], {
    userFault: ", which is not sent",
    hidesPath: true,
  });
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname)) {
    throw new Error(
      `calls '${url.host}' by http:, which is for this machine alone, because addresses of people are ` +
        "sent there; it must be https:",
    );
  }
  return url.href;
}

/** How many characters the name of a sender has at most. */
const MAX_SENDER_NAME_LENGTH = 100;

/** Reads a sender in the form of a `From` header: `Name <address>`, or the address alone. */
export function parseSender(text: string): Sender {
  const sender = /^(?:(?<name>[^<>]*)<(?<bracketed>[^<>]*)>|(?<bare>[^<>]*))$/s.exec(text.trim());
  const { name = "", bracketed, bare = "" } = sender?.groups ?? {};
  const address = (bracketed ?? bare).trim();
  if (!emailSchema.safeParse(address).success) {
    throw new Error(`is '${text}', which has no e-mail address; write Name <address>`);
  }
  const unquotedName = name.trim().replace(/^"(.*)"$/s, "$1");
  if (
    unquotedName.length > MAX_SENDER_NAME_LENGTH || /["\\\p{Cc}\p{Zl}\p{Zp}]/u.test(unquotedName)
  ) {
    throw new Error(
      `is '${text}'; the name has at most ${MAX_SENDER_NAME_LENGTH} characters, and no quotes, ` +
        "backslashes or line ends",
    );
  }
  return { name: unquotedName, address };
}

/** Reads a bearer token (RFC 6750 §2.1). */
export const parseBearerToken = secretMatching(
  /^[A-Za-z0-9._~+/-]+=*$/,
  "has a character that no bearer token has; use A-Z a-z 0-9 . _ ~ + / - and =",
);

/** Reads an e-mail address without a name. */
export function parseMailbox(text: string): string {
  if (!emailSchema.safeParse(text).success) {
    throw new Error(`is '${text}', which is no e-mail address`);
  }
  return text;
}

/** The functions that read the secret of a `MAIL_HOOK`, by the name of the mail provider. */
const HOOK_SECRETS = {
  resend: parseWebhookSecret,
  generic: parseWebhookSecret,
  postmark: secretMatching(/^[\x21-\x7e]{16,200}$/, "is not 16 to 200 visible characters"),
  mailgun: secretMatching(/^[\x21-\x7e]{16,200}$/, "is not 16 to 200 visible characters"),
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
  const [, name = "", secret = ""] = /^([a-z]+):(.*)$/s.exec(text) ?? [];
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

/** The length of the shortest key that a webhook secret may have, in bytes (Standard Webhooks). */
const MIN_KEY_BYTES = 24;

/** The length of the longest key that a webhook secret may have, in bytes (Standard Webhooks). */
const MAX_KEY_BYTES = 64;

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
