/** The DKIM signature of letters, as it is given or as a letter's source has it. @module */
import { UsageError } from "../../errors.ts";

export interface Signature {
  domain: string;
  selector: string;
}

const NAME = /^[a-z0-9]([a-z0-9_.-]*[a-z0-9])?$/i;

/** Reads `selector` or `selector@domain`. @param own the domain of the sender, where none is given */
export function parseSignature(text: string): { selector: string; domain?: string } {
  const [selector = "", domain, ...others] = text.split("@");
  if (others.length > 0 || !NAME.test(selector) || domain !== undefined && !NAME.test(domain)) {
    throw new UsageError(`--dkim is '${text}'; give SELECTOR or SELECTOR@DOMAIN`);
  }
  return { selector, ...domain !== undefined && { domain: domain.toLowerCase() } };
}

/**
 * Finds the signature in the source of a letter (RFC 6376 §3.5): that of the sender's domain if there is one, as
 * providers add one of their own.
 */
export function signatureIn(source: string, sender: string): Signature | undefined {
  const [header = ""] = source.split(/\r?\n\r?\n/, 1);
  const lines = header.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const signatures = lines.flatMap((line): Signature | [] => {
    const [, value] = /^DKIM-Signature:(.*)$/i.exec(line) ?? [];
    const tag = (name: string) =>
      new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*([^;\\s]+)`).exec(value ?? "")?.[1];
    const [domain, selector] = [tag("d"), tag("s")];
    return domain && selector ? { domain: domain.toLowerCase(), selector } : [];
  });
  return signatures.find(({ domain }) => domain === sender) ??
    signatures.find(({ domain }) =>
      sender.endsWith(`.${domain}`) || domain.endsWith(`.${sender}`)
    ) ??
    signatures[0];
}
