/** Reads the letters of waves that wait for a later try. @module */
import type { OutboxItem, SignUpRecord } from "../../waitlist/mod.ts";
import { type Kv, readMany, signUpKey } from "../kv/mod.ts";
import { type OutboxEntry, readFirstDue, readFirstItems } from "../outbox/mod.ts";

/** How many invitations are read at most, those that are due first. */
const MAX_READ = 100;

/** The letters of a wave that wait, if all of them wait for a later try. */
export interface LaterTries {
  /**
   * When the first letter is tried again, in milliseconds since 1970. If the first invitations in the outbox belong to
   * other waves, this is a moment before which no letter of the wave is tried.
   */
  nextTry: number;
  /** The letters; absent if the outbox has more invitations than are read. */
  items?: Pick<OutboxItem, "tries" | "dueAt">[];
}

/**
 * Reads the letters of some waves that wait for a later try, at a cost that does not grow with the number of waves or
 * letters.
 * @param ids the ids of the waves
 * @param now the present moment, in milliseconds since 1970
 * @returns nothing for a wave of which no letter waits, or of which a letter is due or is being sent
 */
export async function readLaterTries(
  kv: Kv,
  ids: string[],
  now: number,
): Promise<ReadonlyMap<string, LaterTries>> {
  // Most calls end here, because no letter of a wave waits, or letters of a running wave are due.
  if (ids.length === 0 || await readFirstDue(kv, ["invitations"]) <= now) return new Map();
  const invitations = await readFirstItems(kv, "invitations", { limit: MAX_READ });
  const keys = invitations.map(({ item }) => signUpKey(item.email));
  const records = await readMany<SignUpRecord>(kv, keys);
  const mayHaveMore = invitations.length === MAX_READ;
  const triesOf = (id: string): LaterTries | undefined => {
    const ofWave = invitations.filter((_, index) => records[index]?.value?.wave === id);
    if (!ofWave.every(hasFailed)) return undefined;
    const nextTry = (ofWave[0] ?? (mayHaveMore ? invitations.at(-1) : undefined))?.item.dueAt;
    return nextTry === undefined
      ? undefined
      : { nextTry, ...!mayHaveMore && { items: ofWave.map(({ item }) => item) } };
  };
  return new Map(ids.flatMap((id) => {
    const tries = triesOf(id);
    return tries ? [[id, tries]] : [];
  }));
}

/** Whether a try of a letter has failed. A letter that is being sent for the first time is due later as well. */
const hasFailed = ({ item }: OutboxEntry): boolean => item.reason !== undefined;
