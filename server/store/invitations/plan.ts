/** Says what a wave would do, and changes nothing. @module */
import type { NotInvited, WavePlan, WaveRequest } from "../../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import { matchesFilter, reasonNotToInvite, stateOfWave } from "../../waitlist/mod.ts";
import type { SignUpRecord, Wave } from "../../waitlist/mod.ts";
import { addressOf, type Kv, readEntries, readMany, SIGN_UPS, signUpKey } from "../kv/mod.ts";
import { type AddressedRecord, findRecords, readTotal } from "../people/mod.ts";

/** How many of those whom a wave would invite are named, and how many milliseconds a look at people takes at most. */
const MAX_NAMED = 20, LOOK_MS = 1_000;

export interface PlanOptions extends Pick<Runtime, "monotonic"> {
  kv: Kv;
  yieldToCalls: YieldToCalls;
}

/** Plans a wave by all records in the order of addresses, which is faster than the list of those who wait. */
export async function planWave(
  { wave = "", emails, next: most = Infinity, after, ...filter }: WaveRequest,
  known: Wave | undefined,
  { kv, monotonic, yieldToCalls }: PlanOptions,
): Promise<WavePlan> {
  const isOpen = !known || !known.done && ["running", "paused"].includes(stateOfWave(known));
  const room = isOpen ? most - (known?.invited ?? 0) : 0;
  let { email = "", read = 0, wouldInvite = 0 } = after ?? {};
  const none = { unconfirmed: 0, undeliverable: 0, complained: 0, invited: 0 };
  const passedOver = { ...none, ...after?.passedOver };
  let first = (await findRecords(kv, after?.first ?? []))
    .filter(({ record }) => !reasonNotToInvite(record));
  function count(people: AddressedRecord[]): void {
    for (const person of people.filter(({ record }) => matchesFilter(record, filter))) {
      const reason = reasonNotToInvite(person.record);
      if (reason) passedOver[reason]++;
      else wouldInvite++;
      if (!reason) first.push(person);
    }
    first = first.toSorted((a, b) => queueOf(a) < queueOf(b) ? -1 : 1).slice(0, MAX_NAMED);
    read += people.length;
  }
  const named = emails && await readNamed(kv, emails, wave);
  if (named) count(named.people);
  const endsAt = after ? monotonic() + LOOK_MS : Infinity;
  let isCut = false;
  const all = named ? [] : readEntries<SignUpRecord>(kv, { ...SIGN_UPS, after: email });
  for await (const { entries } of all) {
    count(entries.map(({ key, value }) => ({ email: addressOf(key), record: value })));
    if (entries.length > 0) email = addressOf(entries.at(-1)!.key);
    isCut = monotonic() >= endsAt;
    if (isCut) break;
    await yieldToCalls();
  }
  const whole = Math.max(0, Math.min(wouldInvite, room));
  return {
    wouldInvite: whole,
    people: first.slice(0, whole).map(({ email, record: { createdAt, lang, source } }) => ({
      email,
      createdAt,
      lang,
      ...source && { source },
    })),
    passedOver,
    ...named && { notInvited: named.notInvited },
    read,
    total: Math.max(read, named ? 0 : await readTotal(kv) ?? 0),
    ...isCut &&
      { next: { email, read, wouldInvite, passedOver, first: first.map(({ email }) => email) } },
  };
}

/** What the order of those who wait is by. */
const queueOf = ({ email, record }: AddressedRecord) => `${record.createdAt} ${email}`;

/** Reads people who are named, and says who cannot be invited; nothing is said of those whom the wave has invited. */
export async function readNamed(kv: Kv, given: string[], wave: string) {
  const emails = [...new Set(given)];
  const entries = await readMany<SignUpRecord>(kv, emails.map(signUpKey));
  const people: AddressedRecord[] = [];
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
