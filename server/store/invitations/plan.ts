/** Says what a wave would do, and changes nothing. @module */
import type { NotInvited, WavePlan, WaveRequest } from "../../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import { matchesFilter, reasonNotToInvite, stateOfWave } from "../../waitlist/mod.ts";
import type { SignUpRecord, Wave } from "../../waitlist/mod.ts";
import { addressOf, type Kv, readEntries, readMany, SIGN_UPS, signUpKey } from "../kv/mod.ts";
import { readTotal } from "../people/mod.ts";

/** How long one look at people takes at the most, in milliseconds. */
const LOOK_MS = 1_000;

export interface PlanOptions extends Pick<Runtime, "monotonic"> {
  kv: Kv;
  yieldToCalls: YieldToCalls;
}

/**
 * Plans a wave by reading every record in the order of the addresses: they are neighbours in the engine, which is
 * faster than the list of those who wait, whose records would be read one by one.
 */
export async function planWave(
  { wave = "", emails, next: most = Infinity, after, ...filter }: WaveRequest,
  known: Wave | undefined,
  { kv, monotonic, yieldToCalls }: PlanOptions,
): Promise<WavePlan> {
  const isOpen = !known || ["running", "paused"].includes(stateOfWave(known));
  const room = isOpen ? most - (known?.invited ?? 0) : 0;
  let { email, read, wouldInvite } = { ...NOBODY, ...after };
  const passedOver = { ...NOBODY.passedOver, ...after?.passedOver };
  function count(records: SignUpRecord[]): void {
    for (const record of records.filter((each) => matchesFilter(each, filter))) {
      const reason = reasonNotToInvite(record);
      if (reason) passedOver[reason]++;
      else wouldInvite++;
    }
    read += records.length;
  }
  const named = emails && await readNamed(kv, emails, wave);
  if (named) count(named.people.map(({ record }) => record));
  const endsAt = after ? monotonic() + LOOK_MS : Infinity;
  let isCut = false;
  const all = named ? [] : readEntries<SignUpRecord>(kv, { ...SIGN_UPS, after: email });
  for await (const { entries } of all) {
    count(entries.map(({ value }) => value));
    if (entries.length > 0) email = addressOf(entries.at(-1)!.key);
    isCut = monotonic() >= endsAt;
    if (isCut) break;
    await yieldToCalls();
  }
  return {
    wouldInvite: Math.max(0, Math.min(wouldInvite, room)),
    passedOver,
    ...named && { notInvited: named.notInvited },
    read,
    total: Math.max(read, named ? 0 : await readTotal(kv) ?? 0),
    ...isCut && { next: { email, read, wouldInvite, passedOver } },
  };
}

const NOBODY = {
  email: "",
  read: 0,
  wouldInvite: 0,
  passedOver: { unconfirmed: 0, undeliverable: 0, complained: 0, invited: 0 },
};

/** Reads people who are named, and says who cannot be invited; nothing is said of those whom the wave has invited. */
export async function readNamed(kv: Kv, given: string[], wave: string) {
  const emails = [...new Set(given)];
  const entries = await readMany<SignUpRecord>(kv, emails.map(signUpKey));
  const people: { email: string; record: SignUpRecord }[] = [];
  const notInvited: NotInvited[] = [];
  for (const [index, email] of emails.entries()) {
    const entry = entries[index];
    const record = entry?.value;
    if (record) people.push({ email, record });
    const reason = record ? reasonNotToInvite(record) : entry ? "unknown" : "unreadable";
    const isOwn = reason === "invited" && record?.wave === wave;
    if (reason && !isOwn) notInvited.push({ email, reason });
  }
  return { people, notInvited };
}
