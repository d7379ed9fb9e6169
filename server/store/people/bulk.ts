/** Stores sign-ups that arrive in bulk, as by an import or a restore, in batches of one commit each. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import {
  type BulkOutcome,
  type BulkSignUp,
  type KnownSlugs,
  planBulkSignUps,
  resolveReferral,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import {
  addressesOf,
  checksFor,
  KNOWN_SLUGS,
  type Kv,
  type MaybeEntry,
  pages,
  PENDING_REFERRALS,
  readMany,
  readOne,
  readSchema,
  signUpKey,
} from "../kv/mod.ts";
import { NO_OUTBOX } from "../outbox/mod.ts";
import {
  changeRecords,
  commitPeople,
  halve,
  PEOPLE_IN_COMMIT,
  type PeopleCommit,
  type PersonChange,
  type PersonDecision,
} from "./commit.ts";
import { findErasureMoments } from "./erasure_marks.ts";
import { makeRoomForSlugs, NO_SLUGS, readUsedSlugs } from "./known_slugs.ts";
import { findRecords } from "./records.ts";
import { findReferrerIds } from "./referrals.ts";

/**
 * A run that stores nothing. Several calls may share this object, so that a later call knows the slugs of earlier
 * calls.
 */
export interface DryRun {
  /** The known slugs, with the new slugs of the calls so far; the first call sets them. */
  slugs?: KnownSlugs;
}

/** How bulk sign-ups are stored. */
export interface BulkOptions {
  /** If given, nothing is stored. A later call knows the slugs of the earlier calls, but not their addresses. */
  dryRun?: DryRun | undefined;
  /** The audit entry. Each commit writes the entry again, with the changes that the caller has made to it meanwhile. */
  audit?: AuditEntry | undefined;
}

/**
 * Stores bulk sign-ups. Sign-ups of one address are merged in the order in which they are given.
 * @returns an outcome for each sign-up
 * @throws the error of a commit, once no other commit is under way
 */
export async function storeBulkSignUps(
  kv: Kv,
  bulkSignUps: BulkSignUp[],
  options: BulkOptions = {},
): Promise<BulkOutcome[]> {
  const { dryRun } = options;
  if (dryRun) dryRun.slugs ??= await readUsedSlugs(kv);
  const outcomes: BulkOutcome[] = [];
  // Each commit needs one check for the known slugs.
  const size = Math.min(checksFor(kv, 1), PEOPLE_IN_COMMIT);
  const batches = splitByDate(bulkSignUps, size);
  const runs = Array.from({ length: kv.traits.commitsInFlight }, async () => {
    try {
      for (let batch = batches.pop(); batch; batch = batches.pop()) {
        const stored = await storeBatch(kv, batch.map(({ bulkSignUp }) => bulkSignUp), options);
        batch.forEach(({ index }, order) => outcomes[index] = stored[order]!);
      }
    } catch (error) {
      // No further batch begins, because the caller gets the error of this batch.
      batches.length = 0;
      throw error;
    }
  });
  await Promise.allSettled(runs);
  await Promise.all(runs);
  return outcomes;
}

/**
 * Splits bulk sign-ups into batches of `size` addresses. Each address is in only one batch, because batches run at the
 * same time. People with close dates of consent share a batch, because the entries in lists of people are in the order
 * of `createdAt`, and the consent is as a rule as old: the people of a batch share counters, and their entries in lists
 * lie close together. The caller takes batches from the end of the array, so the array begins with the last batch.
 */
function splitByDate(bulkSignUps: BulkSignUp[], size: number) {
  const indexed = bulkSignUps.map((bulkSignUp, index) => ({ bulkSignUp, index }));
  const byAddress = Map.groupBy(indexed, ({ bulkSignUp }) => bulkSignUp.email);
  const ordered = [...byAddress].map(([email, ofAddress]) => {
    return { ofAddress, order: `${ofAddress[0]!.bulkSignUp.consentedAt} ${email}` };
  }).sort((one, other) => one.order < other.order ? -1 : 1).map(({ ofAddress }) => ofAddress);
  const batches: (typeof indexed)[] = [];
  while (ordered.length > 0) batches.push(ordered.splice(0, size).flat());
  return batches.reverse();
}

/** Stores a batch in one commit, or in several commits if it is too large for one. */
async function storeBatch(
  kv: Kv,
  bulkSignUps: BulkSignUp[],
  options: BulkOptions,
): Promise<BulkOutcome[]> {
  const outcomes = await storeInCommit(kv, bulkSignUps, options);
  if (outcomes) return outcomes;
  const byAddress = [...Map.groupBy(bulkSignUps, ({ email }) => email).values()];
  const stored: BulkOutcome[] = [];
  for (const half of halve(byAddress)) stored.push(...await storeBatch(kv, half.flat(), options));
  return stored;
}

/**
 * Stores sign-ups in one commit.
 * @returns `undefined`, and stores nothing, if the sign-ups are too many for one commit
 */
async function storeInCommit(
  kv: Kv,
  bulkSignUps: BulkSignUp[],
  { dryRun, audit }: BulkOptions,
): Promise<BulkOutcome[] | undefined> {
  const emails = [...new Set(bulkSignUps.map(({ email }) => email))];
  // The first try assumes that all addresses are new, because most of them are new. So this try need not read their
  // records, which would be half of the work. The commit fails if an address has a record. Operators may learn from the
  // duration of an import which addresses are on the list.
  let assumesAllNew = !dryRun;
  return await commitPeople<BulkOutcome[] | undefined>(kv, async () => {
    const [schema, slugsEntry] = await Promise.all([
      readSchema(kv),
      dryRun ? readOne<KnownSlugs>(kv, KNOWN_SLUGS) : makeRoomForSlugs(kv, bulkSignUps),
    ]);
    const erasures = await findErasureMoments(kv, schema, emails);
    const keys = emails.map(signUpKey);
    const entries: (MaybeEntry<SignUpRecord> | undefined)[] = assumesAllNew && erasures.size === 0
      ? keys.map((key) => ({ key, value: null, version: null }))
      : await readMany<SignUpRecord>(kv, keys);
    assumesAllNew = false;
    const slugs = dryRun?.slugs ?? slugsEntry.value ?? NO_SLUGS;
    const plan = planBulkSignUps(bulkSignUps, {
      records: new Map(emails.map((email, index) => [email, entries[index]?.value ?? undefined])),
      unreadable: new Set(emails.filter((_, index) => !entries[index])),
      erased: erasures,
      slugs,
    });
    // The batches of a dry run are planned at the same time and share the slugs, so there must be no `await` between
    // the read of `slugs` and this write.
    if (dryRun) dryRun.slugs = plan.slugs;
    const people = emails.flatMap((email, index): PersonChange | [] => {
      const record = plan.records.get(email);
      const hasNoErasureMark = !erasures.has(email);
      return record ? { email, entry: entries[index], change: { record }, hasNoErasureMark } : [];
    });
    const change: PeopleCommit | undefined = dryRun || people.length === 0 ? undefined : {
      people,
      schema,
      outbox: NO_OUTBOX,
      isImport: true,
      audit,
      extend(commit) {
        commit.check(slugsEntry);
        if (plan.slugs !== slugs) commit.set(KNOWN_SLUGS, plan.slugs);
      },
    };
    return {
      change,
      result: () => plan.outcomes,
      ifTooLarge: emails.length > 1 ? () => undefined : undefined,
    };
  });
}

/**
 * Finds the people to whom the referral codes of imported people belong, and stores the referring person in each
 * record. The caller calls this after the last line of an import, because the line of a referring person may come after
 * the lines of the referred people.
 */
export async function resolveReferrals(kv: Kv): Promise<void> {
  for await (const page of pages(kv, PENDING_REFERRALS)) {
    const people = await findRecords(kv, addressesOf(page));
    const codes = people.flatMap(({ record }) => record.pendingReferral?.code ?? []);
    const ids = await findReferrerIds(kv, new Set(codes));
    const decisions = people.map(({ email }): PersonDecision => ({
      email,
      decide(record) {
        if (!record?.pendingReferral) return "unchanged";
        return { record: resolveReferral(record, ids.get(record.pendingReferral.code)) };
      },
    }));
    const size = Math.min(checksFor(kv, 1), PEOPLE_IN_COMMIT);
    while (decisions.length > 0) {
      await changeRecords(kv, decisions.splice(0, size), { outbox: NO_OUTBOX, isImport: true });
    }
  }
}
