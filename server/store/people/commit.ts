/**
 * Makes the commits that change people. One commit has the records, lists, counters, erasure marks, letter limits,
 * letters and events of some people, and the audit entry. `waitlist/` decides what happens. This file and the other
 * files of this folder read the entries that this decision needs. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import {
  type Campaign,
  CounterChanges,
  type Leave,
  type LetterLimit,
  LineChanges,
  type SignUpRecord,
  type Step,
} from "../../waitlist/mod.ts";
import { entryAbout, setAuditEntry } from "../audit/mod.ts";
import {
  checksFor,
  Commit,
  commitChange,
  counterKey,
  inviteeKey,
  type Kv,
  lineKey,
  type MaybeEntry,
  readWithSchema,
  setSchema,
  signUpKey,
  type StoreSchema,
} from "../kv/mod.ts";
import { createOutboxChanges, type OutboxChanges, type OutboxOptions } from "../outbox/mod.ts";
import { createCampaignChanges } from "./campaigns.ts";
import { halve } from "./commit_size.ts";
import {
  clearErasureMarks,
  findErasureMoments,
  hashWith,
  setErasureMarks,
} from "./erasure_marks.ts";
import { removeItems } from "./leaving_items.ts";
import {
  createLetterLimitChanges,
  type LetterLimitChanges,
  type Mailboxes,
  readMailboxes,
  splitByChecks,
} from "./letter_limits.ts";
import { trimLetterLogs } from "./letter_log.ts";
import { writeRecord } from "./records.ts";
import { createReferralChanges } from "./referral_changes.ts";
import type { ReferrerIds } from "./referrals.ts";

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
  schema: StoreSchema;
  outbox: OutboxOptions;
  /** How the letters of this commit, and the people who leave, change the letter limits of mailboxes. */
  letterLimits?: LetterLimitChanges;
  audit?: AuditEntry | undefined;
  /** The audit entry about each person. The commit adds the hash of the address, and gives each entry an id. */
  auditEach?: AuditEntry | undefined;
  /**
   * Whether the people come from another system or a backup. The daily limit of counted referrals does not hold for
   * them.
   */
  isImport?: boolean;
  /** Adds further writes. @param marks the erasure marks of the erased people, in the order of `people` */
  extend?: ((commit: Commit, items: OutboxChanges, marks: string[]) => void) | undefined;
}

/** A change that was decided from the entries that were read. */
interface PreparedChange<Result> {
  /** The writes of the change; absent if there is nothing to write. */
  change?: PeopleCommit | undefined;
  result: (version: string) => Result;
  /** Gives the result if the engine does not allow a commit of this size. In this case, nothing is written. */
  ifTooLarge?: (() => Result) | undefined;
}

/**
 * Changes people in one commit. Tries again after a conflict or a failure, as {@linkcode commitChange} does.
 * @param prepare reads what the change needs, and gives the change and the result. It is called for each try
 */
export function commitPeople<Result>(
  kv: Kv,
  prepare: () => Promise<PreparedChange<Result>>,
): Promise<Result> {
  return commitChange(kv, async () => {
    const { change, result, ifTooLarge } = await prepare();
    if (!change) return { result };
    const commit = await toCommit(kv, change);
    const fits = commit.fits && commit.checks.length <= kv.traits.checksPerCommit;
    return ifTooLarge && !fits ? { result: ifTooLarge } : { commit, result };
  });
}

/**
 * Makes the commit of a change. If a person with a long log of letters leaves, first removes the oldest letters of this
 * log in further commits.
 */
async function toCommit(kv: Kv, change: PeopleCommit): Promise<Commit> {
  const { people, outbox, letterLimits, auditEach, extend } = change;
  // The writes of hashes, erasure marks and letter limits may add the first erasure key to this copy.
  const schema = { ...change.schema };
  const { recounts, removals = 0 } = schema.entry.value ?? {};
  const commit = new Commit().check(schema.entry);
  setAuditEntry(commit, change.audit);
  const counters = new CounterChanges();
  const line = new LineChanges();
  const referrals = createReferralChanges(kv, { hasDailyLimit: !change.isImport });
  const campaigns = await createCampaignChanges(kv, people);
  const items = createOutboxChanges(commit, outbox);
  const erasedAt = new Map<string, number>();
  let removed = 0;
  // Leaves out people whose address is corrected: their record keeps its id under the new address, so its log of
  // letters must stay.
  const leavingIds = people.flatMap((person) =>
    "leaves" in person.change && person.change.leaves !== "corrected"
      ? person.entry?.value?.id ?? []
      : []
  );
  for (const key of await trimLetterLogs(kv, leavingIds)) commit.delete(key);
  for (const person of people) {
    const { email, entry, hasNoErasureMark, rewritesLists, ...stepOptions } = person;
    const stepOrLeave = person.change;
    const before = entry?.value ?? undefined;
    if (entry) commit.check(entry);
    let after: SignUpRecord | undefined;
    if ("leaves" in stepOrLeave) {
      await removeItems(kv, commit, items, { email, before, leave: stepOrLeave });
      commit.delete(inviteeKey(email));
      if (stepOrLeave.leaves !== "expired") erasedAt.set(email, stepOrLeave.at);
      removed++;
    } else {
      // Decides on the referral first, because the event about the change tells whether the referral counts.
      const referred = await referrals.decideReferral(email, stepOrLeave.record);
      const record = campaigns.decide(person, referred);
      after = items.putStep(email, { ...stepOrLeave, record }, stepOptions);
      if (recounts) after = { ...after, recount: recounts };
      // Removes a mark without reading it, because a read costs more. As a rule, an address with a record has no mark.
      const mayHaveMark = !before && !hasNoErasureMark;
      if (mayHaveMark && schema.erasureKeys) clearErasureMarks(commit, schema.erasureKeys, email);
    }
    const isCorrected = "leaves" in stepOrLeave && stepOrLeave.leaves === "corrected";
    writeRecord(commit, email, { before, after, isCorrected, rewritesLists });
    if (auditEach) {
      setAuditEntry(commit, entryAbout(hashWith(schema, email, outbox.random), auditEach));
    }
    counters.replace(before, after);
    line.replace(before, after);
    referrals.noteChange({ before, after, isCorrected });
  }
  letterLimits?.write(commit, schema, outbox.random);
  const marks = erasedAt.size > 0 ? setErasureMarks(commit, schema, erasedAt, outbox.random) : [];
  // Counts the removed records in the entry of the schema, so that other work notices a removal: a recount compares
  // this count, and an import checks the version of the entry, which changes with each write.
  if (removed > 0) setSchema(commit, schema, { removals: removals + removed });
  else if (schema.erasureKeys !== change.schema.erasureKeys) setSchema(commit, schema);
  extend?.(commit, items, marks);
  for (const { counter, delta } of counters) commit.add(counterKey(counter), delta);
  // With mail off, a new address changes counters of the place in line. A known address adds 0 to its counters, so that
  // the time of the answer does not tell whether the address is known.
  const writesZeros = !outbox.letters && people.some(({ rewritesLists }) => rewritesLists);
  for (const { counter, delta, hasNewCreatedAt } of line) {
    if (delta !== 0 || hasNewCreatedAt || writesZeros) commit.add(lineKey(counter), delta);
  }
  campaigns.write(commit);
  await referrals.writeTo(commit);
  items.finish();
  return commit;
}

/** What a decision about a person needs besides the record. */
export interface DecisionContext {
  letterLimit: LetterLimit;
  /** The date-time of the person's erasure. It is read only if the service sends events and there is no record. */
  erasedAt: string | undefined;
  /** The people to whom referral codes belong, as `findReferrerIds` has found them. */
  referrerIds: ReferrerIds;
}

/** Decides what happens to a person, once the record of the person is read. */
export interface PersonDecision
  extends Pick<PersonChange, "email" | "letterDelay" | "rewritesLists"> {
  /** Gives the decision. The function is called again if its decision was not committed. */
  decide: (
    record: SignUpRecord | undefined,
    context: DecisionContext,
  ) => Step | Leave | "unchanged";
  /** Whether to decide even if the record cannot be read, as if the record were absent. */
  decidesOnUnreadable?: boolean;
  /** The campaign of a sign-up; absent if new people are not counted by their campaigns before they have confirmed. */
  campaign?: Campaign | undefined;
}

interface DecisionOptions
  extends Pick<PeopleCommit, "outbox" | "audit" | "auditEach" | "extend" | "isImport"> {
  /**
   * Finds the people to whom the referral codes of the decisions belong. The function is called for each try of the
   * commit, because a try fails if a person has left the list meanwhile: the commit checks the entry of the schema.
   */
  findReferrerIds?: (schema: StoreSchema) => Promise<ReferrerIds>;
}

const NO_REFERRERS: ReferrerIds = new Map();

/**
 * Changes people, at most as many as {@linkcode checksFor} gives, and resolves once all changes are durable. Changes of
 * new and of known addresses take the same steps, so that the time does not tell whether an address is known.
 * @returns the addresses whose records or letter limits cannot be read
 */
export async function changeRecords(
  kv: Kv,
  decisions: PersonDecision[],
  options: DecisionOptions,
): Promise<ReadonlySet<string>> {
  const unreadable = new Set<string>();
  let parts: Part[] = [{ decisions }];
  while (parts.length > 0) {
    const changed = await Promise.all(parts.map((part) => changePart(kv, part, options)));
    for (const part of changed) part.unreadable.forEach((email) => unreadable.add(email));
    parts = changed.flatMap(({ split }) => split);
  }
  return unreadable;
}

/** Some decisions, whose changes are tried in one commit. */
interface Part {
  decisions: PersonDecision[];
  /** The entries that were already read for these decisions. */
  state?: PeopleState;
}

/**
 * Makes changes in one commit. If the changes need several commits, makes none of them, and gives a part for each
 * commit.
 */
function changePart(kv: Kv, { decisions, state: earlierState }: Part, options: DecisionOptions) {
  let lastTry: DecisionWithEntry[] | undefined;
  return commitPeople(kv, async () => {
    // Only the first try can use entries that were read before. A further try follows a conflict, so it reads again.
    const state = lastTry === undefined && earlierState ||
      await readState(kv, decisions, options.outbox);
    const { withEntries, mailboxes } = state;
    const referrerIds = await options.findReferrerIds?.(state.schema) ?? NO_REFERRERS;
    /** Makes a function that gives the unreadable addresses, and the parts that are still to be committed. */
    const splitInto = (parts: DecisionWithEntry[][]) => () => ({
      unreadable: state.unreadable,
      split: parts.map((part): Part => {
        return { decisions: part, state: { ...state, withEntries: part } };
      }),
    });
    const parts = separateChanged(withEntries, lastTry)
      .flatMap((part) => splitByChecks(part, mailboxes, checksFor(kv)));
    lastTry = withEntries;
    if (parts.length > 1) return { result: splitInto(parts) };
    return {
      change: decideAll(state, referrerIds, options),
      result: splitInto([]),
      ifTooLarge: withEntries.length > 1 ? splitInto(halve(withEntries)) : undefined,
    };
  });
}

/**
 * Separates the decisions whose records have changed since the last try from the others. The two groups get separate
 * commits, so that an address to which other processes write does not delay the other addresses.
 */
function separateChanged(
  decisions: DecisionWithEntry[],
  lastTry: DecisionWithEntry[] | undefined,
): DecisionWithEntry[][] {
  if (!lastTry) return [decisions];
  const versions = new Set(lastTry.map(({ entry }) => entry?.version));
  return Map.groupBy(decisions, ({ entry }) => versions.has(entry?.version)).values().toArray();
}

/** A decision, and the entry of the person's record. */
interface DecisionWithEntry extends PersonDecision {
  entry: MaybeEntry<SignUpRecord> | undefined;
}

/** What was read from the store to decide on some people: their records, mailboxes and erasures, and the schema. */
interface PeopleState {
  /** The decisions that can be made: record and mailbox can be read, or the decision needs neither. */
  withEntries: DecisionWithEntry[];
  schema: StoreSchema;
  /** The date-times of erasures by address; absent if the service sends no events, because only events need them. */
  erasureMoments: ReadonlyMap<string, string> | undefined;
  mailboxes: Mailboxes;
  /** The addresses for which KV cannot read the entry of the record or of the mailbox. */
  unreadable: ReadonlySet<string>;
}

/** Decides on people one after the other, because several addresses of one mailbox share its letter limit. */
function decideAll(
  { withEntries, schema, mailboxes, erasureMoments }: PeopleState,
  referrerIds: ReferrerIds,
  { outbox, audit, auditEach, extend, isImport = false }: DecisionOptions,
): PeopleCommit | undefined {
  const letterLimits = createLetterLimitChanges(mailboxes);
  const people = withEntries.flatMap(({ decide, campaign, ...person }): PersonChange | [] => {
    const { email, entry } = person;
    const before = entry?.value ?? undefined;
    const change = decide(before, {
      letterLimit: letterLimits.limitOf(email, before),
      erasedAt: erasureMoments?.get(email),
      referrerIds,
    });
    if (change === "unchanged") return [];
    // A person without a record cannot leave. A record that cannot be read has no `entry` here, and is removed.
    if ("leaves" in change && entry && !before) return [];
    if ("leaves" in change) letterLimits.note(email, before, undefined);
    else if (change.letter) letterLimits.note(email, before, change.record);
    return { ...person, change, ...before && { repeatedCampaign: campaign } };
  });
  return people.length > 0
    ? { people, schema, outbox, letterLimits, audit, auditEach, extend, isImport }
    : undefined;
}

/** Reads what some decisions need. */
async function readState(
  kv: Kv,
  decisions: PersonDecision[],
  outbox: OutboxOptions,
): Promise<PeopleState> {
  const keys = decisions.map(({ email }) => signUpKey(email));
  const { schema, entries } = await readWithSchema<SignUpRecord>(kv, keys);
  const withEntries = decisions.map((decision, index): DecisionWithEntry => {
    return { ...decision, entry: entries[index] };
  });
  const emailsWhere = (isChosen: (decision: DecisionWithEntry) => unknown) =>
    withEntries.flatMap((decision) => isChosen(decision) ? decision.email : []);
  const erasureMoments = outbox.events
    ? await findErasureMoments(kv, schema, emailsWhere(({ entry }) => entry?.version === null))
    : undefined;
  // Without mail, letter limits are read only for people who have got letters or have complained before, because these
  // limits must outlive the records.
  const limited = emailsWhere(({ entry }) =>
    entry && (outbox.letters || entry.value?.letters || entry.value?.complainedAt)
  );
  const mailboxes = await readMailboxes(kv, schema, limited);
  const isReadable = ({ email, entry }: DecisionWithEntry) =>
    entry !== undefined && !mailboxes.get(email)?.isUnreadable;
  return {
    withEntries: withEntries.filter((decision) => {
      return decision.decidesOnUnreadable || isReadable(decision);
    }),
    schema,
    erasureMoments,
    mailboxes,
    unreadable: new Set(emailsWhere((decision) => !isReadable(decision))),
  };
}
