/**
 * Finds the invitations that must not be sent, because an operator has paused or cancelled their wave. @module
 */
import type { SignUpRecord, Wave } from "../../waitlist/mod.ts";
import {
  addressOf,
  type Kv,
  type MaybeEntry,
  nameOf,
  readMany,
  signUpKey,
  waveKey,
} from "../kv/mod.ts";
import type { OutboxEntry } from "./changes.ts";

/**
 * Finds the invitations of paused or cancelled waves, and these waves. Leaves out an invitation that goes to the new
 * address after a correction, because such a letter belongs to the correction and not to a wave.
 * @param recordEntries the entries of the records of the addresses of the invitations
 */
export async function findStoppedInvitations(
  kv: Kv,
  invitations: OutboxEntry[],
  recordEntries: (MaybeEntry<SignUpRecord> | undefined)[],
): Promise<{ invitations: OutboxEntry[]; waves: MaybeEntry<Wave>[] }> {
  const records = new Map<string, SignUpRecord>();
  for (const entry of recordEntries) {
    if (entry?.value) records.set(addressOf(entry.key), entry.value);
  }
  const waves = await readStoppedWaves(kv, [...records.values()]);
  const stoppedInvitations = invitations.filter(({ item }) => {
    const record = records.get(item.email);
    const isOfWave = record?.id === item.recordId &&
      item.putAt === Date.parse(record.invitedAt ?? "");
    return isOfWave && waves.some(({ key }) => nameOf(key) === record.wave);
  });
  return { invitations: stoppedInvitations, waves };
}

/** Reads the records of the addresses of some invitations, and finds the invitations of paused or cancelled waves. */
export async function readStoppedInvitations(
  kv: Kv,
  invitations: OutboxEntry[],
): Promise<OutboxEntry[]> {
  const keys = invitations.map(({ item }) => signUpKey(item.email));
  const recordEntries = await readMany<SignUpRecord>(kv, keys);
  return (await findStoppedInvitations(kv, invitations, recordEntries)).invitations;
}

/** Reads the paused or cancelled waves that are in some records. */
async function readStoppedWaves(kv: Kv, records: SignUpRecord[]): Promise<MaybeEntry<Wave>[]> {
  const ids = new Set(records.flatMap(({ wave }) => wave ?? []));
  const entries = await readMany<Wave>(kv, [...ids].map(waveKey));
  return entries.flatMap((entry) => {
    const state = entry?.value?.state;
    return entry && (state === "paused" || state === "cancelled") ? [entry] : [];
  });
}
