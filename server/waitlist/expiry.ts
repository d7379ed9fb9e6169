/** The time that an unconfirmed person has to confirm. @module */
import { DAY } from "../runtime/mod.ts";
import type { SignUpRecord } from "./record.ts";

/**
 * Gives the moment at which an unconfirmed person expires, in milliseconds since 1970; `undefined` for any other
 * person. The days begin when a mail server took the last confirmation letter, or, if no mail server took it, when the
 * letter was put into the outbox. If there was no letter, the days begin with the last correction of the address, or
 * else with the sign-up.
 *
 * @param days the value of `UNCONFIRMED_DAYS`
 */
export function expiryOf(record: SignUpRecord, days: number): number | undefined {
  const { state, confirmations, corrections, createdAt } = record;
  if (state !== "unconfirmed") return undefined;
  const begin = confirmations?.takenAt ?? confirmations?.lastAt ?? corrections?.at(-1)?.at ??
    createdAt;
  return Date.parse(begin) + days * DAY;
}
