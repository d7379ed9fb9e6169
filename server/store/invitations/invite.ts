/**
 * Invites the people of a wave, some in each commit. Each commit checks and writes the wave's entry, so however often
 * a process is killed, and however many work on it, it never invites more people than it was begun for. @module
 */
import { isInvitationOwed } from "../../../shared/letters_owed.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { invitationUrl, inviteSignUp, isOver, matchesFilter } from "../../waitlist/mod.ts";
import { newInvitationCode, reasonNotToInvite, stateOfWave } from "../../waitlist/mod.ts";
import type { SignUpRecord, Step, Wave } from "../../waitlist/mod.ts";
import { addressesOf, addressOf, checksFor, type Commit, type Kv, type Leased } from "../kv/mod.ts";
import { type MaybeEntry, openWaveKey, PAGE_SIZE, pages } from "../kv/mod.ts";
import { readMany, readOne, readWithSchema, signUpKey, VALUE_FAULT } from "../kv/mod.ts";
import { waveCountKey, waveKey, waveMembersSelector, waveNamedKey } from "../kv/mod.ts";
import { type OutboxChanges, type OutboxEntry, type OutboxOptions } from "../outbox/mod.ts";
import { findItems } from "../outbox/mod.ts";
import { commitPeople, findRecords, PEOPLE_IN_COMMIT, readPeople } from "../people/mod.ts";
import type { PersonChange } from "../people/mod.ts";
import { idsOf, readNamedBy, removeWaves } from "./named.ts";

export interface InvitationOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
  outbox: OutboxOptions;
}

/** Which process works on a wave, so that others leave it alone. */
export type WaveClaim = NonNullable<Leased["lease"]>;

/** How long a process that was killed keeps a wave from others, in milliseconds: longer than a commit may take. */
export const CLAIM_MS = 30_000;

/** Works on a running wave; yields after each commit, and where it finds nobody for long. @param by the process */
export async function* workOnWave(options: InvitationOptions, id: string, by: string) {
  const { kv } = options;
  const { value: wave, version } = await readOne<Wave>(kv, waveKey(id));
  if (!wave) return;
  const seen = { version };
  // Each commit checks the wave, too, and each refused letter that another one takes the place of.
  const size = Math.min(checksFor(kv, 1), PEOPLE_IN_COMMIT);
  for await (const emails of wave.owes ? lettersOwed(kv, id, size >> 1) : []) {
    if (!await changeBatch(options, id, { by, seen, emails, isAgain: true })) return;
    yield;
  }
  for await (const batch of candidates(kv, id, wave, size)) {
    if (!await changeBatch(options, id, { by, seen, ...batch })) return;
    yield;
  }
}

/** The invitations that are in the outbox for a person. */
const lettersOf = async (kv: Kv, record: SignUpRecord) =>
  (await findItems(kv, record.outbox))
    .filter(({ item: { message } }) => "letter" in message && message.letter === "invitation");

const isRefused = ({ item }: OutboxEntry) => item.queue === "refused";

/** Gives who is owed an invitation by letter, of which none waits in the outbox: some at once, nobody of a whole page. */
async function* lettersOwed(kv: Kv, wave: string, size: number) {
  for await (const members of pages(kv, waveMembersSelector(wave))) {
    const people = await findRecords(kv, addressesOf(members));
    const open = people.filter(({ record }) => record.wave === wave && isInvitationOwed(record));
    const letters = await Promise.all(open.map(({ record }) => lettersOf(kv, record)));
    const owed = open.filter((_, at) => letters[at]!.every(isRefused)).map(({ email }) => email);
    if (owed.length === 0 && members.length === PAGE_SIZE) yield [];
    while (owed.length > 0) yield owed.splice(0, size);
  }
}

async function* candidates(kv: Kv, id: string, { done, named, parameters }: Wave, size: number) {
  const emails: string[] = [];
  for await (const found of named !== undefined ? readNamedBy(kv, id) : done ? [] : waiting()) {
    emails.push(...found);
    do yield { emails: emails.splice(0, size) }; while (emails.length > size);
  }
  yield { emails, isLast: true };

  async function* waiting() {
    for await (const people of readPeople(kv, { list: "waiting" })) {
      yield people.filter((each) => matchesFilter(each, parameters)).map(({ email }) => email);
    }
  }
}

interface Batch {
  by: string;
  /** The wave's entry as this work has read or written it last. */
  seen: { version: string | null };
  emails: string[];
  isAgain?: boolean;
  /** Whether nobody else is to be invited. */
  isLast?: boolean;
}

/** Changes people and their wave in one commit; false where the wave is not running any more. */
function changeBatch(
  { kv, outbox, now, random }: InvitationOptions,
  id: string,
  { by, seen, emails, isAgain = false, isLast = false }: Batch,
): Promise<boolean> {
  const keys = [waveKey(id), ...emails.map(signUpKey)];
  return commitPeople(kv, async () => {
    const { schema, entries } = await readWithSchema<Wave | SignUpRecord>(kv, keys);
    // Each of them may be unreadable.
    type Record = MaybeEntry<SignUpRecord> | undefined;
    const [entry, ...records] = entries as [MaybeEntry<Wave>?, ...Record[]];
    if (!entry) throw new Error(`The entry of the wave: ${VALUE_FAULT}`);
    const wave = entry.value;
    // Letters that this work has passed may have left the outbox in a pause, so it begins anew.
    const isResumed = wave?.owes && entry.version !== seen.version;
    if (!wave || stateOfWave(wave) !== "running" || isResumed) return { result: () => false };
    const { parameters: { next = Infinity, link, letters: sends = true, expires: expiresAt } } =
      wave;
    let { invited, lettersAgain = 0 } = wave;
    let refusedBefore = 0;
    const replaced: OutboxEntry[] = [];
    const moment = now();
    const at = new Date(moment).toISOString();
    const isByName = wave.named !== undefined && !isAgain;
    const known = records.map((entry) => isAgain && entry?.value ? lettersOf(kv, entry.value) : []);
    const letters = await Promise.all(known);
    const names = isByName ? await readMany<string>(kv, emails.map(waveNamedKey)) : undefined;
    // Whoever is invited after that gets a code that is good no more.
    const hasEnded = !isAgain && emails.length > 0 && isOver(expiresAt, at);
    const people = emails.flatMap((email, index): PersonChange | [] => {
      const entry = records[index];
      const record = entry?.value;
      if (!record) return [];
      if (isAgain) {
        const { invitationCode } = record;
        if (record.wave !== id || !invitationCode || !isInvitationOwed(record)) return [];
        if (isOver(record.expiresAt, at) || !letters[index]!.every(isRefused)) return [];
        lettersAgain++;
        const { outbox = [], lastLetters: { invitation, ...lastLetters } = {}, ...rest } = record;
        if (invitation?.refusedAt) refusedBefore++;
        // The letter takes the place of the refused one.
        replaced.push(...letters[index]!);
        const others = outbox.filter((each) => letters[index]!.every(({ id }) => id !== each));
        const left = { ...rest, lastLetters, outbox: others };
        const change: Step = { record: left, letter: "invitation" };
        const url = invitationUrl(link, invitationCode);
        return { email, entry, change, invitationUrl: url, now: moment };
      }
      if (hasEnded || invited >= next || reasonNotToInvite(record)) return [];
      // Who has been erased and has signed up again is named no more.
      if (names && !idsOf(names[index]?.value).includes(id)) return [];
      invited++;
      const invitationCode = newInvitationCode(random);
      const invitation = { invitationCode, wave: id, ...expiresAt && { expiresAt } };
      const { letter, ...step } = inviteSignUp(record, { at, ...invitation });
      const change = sends && letter ? { ...step, letter } : step;
      return { email, entry, change, invitationUrl: invitationUrl(link, invitationCode) };
    });
    const isDone = !hasEnded && (isLast || !isAgain && invited >= next);
    const goesOn = !isDone && !hasEnded;
    if (people.length === 0 && goesOn && !names) return { result: () => true };
    const { owes: _, ...rest } = wave;
    const to: Wave = {
      ...rest,
      invited,
      ...isAgain && { owes: true, lettersAgain },
      ...isDone && { state: "done", done: true },
      ...hasEnded && { state: "paused" },
    };
    const details = { ...wave.audit?.details, invited, ...isDone && { complete: true } };
    const change = {
      people,
      schema,
      outbox,
      audit: isAgain || !wave.audit ? undefined : { ...wave.audit, details },
      extend(commit: Commit, items: OutboxChanges) {
        // A wave that has invited nobody leaves nothing.
        if (isDone && invited === 0) commit.check(entry).delete(entry.key);
        else commit.check(entry).set(entry.key, to);
        for (const entry of replaced) items.change({ entry });
        if (refusedBefore > 0) commit.add(waveCountKey(id, "refused"), -refusedBefore);
        for (const entry of names ?? []) {
          if (!entry) continue;
          // No wave invites who is invited; whoever is passed over may be named by other waves.
          const isInvited = people.some(({ email }) => email === addressOf(entry.key));
          if (isInvited) commit.delete(entry.key);
          else removeWaves(commit, entry, [id]);
        }
        if (!goesOn) commit.delete(openWaveKey(id));
        else commit.set(openWaveKey(id), { by, until: now() + CLAIM_MS } satisfies WaveClaim);
      },
    };
    const result = (version: string) => {
      seen.version = version;
      return goesOn;
    };
    return { change, result };
  });
}
