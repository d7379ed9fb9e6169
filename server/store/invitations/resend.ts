/**
 * Sends the invitation again to one person, with the same code, link and expiry. `waitlist/resend.ts` has the rule.
 * @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import {
  decideOnResend,
  type NextInvitation,
  type NoInvitationReason,
  type SignUpRecord,
  type State,
  type Wave,
} from "../../waitlist/mod.ts";
import {
  findValue,
  type Kv,
  readSchema,
  readWithSchema,
  type SchemaSnapshot,
  signUpKey,
  waveKey,
} from "../kv/mod.ts";
import type { OutboxEntry, OutboxOptions } from "../outbox/mod.ts";
import {
  type AddressedRecord,
  commitPeople,
  createLetterLimitChanges,
  readMailboxes,
} from "../people/mod.ts";
import {
  findInvitationLetters,
  isRefused,
  removeRefusedLetters,
  writeAgain,
} from "./letter_again.ts";

/** Why the invitation was not sent again: the state of the person, or the reason why no letter is sent. */
export type ResendRefusal = "unknown" | Exclude<State, "invited"> | NoInvitationReason;

/**
 * The person, or why nothing was changed. `refusedUntil` is the date-time from which the invitation may be sent again.
 */
export type ResendOutcome =
  | AddressedRecord
  | { refused: ResendRefusal }
  | { refusedUntil: string };

/** When the letter may be sent again, and what is needed to write it. */
type StoredInvitation = { noInvitation: NoInvitationReason } | {
  nextInvitation: string;
  /** The id of the wave. */
  wave: string;
  /** The link of the wave. */
  link: string;
  invitationCode: string;
  refusedLetters: OutboxEntry[];
};

/**
 * Reads when the invitation may be sent again to an invited person.
 * @param now the present moment, in milliseconds since 1970
 */
export async function readNextInvitation(
  kv: Kv,
  person: AddressedRecord,
  now: number,
): Promise<NextInvitation> {
  const stored = await readInvitation(kv, person, { schema: await readSchema(kv), now });
  return "noInvitation" in stored ? stored : { nextInvitation: stored.nextInvitation };
}

/**
 * Puts the invitation letter to a person into the outbox again, if no such letter waits there and the person may get
 * it now.
 */
export function resendInvitation(
  kv: Kv,
  email: string,
  { outbox, now, audit }: {
    outbox: OutboxOptions;
    /** The present moment, in milliseconds since 1970. */
    now: number;
    audit: AuditEntry;
  },
): Promise<ResendOutcome> {
  return commitPeople<ResendOutcome>(kv, async () => {
    const { schema, entries: [entry] } = await readWithSchema<SignUpRecord>(kv, [signUpKey(email)]);
    if (!entry) return { result: () => ({ refused: "unreadable" }) };
    const record = entry.value;
    if (!record) return { result: () => ({ refused: "unknown" }) };
    const { state } = record;
    if (state !== "invited") return { result: () => ({ refused: state }) };
    const stored = await readInvitation(kv, { email, record }, { schema, now });
    if ("noInvitation" in stored) return { result: () => ({ refused: stored.noInvitation }) };
    const { nextInvitation, wave, link, invitationCode, refusedLetters } = stored;
    if (Date.parse(nextInvitation) > now) {
      return { result: () => ({ refusedUntil: nextInvitation }) };
    }
    const person = { email, entry, record, invitationCode, refusedLetters };
    return {
      peopleCommit: {
        people: [writeAgain(person, { link, now })],
        schema,
        outbox,
        audit,
        extend: (commit, { outboxChanges }) =>
          removeRefusedLetters(commit, outboxChanges, { wave, people: [person] }),
      },
      result: () => ({ email, record }),
    };
  });
}

/** Reads what decides when an invitation may be sent again, and what its letter needs. */
async function readInvitation(
  kv: Kv,
  { email, record }: AddressedRecord,
  { schema, now }: { schema: SchemaSnapshot; now: number },
): Promise<StoredInvitation> {
  const { wave: waveId, invitationCode } = record;
  const wave = waveId !== undefined && await findValue<Wave>(kv, waveKey(waveId));
  if (!wave || !invitationCode) return { noInvitation: "no_link" };
  const mailboxes = await readMailboxes(kv, schema, [email]);
  if (mailboxes.get(email)?.isUnreadable) return { noInvitation: "unreadable" };
  const { complainedAt } = createLetterLimitChanges(mailboxes).limitOf(email, record);
  const letters = await findInvitationLetters(kv, record);
  const next = decideOnResend(record, {
    wave,
    hasComplained: complainedAt !== undefined,
    isInOutbox: !letters.every(isRefused),
    at: new Date(now).toISOString(),
  });
  if ("noInvitation" in next) return next;
  const { link } = wave.parameters;
  return { ...next, wave: waveId!, link, invitationCode, refusedLetters: letters };
}
