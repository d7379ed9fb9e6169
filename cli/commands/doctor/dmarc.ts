/**
 * Finds the DMARC record for a domain, and decides which domains are aligned with the sender (RFC 7489 §3.1, §6.6.3).
 *
 * @module
 */
import type { Dns } from "../../context.ts";

/** A DMARC record. */
export interface Dmarc {
  /** The domain that publishes the record, such as `example.com` for a record at `_dmarc.example.com`. */
  domain: string;
  record: string;
}

/** Why a DMARC record does not count, and what to do. */
interface DmarcFault {
  fault: string;
  toDo: string;
}

/** Returns the name at which a domain publishes its DMARC record. */
export function dmarcName(domain: string): string {
  return `_dmarc.${domain}`;
}

/**
 * Finds the DMARC record of a domain or, if the domain has no record, the record of the nearest domain above that has
 * one. The domains are looked up one after the other, because finding the organizational domain (RFC 7489) would need a
 * list of public suffixes.
 *
 * @returns the record, a fault of the record, or `undefined` if there is no record
 */
export async function findDmarc(
  senderDomain: string,
  dns: Dns,
): Promise<Dmarc | DmarcFault | undefined> {
  const labels = senderDomain.split(".");
  // The last label alone, such as `com`, is not looked up.
  for (let from = 0; from <= labels.length - 2; from++) {
    const domain = labels.slice(from).join(".");
    const name = dmarcName(domain);
    const texts = await dns.txt(name);
    const [record, ...others] = texts.filter((text) => /^v=DMARC1\s*(?:;|$)/i.test(text));
    if (record === undefined) continue;
    if (others.length > 0) {
      return {
        fault: `${name} has ${others.length + 1} DMARC records, so mail servers use none of them`,
        toDo: "keep one of these records, and remove the others",
      };
    }
    if (!/;\s*p\s*=\s*(?:none|quarantine|reject)\b/i.test(record)) {
      return {
        fault: `the DMARC record at ${name} has no p=`,
        toDo: "add p=, as in 'v=DMARC1; p=none'",
      };
    }
    return { domain, record };
  }
  return undefined;
}

/**
 * Whether a domain is aligned with the sender. The sender's own domain is aligned. If the record is not strict, another
 * domain is aligned too if both domains seem to belong to the same organizational domain.
 *
 * @param alignmentTag the tag of the record that says whether the alignment is strict: `aspf` for SPF, `adkim` for DKIM
 */
export function isAligned(
  senderDomain: string,
  domain: string,
  dmarc: Dmarc,
  alignmentTag: "aspf" | "adkim",
): boolean {
  if (senderDomain === domain) return true;
  const isStrict = new RegExp(`;\\s*${alignmentTag}\\s*=\\s*s\\b`, "i").test(dmarc.record);
  if (isStrict) return false;
  // Only a list of public suffixes would tell the organizational domain. Without such a list, `domain` counts as
  // aligned if it is below the sender's domain, if the sender's domain is below it, or if it is at or below the domain
  // with the record. The sender's domain is always at or below the domain with the record.
  return isAtOrBelow(senderDomain, domain) || isAtOrBelow(domain, senderDomain) ||
    isAtOrBelow(domain, dmarc.domain);
}

function isAtOrBelow(domain: string, above: string): boolean {
  return domain === above || domain.endsWith(`.${above}`);
}
