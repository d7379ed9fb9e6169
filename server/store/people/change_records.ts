/**
 * Changes the records of people by decisions: reads what the decisions need, calls them, and commits the changes
 * (`commit.ts`). If another commit changes a record first, the decision is made again from the new record. The callers
 * decide by the rules of `waitlist/`. @module
 */
import type { Campaign, Leave, LetterLimit, SignUpRecord, Step } from "../../waitlist/mod.ts";
import {
  checksFor,
  type Kv,
  type MaybeEntry,
  readWithSchema,
  type SchemaSnapshot,
  signUpKey,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { commitPeople, type PeopleCommit, type PersonChange } from "./commit.ts";
import { halve } from "./commit_size.ts";
import { findErasureMoments } from "./erasure_marks.ts";
import {
  createLetterLimitChanges,
  type Mailboxes,
  readMailboxes,
  splitByChecks,
} from "./letter_limits.ts";
import type { ReferrerIds } from "./referral_codes.ts";

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

/** What the decisions of one call share. */
interface DecisionOptions
  extends Pick<PeopleCommit, "outbox" | "audit" | "auditPerPerson" | "extend" | "isImport"> {
  /**
   * Finds the people to whom the referral codes of the decisions belong. The function is called for each try of the
   * commit, because a try fails if a person has left the list meanwhile: the commit checks the entry of the schema.
   */
  findReferrerIds?: (schema: SchemaSnapshot) => Promise<ReferrerIds>;
}

/** The result if no decision looks for the owners of referral codes. */
const NO_REFERRERS: ReferrerIds = new Map();

/**
 * Changes people, and resolves once all changes are durable. There are at most as many decisions as
 * {@linkcode checksFor} allows. Changes of new and of known addresses take the same steps, so that the duration does
 * not tell whether an address is known.
 * @returns the addresses whose records or letter limits cannot be read
 */
export async function changeRecords(
  kv: Kv,
  decisions: PersonDecision[],
  options: DecisionOptions,
): Promise<ReadonlySet<string>> {
  const unreadable = new Set<string>();
  let batches: Batch[] = [{ decisions }];
  while (batches.length > 0) {
    const outcomes = await Promise.all(batches.map((batch) => tryBatch(kv, batch, options)));
    for (const outcome of outcomes) outcome.unreadable.forEach((email) => unreadable.add(email));
    batches = outcomes.flatMap(({ remaining }) => remaining);
  }
  return unreadable;
}

/** Some decisions, whose changes are tried in one commit. */
interface Batch {
  decisions: PersonDecision[];
  /** What was already read for these decisions, before the batch was split off. */
  storedPeople?: StoredPeople;
}

/** What came of one try to commit a batch. */
interface BatchOutcome {
  unreadable: ReadonlySet<string>;
  /**
   * The batches that are still to be committed, because the tried batch needs several commits; empty after a commit.
   */
  remaining: Batch[];
}

/** Makes changes in one commit. If the changes need several commits, makes none of them, and splits the batch. */
function tryBatch(
  kv: Kv,
  batch: Batch,
  options: DecisionOptions,
): Promise<BatchOutcome> {
  // Only the first try can use what was read before. A further try follows a conflict or a failure, so it reads again.
  let readBefore = batch.storedPeople;
  let lastTry: DecisionWithEntry[] | undefined;
  return commitPeople<BatchOutcome>(kv, async () => {
    const storedPeople = readBefore ?? await readStoredPeople(kv, batch.decisions, options.outbox);
    readBefore = undefined;
    const { decisionsWithEntries, mailboxes, unreadable, schema } = storedPeople;
    const referrerIds = await options.findReferrerIds?.(schema) ?? NO_REFERRERS;
    /** Commits nothing, and leaves each group of decisions to a commit of its own. */
    const splitInto = (groups: DecisionWithEntry[][]): BatchOutcome => ({
      unreadable,
      remaining: groups.map((group) => ({
        decisions: group,
        storedPeople: { ...storedPeople, decisionsWithEntries: group },
      })),
    });
    const groups = separateChanged(decisionsWithEntries, lastTry)
      .flatMap((group) => splitByChecks(group, mailboxes, checksFor(kv)));
    lastTry = decisionsWithEntries;
    if (groups.length > 1) return { result: () => splitInto(groups) };
    return {
      peopleCommit: decideAll(storedPeople, referrerIds, options),
      result: () => ({ unreadable, remaining: [] }),
      ifTooLarge: decisionsWithEntries.length > 1
        ? () => splitInto(halve(decisionsWithEntries))
        : undefined,
    };
  });
}

/**
 * Puts the decisions whose records have changed since the last try into one group, and the other decisions into a
 * second group. The groups get separate commits, so that an address to which other processes write does not delay the
 * other addresses.
 */
function separateChanged(
  decisions: DecisionWithEntry[],
  lastTry: DecisionWithEntry[] | undefined,
): DecisionWithEntry[][] {
  if (!lastTry) return [decisions];
  // A record has changed if the last try has read no entry of its version.
  const versions = new Set(lastTry.map(({ entry }) => entry?.version));
  return Map.groupBy(decisions, ({ entry }) => versions.has(entry?.version)).values().toArray();
}

/** A decision, and the entry of the person's record. */
interface DecisionWithEntry extends PersonDecision {
  entry: MaybeEntry<SignUpRecord> | undefined;
}

/** What was read from the store to decide on some people: their records, mailboxes and erasures, and the schema. */
interface StoredPeople {
  /** The decisions that can be made: record and mailbox can be read, or the decision needs neither. */
  decisionsWithEntries: DecisionWithEntry[];
  schema: SchemaSnapshot;
  /** The date-times of erasures by address; absent if the service sends no events, because only events need them. */
  erasureMoments: ReadonlyMap<string, string> | undefined;
  mailboxes: Mailboxes;
  /** The addresses for which KV cannot read the entry of the record or of the mailbox. */
  unreadable: ReadonlySet<string>;
}

/**
 * Makes the decisions one after the other, because several addresses of one mailbox share its letter limit.
 * @returns what the commit writes; `undefined` if nothing changes
 */
function decideAll(
  { decisionsWithEntries, schema, mailboxes, erasureMoments }: StoredPeople,
  referrerIds: ReferrerIds,
  { outbox, audit, auditPerPerson, extend, isImport = false }: DecisionOptions,
): PeopleCommit | undefined {
  const letterLimits = createLetterLimitChanges(mailboxes);
  const people = decisionsWithEntries.flatMap(
    ({ decide, campaign, ...person }): PersonChange | [] => {
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
      if ("leaves" in change) letterLimits.noteRemoval(email, before);
      else if (change.letter) letterLimits.noteLetter(email, change.record);
      return { ...person, change, ...before && { repeatedCampaign: campaign } };
    },
  );
  return people.length > 0
    ? { people, schema, outbox, letterLimits, audit, auditPerPerson, extend, isImport }
    : undefined;
}

/** Reads what decisions on people need. */
async function readStoredPeople(
  kv: Kv,
  decisions: PersonDecision[],
  outbox: OutboxOptions,
): Promise<StoredPeople> {
  const keys = decisions.map(({ email }) => signUpKey(email));
  const { schema, entries } = await readWithSchema<SignUpRecord>(kv, keys);
  const decisionsWithEntries = decisions.map((decision, index): DecisionWithEntry => {
    return { ...decision, entry: entries[index] };
  });
  const emailsWhere = (fits: (decision: DecisionWithEntry) => unknown) =>
    decisionsWithEntries.flatMap((decision) => fits(decision) ? decision.email : []);
  const erasureMoments = outbox.sendsEvents
    ? await findErasureMoments(kv, schema, emailsWhere(({ entry }) => entry?.version === null))
    : undefined;
  // Without mail, letter limits are read only for people who have got letters or have complained before, because these
  // limits must outlive the records.
  const emailsWithLimit = emailsWhere(({ entry }) =>
    entry && (outbox.sendsLetters || entry.value?.letters || entry.value?.complainedAt)
  );
  const mailboxes = await readMailboxes(kv, schema, emailsWithLimit);
  const isReadable = ({ email, entry }: DecisionWithEntry) =>
    entry !== undefined && !mailboxes.get(email)?.isUnreadable;
  return {
    decisionsWithEntries: decisionsWithEntries.filter((decision) => {
      return decision.decidesOnUnreadable || isReadable(decision);
    }),
    schema,
    erasureMoments,
    mailboxes,
    unreadable: new Set(emailsWhere((decision) => !isReadable(decision))),
  };
}
