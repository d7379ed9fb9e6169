/**
 * Invites the people of a wave, some in each commit, and puts invitation letters that no mail server has taken into the
 * outbox again. Each commit checks and writes the wave's entry. A wave therefore never invites more people than it was
 * begun for, however often a process is killed, and however many processes work on it. `waitlist/waves.ts` has the
 * rules. @module
 */
import { isInvitationLetterMissing } from "../../../shared/missing_invitation_letter.ts";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  hasExpired,
  invitationUrlOf,
  inviteSignUp,
  matchesFilter,
  newInvitationCode,
  reasonNotToInvite,
  type SignUpRecord,
  stateOfWave,
  type Wave,
} from "../../waitlist/mod.ts";
import {
  addressesOf,
  addressOf,
  type Commit,
  inviteeKey,
  type Kv,
  type LeaseState,
  type MaybeEntry,
  openWaveKey,
  PAGE_SIZE,
  pages,
  readMany,
  readOne,
  readWithSchema,
  signUpKey,
  VALUE_FAULT,
  waveCountKey,
  waveKey,
  waveMembersSelector,
} from "../kv/mod.ts";
import {
  findItems,
  type OutboxChanges,
  type OutboxEntry,
  type OutboxOptions,
} from "../outbox/mod.ts";
import {
  commitPeople,
  filterByReferrals,
  findRecords,
  halve,
  maxPeopleInCommit,
  type PersonChange,
  readPeopleWithReferrals,
} from "../people/mod.ts";
import { readInviteesOf, removeWaveIds, waveIdsOf } from "./invitees.ts";

interface InvitationOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
  outbox: OutboxOptions;
}

/** The claim of a process that works on a wave, so that other processes leave the wave alone. */
export type WaveClaim = NonNullable<LeaseState["lease"]>;

/**
 * The length of a claim, in milliseconds. A killed process keeps a wave from other processes for this time at most. The
 * time is longer than a commit takes.
 */
export const CLAIM_MS = 30_000;

/**
 * Works on a running wave: first puts letters into the outbox again, then invites people. Yields after each commit, and
 * after each page of people if none of them needs a letter.
 * @param processId the id of the process, which claims the wave with each commit
 */
export async function* workOnWave(
  options: InvitationOptions,
  id: string,
  processId: string,
): AsyncGenerator<void> {
  const { kv } = options;
  const { value: wave, version } = await readOne<Wave>(kv, waveKey(id));
  if (!wave) return;
  const run: Run = { id, processId, version };
  // A commit has a limited number of checks. One check is for the entry of the wave. A person to whom a letter is sent
  // again needs two checks: for the record, and for the refused letter that is replaced.
  const size = maxPeopleInCommit(kv, 1);
  const withoutLetter = wave.owes ? readWithoutLetter(kv, id, size >> 1) : [];
  for await (const emails of withoutLetter) {
    const batch = { emails, isLast: false };
    if (!await commitBatch(options, run, batch, (read) => putLettersAgain(kv, read))) return;
    yield;
  }
  for await (const batch of readCandidates(kv, id, wave, size)) {
    if (!await commitBatch(options, run, batch, (read) => invite(options, read))) return;
    yield;
  }
}

/** Finds the invitation letters to a person that are in the outbox. */
const invitationsOf = async (kv: Kv, record: SignUpRecord): Promise<OutboxEntry[]> =>
  (await findItems(kv, record.outbox))
    .filter(({ item: { message } }) => "letter" in message && message.letter === "invitation");

const isRefused = ({ item }: OutboxEntry): boolean => item.queue === "refused";

/**
 * Reads the people of a wave whose invitation letter no mail server has taken and who have no letter waiting in the
 * outbox. Yields at most `size` addresses at once, and an empty list after a whole page without such a person.
 */
async function* readWithoutLetter(kv: Kv, wave: string, size: number): AsyncGenerator<string[]> {
  for await (const members of pages(kv, waveMembersSelector(wave))) {
    const people = await findRecords(kv, addressesOf(members));
    const withoutLetter = people.filter(({ record }) =>
      record.wave === wave && isInvitationLetterMissing(record)
    );
    const letters = await Promise.all(withoutLetter.map(({ record }) => invitationsOf(kv, record)));
    const emails = withoutLetter
      .filter((_, index) => letters[index]!.every(isRefused))
      .map(({ email }) => email);
    if (emails.length === 0 && members.length === PAGE_SIZE) yield [];
    while (emails.length > 0) yield emails.splice(0, size);
  }
}

/** Some of the people whom a wave may invite. */
interface Candidates {
  emails: string[];
  /** Whether these are the last people. */
  isLast: boolean;
}

/** Reads the people whom a wave may still invite, at most `size` at once. */
async function* readCandidates(
  kv: Kv,
  id: string,
  { done, named, parameters }: Wave,
  size: number,
): AsyncGenerator<Candidates> {
  const emails: string[] = [];
  const isByName = named !== undefined;
  const source = isByName ? readInviteesOf(kv, id) : done ? [] : readWaiting(kv, parameters);
  for await (const found of source) {
    emails.push(...found);
    do yield { emails: emails.splice(0, size), isLast: false }; while (emails.length > size);
  }
  yield { emails, isLast: true };
}

/** Reads the addresses of the waiting people who match the filter of a wave. */
async function* readWaiting(kv: Kv, filter: Wave["parameters"]): AsyncGenerator<string[]> {
  for await (const people of readPeopleWithReferrals(kv, { list: "waiting" }, filter.referrals)) {
    const emails = people.filter((person) => matchesFilter(person, filter))
      .map(({ email }) => email);
    if (filter.referrals === undefined) yield emails;
    else {
      const found = await findRecords(kv, emails);
      const chosen = await filterByReferrals(kv, found, filter.referrals);
      yield chosen.map(({ email }) => email);
    }
  }
}

/** The work of this process on a running wave. */
interface Run {
  id: string;
  processId: string;
  /** The version of the wave's entry that this work has read or written last. */
  version: string | null;
}

/** Candidates, and what was read for the decision about them. */
interface ReadBatch extends Candidates {
  id: string;
  wave: Wave;
  /** The records of the addresses, in the order of the addresses; `undefined` for a record that cannot be read. */
  records: (MaybeEntry<SignUpRecord> | undefined)[];
  /** The present moment, in milliseconds since 1970. */
  now: number;
}

/** The changes that a commit writes. */
interface BatchChange {
  people: PersonChange[];
  /** The wave after the commit; `null` removes the entry of the wave. */
  wave: Wave | null;
  /** Whether the wave needs further commits. */
  goesOn: boolean;
  audit?: AuditEntry | undefined;
  extend: (commit: Commit, items: OutboxChanges) => void;
}

/** Gives the changes of people and their wave, or `undefined` if there is nothing to write and the wave goes on. */
type DecideOnBatch = (read: ReadBatch) => Promise<BatchChange | undefined>;

/**
 * Changes people and their wave in one commit, or in several commits if the changes are too large for one, as they may
 * be with long addresses and with people who signed up at very different times.
 * @returns whether the wave needs further commits
 */
async function commitBatch(
  options: InvitationOptions,
  run: Run,
  { emails, isLast }: Candidates,
  decide: DecideOnBatch,
): Promise<boolean> {
  const outcome = await tryBatch(options, run, { emails, isLast }, decide);
  if (outcome !== "too large") return outcome;
  const [first, second] = halve(emails);
  return await commitBatch(options, run, { emails: first, isLast: false }, decide) &&
    await commitBatch(options, run, { emails: second, isLast }, decide);
}

/** Does what {@linkcode commitBatch} does, but writes nothing if the changes are too large for one commit. */
function tryBatch(
  { kv, outbox, now }: InvitationOptions,
  run: Run,
  { emails, isLast }: Candidates,
  decide: DecideOnBatch,
): Promise<boolean | "too large"> {
  const { id, processId } = run;
  const keys = [waveKey(id), ...emails.map(signUpKey)];
  return commitPeople<boolean | "too large">(kv, async () => {
    const { schema, entries } = await readWithSchema<Wave | SignUpRecord>(kv, keys);
    // The first entry is the wave's; all others are entries of records, which may be unreadable. So the cast below is
    // right.
    type RecordEntry = MaybeEntry<SignUpRecord> | undefined;
    const [entry, ...records] = entries as [MaybeEntry<Wave>?, ...RecordEntry[]];
    if (!entry) throw new Error(`The entry of the wave: ${VALUE_FAULT}`);
    const wave = entry.value;
    // After a pause, this work ends, and the next work begins again with the first person of the wave. The reason is
    // that letters to people whom this work has already passed may have left the outbox during the pause.
    const isResumed = wave?.owes && entry.version !== run.version;
    if (!wave || stateOfWave(wave) !== "running" || isResumed) return { result: () => false };
    const decided = await decide({ id, wave, emails, isLast, records, now: now() });
    if (!decided) return { result: () => true };
    const { people, wave: waveAfter, goesOn, audit, extend } = decided;
    return {
      change: {
        people,
        schema,
        outbox,
        audit,
        extend(commit, items) {
          commit.check(entry);
          if (waveAfter) commit.set(entry.key, waveAfter);
          else commit.delete(entry.key);
          const claim: WaveClaim = { by: processId, until: now() + CLAIM_MS };
          if (goesOn) commit.set(openWaveKey(id), claim);
          else commit.delete(openWaveKey(id));
          extend(commit, items);
        },
      },
      result(version) {
        run.version = version;
        return goesOn;
      },
      ifTooLarge: emails.length > 1 ? () => "too large" : undefined,
    };
  });
}

/** Puts invitation letters to people into the outbox again, in place of refused letters. */
async function putLettersAgain(
  kv: Kv,
  { id, wave, emails, records, now }: ReadBatch,
): Promise<BatchChange | undefined> {
  const at = new Date(now).toISOString();
  const letters = await Promise.all(
    records.map((entry) => entry?.value ? invitationsOf(kv, entry.value) : []),
  );
  const withoutLetter = emails.flatMap((email, index) => {
    const entry = records[index];
    const record = entry?.value;
    const refused = letters[index]!;
    if (!record?.invitationCode || record.wave !== id || !isInvitationLetterMissing(record)) {
      return [];
    }
    if (hasExpired(record.expiresAt, at) || !refused.every(isRefused)) return [];
    return [{ email, entry, record, code: record.invitationCode, refused }];
  });
  if (withoutLetter.length === 0) return undefined;
  const people = withoutLetter.map(({ email, entry, record, code, refused }): PersonChange => ({
    email,
    entry,
    change: { record: withoutRefusedInvitation(record, refused), letter: "invitation" },
    invitationUrl: invitationUrlOf(wave.parameters.link, code),
    now,
  }));
  const countedAsRefused = withoutLetter.filter(({ record }) =>
    record.lastLetters?.invitation?.refusedAt
  );
  return {
    people,
    wave: { ...wave, owes: true, lettersAgain: (wave.lettersAgain ?? 0) + people.length },
    goesOn: true,
    extend(commit, items) {
      for (const entry of withoutLetter.flatMap(({ refused }) => refused)) items.change({ entry });
      if (countedAsRefused.length > 0) {
        commit.add(waveCountKey(id, "refused"), -countedAsRefused.length);
      }
    },
  };
}

/** Gives the record of a person without traces of invitation letters that were refused. */
function withoutRefusedInvitation(record: SignUpRecord, refused: OutboxEntry[]): SignUpRecord {
  const { outbox = [], lastLetters: { invitation: _, ...lastLetters } = {}, ...others } = record;
  const refusedIds = refused.map(({ id }) => id);
  return { ...others, lastLetters, outbox: outbox.filter((id) => !refusedIds.includes(id)) };
}

/** Invites the people who can be invited, at most as many as the wave may still invite. */
async function invite(
  { kv, random }: InvitationOptions,
  { id, wave, emails, isLast, records, now }: ReadBatch,
): Promise<BatchChange | undefined> {
  const { parameters: { next = Infinity, link, letters = true, expires: expiresAt } } = wave;
  const at = new Date(now).toISOString();
  // Nobody is invited after the end of the wave's invitations, because the code would not be valid.
  const hasEnded = emails.length > 0 && hasExpired(expiresAt, at);
  const invitees = wave.named === undefined
    ? undefined
    : await readMany<string>(kv, emails.map(inviteeKey));
  const inviteable = emails.flatMap((email, index) => {
    const entry = records[index];
    const record = entry?.value;
    if (!record || reasonNotToInvite(record)) return [];
    // A person who was erased and has signed up again is not an invitee any more.
    if (invitees && !waveIdsOf(invitees[index]?.value).includes(id)) return [];
    return [{ email, entry, record }];
  });
  const mayStillInvite = hasEnded ? 0 : Math.max(0, next - wave.invited);
  const chosen = inviteable.slice(0, mayStillInvite);
  const people = chosen.map(({ email, entry, record }): PersonChange => {
    const invitationCode = newInvitationCode(random);
    const invitation = { invitationCode, wave: id, ...expiresAt && { expiresAt } };
    const { letter, ...step } = inviteSignUp(record, { at, ...invitation });
    const change = letters && letter ? { ...step, letter } : step;
    return { email, entry, change, invitationUrl: invitationUrlOf(link, invitationCode) };
  });
  const invited = wave.invited + people.length;
  const isDone = !hasEnded && (isLast || invited >= next);
  const goesOn = !isDone && !hasEnded;
  if (people.length === 0 && goesOn && !invitees) return undefined;
  const { owes: _, ...others } = wave;
  const waveAfter: Wave = {
    ...others,
    invited,
    ...isDone && { state: "done", done: true },
    ...hasEnded && { state: "paused" },
  };
  const details = { ...wave.audit?.details, invited, ...isDone && { complete: true } };
  return {
    people,
    // Removes the entry of a wave that has invited nobody.
    wave: isDone && invited === 0 ? null : waveAfter,
    goesOn,
    audit: wave.audit && { ...wave.audit, details },
    extend(commit) {
      for (const entry of invitees ?? []) {
        if (!entry) continue;
        // An invited person is removed from all waves. A person whom this wave passes over is removed from this wave
        // only, because other waves may still invite that person.
        const isInvited = people.some(({ email }) => email === addressOf(entry.key));
        if (isInvited) commit.delete(entry.key);
        else removeWaveIds(commit, entry, [id]);
      }
    },
  };
}
