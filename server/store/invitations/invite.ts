/**
 * Works on one running wave: first puts missing letters into the outbox again (`missing_letters.ts`), then invites the
 * people whom the wave may still invite, some in each commit (`wave_commits.ts`). `wave_work.ts` does this for all
 * running waves, and `waitlist/waves.ts` has the rules. @module
 */
import type { RandomBytes } from "../../runtime/mod.ts";
import {
  hasExpired,
  invitationUrlOf,
  inviteSignUp,
  matchesFilter,
  newInvitationCode,
  reasonNotToInvite,
  type SignUpRecord,
  type Wave,
} from "../../waitlist/mod.ts";
import {
  addressOf,
  type Commit,
  inviteeKey,
  type Kv,
  type MaybeEntry,
  readMany,
  readOne,
  waveKey,
} from "../kv/mod.ts";
import {
  filterByReferrals,
  findRecords,
  maxPeopleInCommit,
  type PersonChange,
  readReferralCandidates,
} from "../people/mod.ts";
import { readInviteesOf, removeWaveIds, waveIdsOf } from "./invitees.ts";
import { putLettersAgain, readPeopleWithoutLetter } from "./missing_letters.ts";
import {
  type Batch,
  type BatchChange,
  commitBatch,
  type InvitationOptions,
  type ReadBatch,
  type WaveRun,
} from "./wave_commits.ts";

/**
 * Works on a running wave. Yields after each batch of people after which the wave goes on, whether the batch was
 * committed or had nothing to commit.
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
  const run: WaveRun = { id, processId, version };
  // A commit has a limited number of checks. One check is for the entry of the wave, and one for each person.
  const maxPeople = maxPeopleInCommit(kv, 1);
  // A person to whom a letter is sent again needs a second check, for the refused letter that is replaced.
  const maxPeopleWithoutLetter = Math.floor(maxPeople / 2);
  const mustPutLettersAgain = wave.owes === true;
  const batchesWithoutLetter = mustPutLettersAgain
    ? readPeopleWithoutLetter(kv, id, maxPeopleWithoutLetter)
    : [];
  for await (const emails of batchesWithoutLetter) {
    const goesOn = await commitBatch(options, run, { emails, isLast: false }, (batch) => {
      return putLettersAgain(kv, batch);
    });
    if (!goesOn) return;
    yield;
  }
  for await (const candidates of readCandidates(kv, { id, wave, size: maxPeople })) {
    const goesOn = await commitBatch(options, run, candidates, (batch) => invite(options, batch));
    if (!goesOn) return;
    yield;
  }
}

/** Reads the people whom a wave may still invite, at most `size` at once. */
async function* readCandidates(
  kv: Kv,
  { id, wave, size }: { id: string; wave: Wave; size: number },
): AsyncGenerator<Batch> {
  const emails: string[] = [];
  for await (const addresses of readCandidateAddresses(kv, id, wave)) {
    emails.push(...addresses);
    // Yields at least one batch for each page, even for a page without candidates, so that the work can stop after each
    // page. At most `size` addresses stay for the next page or for the last batch.
    do {
      yield { emails: emails.splice(0, size), isLast: false };
    } while (emails.length > size);
  }
  yield { emails, isLast: true };
}

/** Reads the addresses of the people whom a wave may still invite, page by page. */
function readCandidateAddresses(
  kv: Kv,
  id: string,
  { named, done, parameters }: Wave,
): AsyncGenerator<string[]> | [] {
  const selectsByName = named !== undefined;
  if (selectsByName) return readInviteesOf(kv, id);
  return done ? [] : readWaiting(kv, parameters);
}

/** Reads the addresses of the waiting people who match the filter of a wave. */
async function* readWaiting(kv: Kv, filter: Wave["parameters"]): AsyncGenerator<string[]> {
  for await (const people of readReferralCandidates(kv, { list: "waiting" }, filter.referrals)) {
    const emails = people.filter((person) => matchesFilter(person, filter))
      .map(({ email }) => email);
    if (filter.referrals === undefined) yield emails;
    else {
      const records = await findRecords(kv, emails);
      const referrers = await filterByReferrals(kv, records, filter.referrals);
      yield referrers.map(({ email }) => email);
    }
  }
}

/** The entries of invitees (`invitees.ts`); `undefined` for an entry that cannot be read. */
type InviteeEntries = (MaybeEntry<string> | undefined)[];

/** Invites the people of a batch who can be invited, at most as many as the wave may still invite. */
async function invite(
  { kv, random }: InvitationOptions,
  batch: ReadBatch,
): Promise<BatchChange | undefined> {
  const { id, wave, emails, isLast, now } = batch;
  const { next: maxInvited = Infinity, expires: expiresAt } = wave.parameters;
  const at = new Date(now).toISOString();
  // Nobody is invited after the end of the wave's invitations, because a new invitation code would not be valid.
  const hasEnded = emails.length > 0 && hasExpired(expiresAt, at);
  const invitees: InviteeEntries | undefined = wave.named === undefined
    ? undefined
    : await readMany<string>(kv, emails.map(inviteeKey));
  const remaining = hasEnded ? 0 : Math.max(0, maxInvited - wave.invited);
  const people = invitablePeople(batch, invitees)
    .slice(0, remaining)
    .map((person) => invitePerson(person, { id, wave, at, random }));

  const invited = wave.invited + people.length;
  const isDone = !hasEnded && (isLast || invited >= maxInvited);
  const goesOn = !isDone && !hasEnded;
  // A wave that selects people by name commits in any case, so that the people whom it passes over leave its invitees.
  if (people.length === 0 && goesOn && !invitees) return undefined;
  const details = { ...wave.audit?.details, invited, ...isDone && { complete: true } };
  return {
    people,
    wave: waveAfterBatch(wave, { invited, isDone, hasEnded }),
    goesOn,
    audit: wave.audit && { ...wave.audit, details },
    addWrites(commit) {
      if (invitees) removeFromInvitees(commit, invitees, { id, people });
    },
  };
}

/**
 * Gives a wave after a batch; `null` for a wave that is done and has invited nobody, because such a wave leaves no
 * entry. The wave owes no letters any more, because `workOnWave()` puts all missing letters into the outbox before it
 * invites people.
 */
function waveAfterBatch(
  { owes: _, auditOfAgain: _audit, ...wave }: Wave,
  { invited, isDone, hasEnded }: { invited: number; isDone: boolean; hasEnded: boolean },
): Wave | null {
  if (isDone && invited === 0) return null;
  return {
    ...wave,
    invited,
    ...isDone && { state: "done", done: true },
    ...hasEnded && { state: "paused" },
  };
}

/** A person whom a wave can invite. */
interface InvitablePerson extends Pick<PersonChange, "email" | "entry"> {
  record: SignUpRecord;
}

/**
 * Gives the people of a batch whom the wave can invite.
 * @param invitees the entries of the people, if the wave selects people by name
 */
function invitablePeople(
  { id, emails, records }: ReadBatch,
  invitees: InviteeEntries | undefined,
): InvitablePerson[] {
  return emails.flatMap((email, index) => {
    const entry = records[index];
    const record = entry?.value;
    if (!record || reasonNotToInvite(record)) return [];
    // A person who was erased and has signed up again is not an invitee any more.
    if (invitees && !waveIdsOf(invitees[index]?.value).includes(id)) return [];
    return [{ email, entry, record }];
  });
}

/** Gives the change that invites a person: the record with a new invitation code, and the letter of the invitation. */
function invitePerson(
  { email, entry, record }: InvitablePerson,
  { id, wave, at, random }: { id: string; wave: Wave; at: string; random: RandomBytes },
): PersonChange {
  const { link, letters = true, expires: expiresAt } = wave.parameters;
  const invitationCode = newInvitationCode(random);
  const invitation = { invitationCode, wave: id, ...expiresAt && { expiresAt } };
  const { letter, ...step } = inviteSignUp(record, { at, ...invitation });
  const change = letters && letter ? { ...step, letter } : step;
  return { email, entry, change, invitationUrl: invitationUrlOf(link, invitationCode) };
}

/**
 * Removes the people of a batch from the invitees. An invited person is removed from all waves. A person whom this wave
 * passes over is removed from this wave only, because other waves may still invite that person.
 */
function removeFromInvitees(
  commit: Commit,
  invitees: InviteeEntries,
  { id, people }: { id: string; people: PersonChange[] },
): void {
  for (const entry of invitees) {
    if (!entry) continue;
    const isInvited = people.some(({ email }) => email === addressOf(entry.key));
    if (isInvited) commit.delete(entry.key);
    else removeWaveIds(commit, entry, [id]);
  }
}
