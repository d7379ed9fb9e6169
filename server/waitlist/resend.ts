/** Decides whether and when an invitation letter may be sent again to one person. @module */
import { invitationPutAt } from "../../shared/missing_invitation_letter.ts";
import type { ShownSignup } from "../../shared/operator_schemas.ts";
import { nextDailyLetterAt } from "./letter_limit.ts";
import type { SignUpRecord } from "./record.ts";
import { hasExpired } from "./transitions.ts";
import { stateOfWave, type Wave } from "./waves.ts";

/** Why an invitation letter is not sent again, whatever the time; the OpenAPI document explains the reasons. */
export type NoInvitationReason = NonNullable<ShownSignup["noInvitation"]>;

/** When the invitation letter may be sent again to an invited person, as operators see it. */
export type NextInvitation =
  /** The date-time from which the letter may be sent. */
  | { nextInvitation: string }
  | { noInvitation: NoInvitationReason };

/** What {@linkcode decideOnResend} needs besides the record of the invited person. */
interface ResendOptions {
  /** The wave that has invited the person. */
  wave: Wave;
  /** Whether the mailbox of the person has complained about a letter. */
  hasComplained: boolean;
  /** Whether an invitation letter to the person waits in the outbox. */
  isInOutbox: boolean;
  /** The present moment, a date-time. */
  at: string;
}

/**
 * Decides when the invitation letter may be sent again to an invited person. The person gets one such letter in 24 hours
 * at most. These hours begin when the last letter was put into the outbox by the wave or by a correction, or when a
 * mail server took or refused the last letter.
 */
export function decideOnResend(
  record: SignUpRecord,
  { at, ...options }: ResendOptions,
): NextInvitation {
  const noInvitation = findReason(record, { at, ...options });
  if (noInvitation) return { noInvitation };
  const { invitationTakenAt, lastLetters } = record;
  const moments = [
    invitationPutAt(record),
    invitationTakenAt,
    lastLetters?.invitation?.refusedAt,
  ].filter((moment) => moment !== undefined);
  return { nextInvitation: nextDailyLetterAt(moments, at) };
}

/** Finds the reason why the letter is not sent; `undefined` if there is none. */
function findReason(
  record: SignUpRecord,
  { wave, hasComplained, isInOutbox, at }: ResendOptions,
): NoInvitationReason | undefined {
  if (hasExpired(record.expiresAt, at)) return "expired";
  if (hasComplained) return "complained";
  if (record.undeliverableAt) return "undeliverable";
  if (wave.parameters.letters === false) return "no_letters";
  // The worker of the outbox drops the letters of paused and cancelled waves.
  const state = stateOfWave(wave);
  if (state === "paused" || state === "cancelled") return state;
  return isInOutbox ? "in_outbox" : undefined;
}
