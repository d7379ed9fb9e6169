/**
 * Finds the DMARC record for a domain, and decides which domains are aligned with the sender (RFC 7489 §3.1, §6.6.3).
 *
 * @module
 */
import type { Dns } from "../../context.ts";
import { fault, type Verdict } from "./check.ts";

/** A DMARC record. */
export interface Dmarc {
  /** The name of the record, such as `_dmarc.example.com`. */
  at: string;
  record: string;
}

/**
 * Finds the record of a domain, or of the nearest domain above it with a record. It looks at every domain above,
 * because finding only the organizational domain (RFC 7489) would need a list of public suffixes.
 *
 * @returns the record, a fault of the record, or `undefined` if there is no record
 */
export async function findDmarc(
  domain: string,
  dns: Dns,
): Promise<Dmarc | Verdict | undefined> {
  const labels = domain.split(".");
  for (let from = 0; from <= labels.length - 2; from++) {
    const at = labels.slice(from).join(".");
    const records = (await dns.txt(`_dmarc.${at}`)).filter((text) =>
      /^v=DMARC1\s*(?:;|$)/i.test(text)
    );
    const [record, ...others] = records;
    if (record === undefined) continue;
    if (others.length > 0) {
      const count = `_dmarc.${at} has ${records.length} DMARC records, so none of them counts`;
      return fault(count, "keep one");
    }
    if (!/;\s*p\s*=\s*(?:none|quarantine|reject)\b/i.test(record)) {
      return fault(`the DMARC record at _dmarc.${at} has no p=`, "write 'v=DMARC1; p=none'");
    }
    return { at: `_dmarc.${at}`, record };
  }
  return undefined;
}

/**
 * Whether a domain is aligned with the sender: it is the sender's domain or, unless the record is strict, it has the same
 * organizational domain.
 *
 * @param mode the tag of the record with the strictness: `aspf` for SPF, `adkim` for DKIM
 */
export function isAligned(
  sender: string,
  domain: string,
  { at, record }: Dmarc,
  mode: "aspf" | "adkim",
): boolean {
  if (sender === domain) return true;
  if (new RegExp(`;\\s*${mode}\\s*=\\s*s\\b`, "i").test(record)) return false;
  const isBelow = (name: string, above: string) => name === above || name.endsWith(`.${above}`);
  const organization = at.slice("_dmarc.".length);
  return isBelow(sender, domain) || isBelow(domain, sender) || isBelow(domain, organization);
}
