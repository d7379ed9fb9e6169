/** Reads when the letters of a wave are tried again, if all of them wait for a later try. @module */
import type { SignUpRecord } from "../../waitlist/mod.ts";
import { type Kv, readMany, signUpKey } from "../kv/mod.ts";
import { type OutboxEntry, readFirstDue, readFirstItems } from "../outbox/mod.ts";

/** How many invitations are read at most, those that are due first. */
const MAX_READ = 100;

/**
 * Reads when the first letter of a wave is tried again, in milliseconds since 1970. If the first invitations in the
 * outbox belong to other waves, this is a moment before which no letter of the wave is tried.
 * @param now the present moment, in milliseconds since 1970
 * @returns `undefined` if a letter of the wave is due or is being sent, or if none waits
 */
export async function readNextTry(kv: Kv, id: string, now: number): Promise<number | undefined> {
  // Most calls end here, because letters of a running wave are due.
  if (await readFirstDue(kv, ["invitations"]) <= now) return undefined;
  const invitations = await readFirstItems(kv, "invitations", { limit: MAX_READ });
  const keys = invitations.map(({ item }) => signUpKey(item.email));
  const records = await readMany<SignUpRecord>(kv, keys);
  const ofWave = invitations.filter((_, index) => records[index]?.value?.wave === id);
  if (!ofWave.every(hasFailed)) return undefined;
  const mayHaveMore = invitations.length === MAX_READ;
  return (ofWave[0] ?? (mayHaveMore ? invitations.at(-1) : undefined))?.item.dueAt;
}

/** Whether a try of a letter has failed. A letter that is being sent for the first time is due later as well. */
const hasFailed = ({ item }: OutboxEntry): boolean => item.reason !== undefined;
