/** Reads, for the self-service page, what the service keeps about a person outside the record. @module */
import {
  type ConsentText,
  enteredAtOf,
  type EventType,
  type LetterKind,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import { readHistory } from "../audit/mod.ts";
import type { Kv } from "../kv/mod.ts";
import { findItems } from "../outbox/mod.ts";
import { findConsentText } from "./consent_texts.ts";
import { readLettersTo, type StoredLetter } from "./letter_log.ts";
import { readPlace } from "./line.ts";
import type { AddressedRecord } from "./records.ts";
import { readReferrals, type ShownReferrals } from "./referrals.ts";

/** A letter or an event that waits in the outbox. */
type WaitingMessage = ({ letter: LetterKind } | { event: EventType }) & {
  /** The date-time at which the message was put into the outbox. */
  putAt: string;
};

/** What the service keeps about a person outside the record. */
export interface SelfServiceDetails extends ShownReferrals {
  /** The letters and events that wait. */
  waiting: WaitingMessage[];
  /** The actions of operators on the person, without the operators' names, the newest first. */
  history: { at: string; action: string }[];
  /** What became of each letter of the last 90 days, the newest letter first. */
  letterLog: StoredLetter[];
  /** The wording to which the person agreed. */
  wording?: ConsentText;
  invitationUrl?: string;
  /**
   * The place in line from 1 on; absent for a person who is not waiting, if people do not see their place in line, and
   * if it cannot be read.
   */
  place?: number;
}

interface DetailsOptions {
  /** Whether people see their place in line (the variable `PLACE_IN_LINE`). */
  showsPlaceInLine: boolean;
  findInvitationUrl: (record: SignUpRecord) => Promise<string | undefined>;
}

/** Reads what the service keeps about a person outside the record. */
export async function readSelfServiceDetails(
  kv: Kv,
  { email, record }: AddressedRecord,
  { showsPlaceInLine, findInvitationUrl }: DetailsOptions,
): Promise<SelfServiceDetails> {
  const { proof } = record;
  const waiting = await readWaitingMessages(kv, record);
  const wording = proof && await findConsentText(kv, proof.consentText);
  const invitationUrl = await findInvitationUrl(record);
  const auditEntries = await readHistory(kv, email, record);
  const history = auditEntries.map(({ at, action }) => ({ at, action }));
  const [shownReferrals] = await readReferrals(kv, [record]);
  const place = showsPlaceInLine ? await readPlace(kv, record) : undefined;
  return {
    waiting,
    history,
    letterLog: await readLettersTo(kv, record.id),
    ...wording && { wording },
    ...invitationUrl && { invitationUrl },
    ...shownReferrals,
    ...place !== undefined && { place },
  };
}

/**
 * Reads the letters and events of a person that wait. Leaves out delivered events, which are kept for a while, and
 * refused items, which the service does not send by itself.
 */
async function readWaitingMessages(
  kv: Kv,
  { outbox }: SignUpRecord,
): Promise<WaitingMessage[]> {
  const items = (await findItems(kv, outbox)).map(({ item }) => item);
  const waitingItems = items.filter(({ queue }) => queue !== "delivered" && queue !== "refused");
  return waitingItems.map((item) => ({
    ..."letter" in item.message ? { letter: item.message.letter } : { event: item.message.event },
    putAt: new Date(enteredAtOf(item)).toISOString(),
  }));
}
