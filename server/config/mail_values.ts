/** The functions that read the values of the variables for letters. @module */
import { emailSchema } from "../../shared/email_schema.ts";
import { LOOPBACK } from "../../shared/loopback.ts";
import { redactUrl } from "../../shared/redact_url.ts";
import { decodePercent, parseCalledUrl, parseUrl, secretMatching } from "./values.ts";

/** The default port of `smtp:`, with STARTTLS (RFC 6409). */
const SUBMISSION_PORT = 587;

/** The default port of `smtps:`, with TLS from the start (RFC 8314). */
const SUBMISSIONS_PORT = 465;

/** How many characters the name of a sender has at most. */
const MAX_SENDER_NAME_LENGTH = 100;

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

/** The sender that recipients of letters see. */
export interface Sender {
  /** The name of the sender. It is empty if the sender has only an address. */
  name: string;
  address: string;
}

/** Reads `MAIL_URL`. The token of a mail API is added later, from `MAIL_TOKEN`. */
export function parseMailUrl(text: string): MailTarget {
  if (text.startsWith("file:")) return parseMailFolder(text);
  // A value with `file:` does not come here. The error message lists `file:` as well.
  const url = parseUrl(text, ["smtp:", "smtps:", "https:", "http:", "file:"], { hidesPath: true });
  return url.protocol.startsWith("smtp")
    ? parseMailServer(url)
    : { kind: "api", url: parseCalledUrl(text), token: "" };
}

function parseMailFolder(text: string): MailTarget {
  const name = text.slice("file:".length);
  if (/^\w[\w.-]*$/.test(name)) return { kind: "folder", name };
  const redactedText = redactUrl(text);
  throw new Error(
    `is '${redactedText}'; it must name one folder, such as file:mail, which is made beside the KV file`,
  );
}

function parseMailServer(url: URL): MailTarget {
  const { protocol, hostname, port, username, password, pathname, search, hash } = url;
  const redactedUrl = redactUrl(url.href, { path: false });
  const isSmtps = protocol === "smtps:";
  if (!hostname) throw new Error(`is '${redactedUrl}', which names no host`);
  if (!["", "/"].includes(pathname) || hash || !["", "?tls=none"].includes(search)) {
    throw new Error(`is '${redactedUrl}'; after the host and the port, only ?tls=none may follow`);
  }
  if (isSmtps && search) {
    throw new Error(`is '${redactedUrl}'; smtps: always has TLS, so write smtp: with ?tls=none`);
  }
  if (Boolean(username) !== Boolean(password)) {
    throw new Error("has a user without a password, or a password without a user");
  }
  const login = { user: decodePercent(username), password: decodePercent(password) };
  if (username && (!login.user || !login.password)) {
    throw new Error("has a user part that cannot be decoded; write each % in the user part as %25");
  }
  return {
    kind: "smtp",
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port) || (isSmtps ? SUBMISSIONS_PORT : SUBMISSION_PORT),
    tls: tlsOf(url),
    ...(username && { login }),
  };
}

/** Gives how the connection to a mail server is encrypted. A loopback host needs no encryption. */
function tlsOf({ protocol, hostname, search }: URL): "from_start" | "starttls" | "none" {
  if (protocol === "smtps:") return "from_start";
  return search === "?tls=none" || LOOPBACK.test(hostname) ? "none" : "starttls";
}

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
