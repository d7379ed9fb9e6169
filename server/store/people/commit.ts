/**
 * Makes the commits that change people. One commit has the records, lists, counters, erasure marks, letter limits,
 * letters and events of some people, and the audit entry. The caller decides what happens to each person;
 * `change_records.ts` reads what most decisions need. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import {
  type Campaign,
  CounterChanges,
  type Leave,
  LineChanges,
  type SignUpRecord,
  type Step,
} from "../../waitlist/mod.ts";
import { entryAbout, setAuditEntry } from "../audit/mod.ts";
import {
  Commit,
  commitChange,
  counterKey,
  inviteeKey,
  type Kv,
  lineKey,
  type MaybeEntry,
  type SchemaSnapshot,
  setSchema,
} from "../kv/mod.ts";
import { createOutboxChanges, type OutboxChanges, type OutboxOptions } from "../outbox/mod.ts";
import { type CampaignChanges, createCampaignChanges } from "./campaigns.ts";
import { clearErasureMarks, hashForAudit, setErasureMarks } from "./erasure_marks.ts";
import { writeLeaveToOutbox } from "./leaving_items.ts";
import type { LetterLimitChanges } from "./letter_limits.ts";
import { beginLogRemoval } from "./letter_log.ts";
import { writeRecord } from "./records.ts";
import { createReferralChanges, type ReferralChanges } from "./referral_changes.ts";

/** What happens to a person in a commit. */
export interface PersonChange {
  email: string;
  /** The record's entry, which the commit checks; absent if the record cannot be read. */
  entry: MaybeEntry<SignUpRecord> | undefined;
  change: Step | Leave;
  /** Gives how long a letter to an unconfirmed address waits, in milliseconds. By default, the letter does not wait. */
  letterDelay?: (() => number) | undefined;
  invitationUrl?: string | undefined;
  /** The address before a correction. */
  formerEmail?: string;
  /**
   * The present moment, in milliseconds since 1970. It is needed only if a letter of an earlier change is put into the
   * outbox again.
   */
  now?: number;
  /** Whether the address is known to have no erasure mark. */
  hasNoErasureMark?: boolean;
  /**
   * Whether to write unchanged entries of lists as well, so that the time of an answer does not tell whether an address
   * is known.
   */
  rewritesLists?: boolean;
  /** Whether the person gets the entry that `auditPerPerson` is the model of; `true` by default. */
  getsAuditEntry?: boolean;
  /** The campaign of a repeated sign-up; absent if campaigns count new people only after the confirmation. */
  repeatedCampaign?: Campaign | undefined;
}

/** What a commit writes. */
export interface PeopleCommit {
  people: PersonChange[];
  /**
   * The schema. The commit checks it, so that the commit fails once another version of the program has changed the
   * store.
   */
  schema: SchemaSnapshot;
  outbox: OutboxOptions;
  /** How the letters of this commit, and the people who leave, change the letter limits of mailboxes. */
  letterLimits?: LetterLimitChanges;
  audit?: AuditEntry | undefined;
  /**
   * The model of an audit entry about each person. The commit adds the hash of the address, and gives each entry an id.
   */
  auditPerPerson?: AuditEntry | undefined;
  /**
   * Whether the people come from another system or a backup. The daily limit of counted referrals does not apply to
   * such people.
   */
  isImport?: boolean;
  /** Adds further writes. */
  extend?: ((commit: Commit, context: ExtendContext) => void) | undefined;
}

/** What `extend` can use besides the commit. */
interface ExtendContext {
  outboxChanges: OutboxChanges;
  /** The erasure marks of the erased people, in the order of `people`. */
  erasureMarks: string[];
}

/** A commit that was decided from the entries that were read, and the result of the call. */
interface PreparedCommit<Result> {
  /** What the commit writes; absent if there is nothing to write. */
  peopleCommit?: PeopleCommit | undefined;
  result: (version: string) => Result;
  /** Gives the result if the commit is too large for the engine. In this case, nothing is written. */
  ifTooLarge?: (() => Result) | undefined;
}

/**
 * Changes people in one commit. Tries again after a conflict or a failure, as {@linkcode commitChange} does.
 * @param prepare reads what the commit needs, and gives the commit and the result. The function is called for each try
 */
export function commitPeople<Result>(
  kv: Kv,
  prepare: () => Promise<PreparedCommit<Result>>,
): Promise<Result> {
  return commitChange(kv, async () => {
    const { peopleCommit, result, ifTooLarge } = await prepare();
    if (!peopleCommit) return { result };
    const commit = await toCommit(kv, peopleCommit);
    const fits = commit.fits && commit.checks.length <= kv.traits.checksPerCommit;
    return ifTooLarge && !fits ? { result: ifTooLarge } : { commit, result };
  });
}

/**
 * Makes the commit for the engine. If a person with a long log of letters leaves, first removes the oldest letters of
 * this log in further commits.
 */
async function toCommit(kv: Kv, peopleCommit: PeopleCommit): Promise<Commit> {
  const { people, outbox, letterLimits, audit, auditPerPerson, extend } = peopleCommit;
  const schemaBefore = peopleCommit.schema;
  const commit = new Commit().check(schemaBefore.entry);
  setAuditEntry(commit, audit);
  const shared = await createSharedChanges(kv, commit, peopleCommit);
  const { schema, erasureMoments, outboxChanges } = shared;
  for (const key of await beginLogRemoval(kv, leavingRecordIds(people))) commit.delete(key);
  for (const person of people) {
    await addPerson(kv, commit, person, shared);
    if (auditPerPerson && person.getsAuditEntry !== false) {
      const addressHash = hashForAudit(schema, person.email, outbox.random);
      setAuditEntry(commit, entryAbout(addressHash, auditPerPerson));
    }
  }
  letterLimits?.writeTo(commit, schema, outbox.random);
  const erasureMarks = erasureMoments.size > 0
    ? setErasureMarks(commit, schema, erasureMoments, outbox.random)
    : [];
  const hasNewErasureKey = schema.erasureKeys !== schemaBefore.erasureKeys;
  writeSchema(commit, schema, { people, hasNewErasureKey });
  extend?.(commit, { outboxChanges, erasureMarks });
  // With mail off, a new address changes counters of the place in line. A known address adds 0 to its counters, so that
  // the time of the answer does not tell whether the address is known.
  const writesZeros = !outbox.sendsLetters && people.some(({ rewritesLists }) => rewritesLists);
  writeCounters(commit, shared, writesZeros);
  shared.campaigns.writeTo(commit);
  await shared.referrals.writeTo(commit);
  outboxChanges.finish();
  return commit;
}

/** The changes that the people of a commit share, because several people can change the same entries. */
interface SharedChanges {
  /**
   * A copy of the schema. The writes of hashes, erasure marks and letter limits may add the first erasure key to this
   * copy.
   */
  schema: SchemaSnapshot;
  counters: CounterChanges;
  line: LineChanges;
  referrals: ReferralChanges;
  campaigns: CampaignChanges;
  outboxChanges: OutboxChanges;
  /** The moments of the erasures by address, in milliseconds since 1970. */
  erasureMoments: Map<string, number>;
}

/** Begins to collect the changes that the people of a commit share. */
async function createSharedChanges(
  kv: Kv,
  commit: Commit,
  { people, schema, outbox, isImport }: PeopleCommit,
): Promise<SharedChanges> {
  return {
    schema: { ...schema },
    counters: new CounterChanges(),
    line: new LineChanges(),
    referrals: createReferralChanges(kv, { hasDailyLimit: !isImport }),
    campaigns: await createCampaignChanges(kv, people),
    outboxChanges: createOutboxChanges(commit, outbox),
    erasureMoments: new Map(),
  };
}

/**
 * Gives the ids of the records of people who leave. Leaves out people whose address is corrected, because their record
 * keeps its id under the new address, and the log of their letters is stored under this id.
 */
const leavingRecordIds = (people: PersonChange[]): string[] =>
  people.flatMap(({ change, entry }) =>
    "leaves" in change && change.leaves !== "corrected" ? entry?.value?.id ?? [] : []
  );

/** Adds the entry of the schema to a commit if people leave, or if the commit has made the first erasure key. */
function writeSchema(
  commit: Commit,
  schema: SchemaSnapshot,
  { people, hasNewErasureKey }: { people: PersonChange[]; hasNewErasureKey: boolean },
): void {
  // Counts the removed records in the entry of the schema, so that other work notices a removal: a recount compares
  // this count, and an import checks the version of the entry, which changes with each write.
  const removed = people.filter(({ change }) => "leaves" in change).length;
  const { removals = 0 } = schema.entry.value ?? {};
  if (removed > 0) setSchema(commit, schema, { removals: removals + removed });
  else if (hasNewErasureKey) setSchema(commit, schema);
}

/**
 * Writes the counters that the people of a commit change.
 * @param writesZeros whether to add 0 to the counters of the place in line that do not change
 */
function writeCounters(
  commit: Commit,
  { counters, line }: Pick<SharedChanges, "counters" | "line">,
  writesZeros: boolean,
): void {
  for (const { counter, delta } of counters) commit.add(counterKey(counter), delta);
  for (const { counter, delta, hasNewCreatedAt } of line) {
    if (delta !== 0 || hasNewCreatedAt || writesZeros) commit.add(lineKey(counter), delta);
  }
}

/** Adds the change of a person to a commit. */
async function addPerson(
  kv: Kv,
  commit: Commit,
  person: PersonChange,
  shared: SharedChanges,
): Promise<void> {
  const { email, entry, change, rewritesLists } = person;
  const before = entry?.value ?? undefined;
  if (entry) commit.check(entry);
  let after: SignUpRecord | undefined;
  if ("leaves" in change) {
    await writeLeaveToOutbox(kv, commit, shared.outboxChanges, { email, before, leave: change });
    commit.delete(inviteeKey(email));
    if (change.leaves !== "expired") shared.erasureMoments.set(email, change.at);
  } else {
    after = await addStep(commit, person, change, shared);
  }
  const isCorrected = "leaves" in change && change.leaves === "corrected";
  writeRecord(commit, email, { before, after, isCorrected, rewritesLists });
  shared.counters.replace(before, after);
  shared.line.replace(before, after);
  shared.referrals.noteChange({ before, after, isCorrected });
}

/** Adds the letter and the event of a person's step to a commit. @returns the record that the commit must write */
async function addStep(
  commit: Commit,
  person: PersonChange,
  step: Step,
  { schema, referrals, campaigns, outboxChanges }: SharedChanges,
): Promise<SignUpRecord> {
  const { email, entry, hasNoErasureMark } = person;
  // Decides on the referral first, because the event about the change tells whether the referral counts.
  const referred = await referrals.decideReferral(email, step.record);
  const record = campaigns.decideCounters(person, referred);
  const withItems = outboxChanges.putStep(email, { ...step, record }, person);
  // Removes a mark without reading it, because a read costs more. As a rule, an address with a record has no mark.
  const mayHaveMark = !entry?.value && !hasNoErasureMark;
  if (mayHaveMark && schema.erasureKeys) clearErasureMarks(commit, schema.erasureKeys, email);
  const recounts = schema.entry.value?.recounts;
  return recounts ? { ...withItems, recount: recounts } : withItems;
}
