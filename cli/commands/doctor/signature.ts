/**
 * Reads the DKIM signature and the sender of the envelope from a flag or from the source of a letter.
 *
 * @module
 */
import { UsageError } from "../../errors.ts";

/**
 * The domain and the selector of a DKIM signature. The key of the signature is in DNS, under the name
 * `SELECTOR._domainkey.DOMAIN` (RFC 6376 §3.6.2).
 */
export interface Signature {
  domain: string;
  selector: string;
}

/** Matches a selector or a domain. */
const NAME = /^[a-z0-9]([a-z0-9_.-]*[a-z0-9])?$/i;

/** Reads `--dkim`: `SELECTOR` or `SELECTOR@DOMAIN`. */
export function parseSignature(text: string): { selector: string; domain?: string } {
  const [selector = "", domain, ...others] = text.split("@");
  if (others.length > 0 || !NAME.test(selector) || domain !== undefined && !NAME.test(domain)) {
    throw new UsageError(`--dkim is '${text}'; give SELECTOR or SELECTOR@DOMAIN`);
  }
  return { selector, ...domain !== undefined && { domain: domain.toLowerCase() } };
}

/**
 * Finds the signature in the source of a letter (RFC 6376 §3.5). It prefers the signature of the sender's domain,
 * because mail providers often add a signature of their own domain.
 */
export function signatureIn(source: string, senderDomain: string): Signature | undefined {
  const signatures: Signature[] = [];
  for (const header of headersIn(source, "DKIM-Signature")) {
    const domain = tagIn(header, "d")?.toLowerCase();
    const selector = tagIn(header, "s");
    if (domain && selector) signatures.push({ domain, selector });
  }
  return signatures.find(({ domain }) => domain === senderDomain) ??
    signatures.find(({ domain }) =>
      senderDomain.endsWith(`.${domain}`) || domain.endsWith(`.${senderDomain}`)
    ) ??
    signatures[0];
}

/** Returns the value of a tag in a DKIM header, such as `d`; `undefined` if the header does not have the tag. */
function tagIn(header: string, name: string): string | undefined {
  return new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*([^;\\s]+)`).exec(header)?.[1];
}

/** Finds the sender of the envelope, which the receiving server writes into the source of a letter (RFC 5321 §4.4). */
export function envelopeIn(source: string): string | undefined {
  const [returnPath = ""] = headersIn(source, "Return-Path");
  return /^\s*<?([^<>\s@]+@[^<>\s@]+)>?\s*$/.exec(returnPath)?.[1];
}

/** Returns the values of all headers with a name, in the source of a letter. */
function headersIn(source: string, name: string): string[] {
  const [header = ""] = source.split(/\r?\n\r?\n/, 1);
  const prefix = `${name}:`.toLowerCase();
  return header.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)
    .filter((line) => line.toLowerCase().startsWith(prefix))
    .map((line) => line.slice(prefix.length));
}
