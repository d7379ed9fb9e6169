/**
 * Puts an invitation letter into the outbox again: the letters that a resumed wave still owes (`missing_letters.ts`),
 * and the letter that an operator sends again to one person (`resend.ts`). @module
 */
import { invitationUrlOf, isCountedAsRefused, type SignUpRecord } from "../../waitlist/mod.ts";
import { type Commit, type Kv, waveCountKey } from "../kv/mod.ts";
import { findItems, type OutboxChanges, type OutboxEntry } from "../outbox/mod.ts";
import type { PersonChange } from "../people/mod.ts";

/** A person whose invitation letter is put into the outbox again. */
export interface PersonToWriteAgain extends Pick<PersonChange, "email" | "entry"> {
  record: SignUpRecord;
  invitationCode: string;
  /** The refused letters to the person that are in the outbox. The new letter takes their place. */
  refusedLetters: OutboxEntry[];
}

/** Finds the invitation letters to a person that are in the outbox. */
export async function findInvitationLetters(kv: Kv, record: SignUpRecord): Promise<OutboxEntry[]> {
  const items = await findItems(kv, record.outbox);
  return items.filter(({ item: { message } }) =>
    "letter" in message && message.letter === "invitation"
  );
}

/** Whether a letter in the outbox waits until an operator makes it due again. */
export const isRefused = ({ item }: OutboxEntry): boolean => item.queue === "refused";

/**
 * Gives the change that puts the letter into the outbox, with the link of the person's wave.
 * @param options.now the present moment, in milliseconds since 1970
 */
export function writeAgain(
  { email, entry, record, invitationCode, refusedLetters }: PersonToWriteAgain,
  { link, now }: { link: string; now: number },
): PersonChange {
  return {
    email,
    entry,
    change: { record: withoutRefusedInvitation(record, refusedLetters), letter: "invitation" },
    invitationUrl: invitationUrlOf(link, invitationCode),
    now,
  };
}

/** Removes the refused letters of some people of a wave, in the commit of the new letters. @param wave its id */
export function removeRefusedLetters(
  commit: Commit,
  outboxChanges: OutboxChanges,
  { wave, people }: { wave: string; people: PersonToWriteAgain[] },
): void {
  for (const { refusedLetters } of people) {
    for (const entry of refusedLetters) outboxChanges.changeItem({ entry });
  }
  // A refused letter that is in the outbox again does not count as refused any more.
  const refusedCount = people.filter(({ record }) => isCountedAsRefused(record)).length;
  if (refusedCount > 0) commit.add(waveCountKey(wave, "refused"), -refusedCount);
}

/** Gives the record of a person without its references to refused invitation letters, and without their outcome. */
function withoutRefusedInvitation(
  record: SignUpRecord,
  refusedLetters: OutboxEntry[],
): SignUpRecord {
  const { outbox = [], lastLetters = {}, ...others } = record;
  const { invitation, ...otherLetters } = lastLetters;
  const refusedIds = refusedLetters.map(({ id }) => id);
  return {
    ...others,
    lastLetters: invitation?.refusedAt ? otherLetters : lastLetters,
    outbox: outbox.filter((id) => !refusedIds.includes(id)),
  };
}
