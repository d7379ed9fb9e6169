/** What becomes of an invitation: the product redeems its code, once, or an operator lets it hold for longer. @module */
import type { SignUpRecord } from "./record.ts";
import type { Step } from "./transitions.ts";

/** Why an invitation cannot be redeemed: another account has used its code, or its time is over. */
export type RedeemFault = "used" | "expired";

/** Whether an invitation holds no more; without `expires`, it holds without an end. Both are date-times in UTC. */
export const isOver = (expires: string | undefined, at: string) =>
  expires !== undefined && expires <= at;

/**
 * Moves a person from `invited` to `accepted`. The same `reference` again changes nothing, also once the time is over.
 * @param options.at a date-time
 * @param options.reference the product's id of the account
 */
export function redeemInvitation(
  record: SignUpRecord,
  { at, reference }: { at: string; reference: string },
): Step | RedeemFault {
  if (record.state === "accepted") return record.reference === reference ? { record } : "used";
  if (isOver(record.expiresAt, at)) return "expired";
  return {
    record: { ...record, state: "accepted", acceptedAt: at, reference, updatedAt: at },
    event: "signup.accepted",
  };
}

/** Lets the code of an invited person hold until a moment; who has accepted needs none. Both are date-times in UTC. */
export function renewInvitation(
  record: SignUpRecord,
  { at, expiresAt }: { at: string; expiresAt: string },
): Step {
  if (record.state !== "invited" || record.expiresAt === expiresAt) return { record };
  return { record: { ...record, expiresAt, updatedAt: at } };
}
