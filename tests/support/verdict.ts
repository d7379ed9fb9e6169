/** What must be true of a store whose process was killed or stopped under load. @module */
import { isDeepStrictEqual } from "node:util";
import { readCounts } from "./read_counts.ts";
import { type ComparableRecord, recount, storedSignUps } from "./records.ts";
import type { Kv } from "../../server/store/kv/engine.ts";

/**
 * Sign-ups that a service has answered with 200. Of each address the last one counts: a record that an earlier one left
 * behind does not hide that a repeat of it was lost.
 */
export class Acknowledged {
  /** When the last acknowledged sign-up of each address was sent, in milliseconds since 1970. */
  readonly #sentAt = new Map<string, number>();

  get size(): number {
    return this.#sentAt.size;
  }

  addresses(): Iterable<string> {
    return this.#sentAt.keys();
  }

  /** @param sentAt by the clock of the machine that the service runs on, in milliseconds since 1970 */
  add(email: string, sentAt: number): void {
    this.#sentAt.set(email, Math.max(sentAt, this.#sentAt.get(email) ?? 0));
  }

  /** What is missing among stored records, in sentences. */
  missingFrom(stored: Record<string, ComparableRecord>): string[] {
    let lost = 0;
    let outdated = 0;
    for (const [email, sentAt] of this.#sentAt) {
      const record = Object.hasOwn(stored, email) ? stored[email] : undefined;
      if (!record) lost++;
      // Consent is given after the sending, whichever of the address's sign-ups came to be the last.
      else if (Date.parse(record.consentedAt) < sentAt) outdated++;
    }
    const findings = [];
    if (lost > 0) findings.push(`${lost} acknowledged addresses have no record.`);
    if (outdated > 0) {
      findings.push(`${outdated} records are from before their last acknowledged sign-up.`);
    }
    return findings;
  }
}

/** What is wrong with the counters, in sentences. @param now milliseconds since 1970 */
export async function counterFindings(kv: Kv, now: number): Promise<string[]> {
  const [counts, recounted] = [await readCounts(kv, now), await recount(kv, now)];
  if (isDeepStrictEqual(counts, recounted)) return [];
  const [said, right] = [counts, recounted].map((each) => JSON.stringify(each));
  return [`The counters say ${said}; a recount gives ${right}.`];
}

/** What is wrong with the store of a process that is gone, in sentences. */
export async function findingsIn(kv: Kv, acknowledged: Acknowledged): Promise<string[]> {
  const missing = acknowledged.missingFrom(await storedSignUps(kv));
  return [...missing, ...await counterFindings(kv, Date.now())];
}
