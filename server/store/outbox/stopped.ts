/** Finds the letters that are not to be sent, as their waves are paused or cancelled. @module */
import type { SignUpRecord, Wave } from "../../waitlist/mod.ts";
import { addressOf, type Kv, type MaybeEntry, readMany, waveKey } from "../kv/mod.ts";
import type { OutboxEntry } from "./changes.ts";

/** Gives the invitations of waves that are stopped, and these waves; a letter to a corrected address is none of a wave. */
export async function findStopped(
  kv: Kv,
  invitations: OutboxEntry[],
  people: (MaybeEntry<SignUpRecord> | undefined)[],
) {
  const records = new Map(
    people.flatMap((entry) => entry?.value ? [[addressOf(entry.key), entry.value]] : []),
  );
  const ids = new Set([...records.values()].flatMap(({ wave }) => wave ?? []));
  const waves = (await readMany<Wave>(kv, [...ids].map(waveKey))).filter((wave) => {
    return wave?.value?.state === "paused" || wave?.value?.state === "cancelled";
  }) as MaybeEntry<Wave>[];
  const letters = invitations.filter(({ item }) => {
    const record = records.get(item.email);
    return record?.id === item.recordId && item.putAt === Date.parse(record.invitedAt ?? "") &&
      waves.some(({ key }) => key[1] === record.wave);
  });
  return { letters, waves };
}
