/** People and times for tests of the transitions of a sign-up. @module */
import type { LetterLimit } from "../../server/waitlist/letter_limit.ts";
import { joinList, type JoinOptions } from "../../server/waitlist/transitions.ts";
import type { SignUpRecord, State } from "../../server/waitlist/record.ts";

export const HOUR = 60 * 60 * 1000;
export const NOON = Date.parse("2026-11-21T12:00:00.000Z");
export const SIGN_UP = { email: "ada@example.com" };

/** The moment some hours after noon, a date-time. */
export const after = (hours: number) => new Date(NOON + hours * HOUR).toISOString();

/** The letter limit of a mailbox that got no letters. */
export const NO_LETTER_LIMIT: LetterLimit = { letters: [] };

/** A record of noon in a state. */
export function record(state: State, more: Partial<SignUpRecord> = {}): SignUpRecord {
  const at = after(0);
  return { id: "1", createdAt: at, consentedAt: at, updatedAt: at, lang: "en", state, ...more };
}

/** A sign-up by `ada@example.com` with mail, some hours after noon. */
export function join(hours: number, existing?: SignUpRecord, more: Partial<JoinOptions> = {}) {
  return joinList(existing, SIGN_UP, {
    at: after(hours),
    id: "1",
    asksToConfirm: true,
    letterLimit: NO_LETTER_LIMIT,
    ...more,
  });
}
