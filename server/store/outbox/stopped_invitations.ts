/** Finds the letters that must not be sent, because an operator has paused or cancelled their wave. @module */
import type { SignUpRecord, Wave } from "../../waitlist/mod.ts";
import { addressOf, type Kv, type MaybeEntry, nameOf, readMany, waveKey } from "../kv/mod.ts";
import type { OutboxEntry } from "./changes.ts";

/**
 * Finds the invitations of paused or cancelled waves, and these waves. Leaves out an invitation that goes to the new
 * address after a correction, because such a letter belongs to the correction and not to a wave.
 * @param people the records of the addresses of the invitations
 */
export async function findStoppedInvitations(
  kv: Kv,
  invitations: OutboxEntry[],
  people: (MaybeEntry<SignUpRecord> | undefined)[],
): Promise<{ invitations: OutboxEntry[]; waves: MaybeEntry<Wave>[] }> {
  const records = new Map(
    people.flatMap((entry) => entry?.value ? [[addressOf(entry.key), entry.value]] : []),
  );
  const ids = new Set([...records.values()].flatMap(({ wave }) => wave ?? []));
  const entries = await readMany<Wave>(kv, [...ids].map(waveKey));
  const waves = entries.flatMap((entry) =>
    entry?.value?.state === "paused" || entry?.value?.state === "cancelled" ? entry : []
  );
  const stopped = invitations.filter(({ item }) => {
    const record = records.get(item.email);
    return record?.id === item.recordId && item.putAt === Date.parse(record.invitedAt ?? "") &&
      waves.some(({ key }) => nameOf(key) === record.wave);
  });
  return { invitations: stopped, waves };
}
