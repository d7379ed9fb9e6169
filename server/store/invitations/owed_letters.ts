/** Finds the letters of a wave that are owed: no mail server has taken them, and they do not wait in the outbox. @module */
import { isInvitationOwed } from "../../../shared/letters_owed.ts";
import { type Kv, pages, waveMembersSelector } from "../kv/mod.ts";
import { readItemsOf } from "../outbox/mod.ts";
import { findRecords } from "../people/mod.ts";

/** Gives the addresses of the people whose invitations are owed, some at once. */
export async function* lettersOwed(kv: Kv, wave: string, size: number): AsyncGenerator<string[]> {
  for await (const members of pages(kv, waveMembersSelector(wave))) {
    const people = await findRecords(kv, members.map(({ key }) => String(key.at(-1))));
    const open = people.filter(({ record }) => record.wave === wave && isInvitationOwed(record));
    const waiting = await Promise.all(open.map(({ record }) => readItemsOf(kv, record)));
    const owed = open.filter((_, index) =>
      !waiting[index]!.some(({ item: { message } }) =>
        "letter" in message && message.letter === "invitation"
      )
    ).map(({ email }) => email);
    while (owed.length > 0) yield owed.splice(0, size);
  }
}
