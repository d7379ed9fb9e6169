/**
 * Stores bulk sign-ups, which come from an import or a restore, in batches of one commit each. `pending_referrals.ts`
 * finds out afterwards who referred these people. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import {
  type BulkOutcome,
  type BulkSignUp,
  type KnownSlugs,
  planBulkSignUps,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import {
  type Key,
  KNOWN_SLUGS,
  type Kv,
  type MaybeEntry,
  readMany,
  readOne,
  readSchema,
  signUpKey,
} from "../kv/mod.ts";
import { NO_OUTBOX } from "../outbox/mod.ts";
import { commitPeople, type PeopleCommit, type PersonChange } from "./commit.ts";
import { halve, maxPeopleInCommit } from "./commit_size.ts";
import { findErasureMoments } from "./erasure_marks.ts";
import { NO_SLUGS, readSlugsWithRoom, readUsedSlugs } from "./known_slugs.ts";

/**
 * Calls of {@linkcode storeBulkSignUps} that store nothing and only find out the outcomes. Several calls may share this
 * object, so that a later call knows the slugs of the earlier calls.
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
  const batches = splitByConsent(bulkSignUps, maxPeopleInCommit(kv, 1));
  // All workers take their batches from the same generator. An error in the loop of one worker closes the generator, so
  // that no worker begins another batch.
  const workers = Array.from({ length: kv.traits.commitsInFlight }, async () => {
    for (const batch of batches) {
      const signUpsOfBatch = batch.map(({ bulkSignUp }) => bulkSignUp);
      const outcomesOfBatch = await storeBatch(kv, signUpsOfBatch, options);
      batch.forEach(({ index }, position) => outcomes[index] = outcomesOfBatch[position]!);
    }
  });
  // Waits for all commits that are under way, and then throws the error of the first worker that has failed.
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return outcomes;
}

/** A bulk sign-up, and its index among the bulk sign-ups of the call. */
interface IndexedSignUp {
  bulkSignUp: BulkSignUp;
  index: number;
}

/**
 * Splits bulk sign-ups into batches of `size` addresses, in the order of the consents. Each address is in only one
 * batch, because several batches are stored at the same time. The order of the consents is nearly the order of
 * `createdAt`, which is the order of lists. So the people of a batch share counters and have neighbouring entries in
 * lists.
 */
function* splitByConsent(bulkSignUps: BulkSignUp[], size: number): Generator<IndexedSignUp[]> {
  const indexed = bulkSignUps.map((bulkSignUp, index) => ({ bulkSignUp, index }));
  const groups = Array.from(
    Map.groupBy(indexed, ({ bulkSignUp }) => bulkSignUp.email),
    ([email, signUps]) => ({ signUps, sortKey: `${signUps[0]!.bulkSignUp.consentedAt} ${email}` }),
  );
  groups.sort((one, other) => one.sortKey < other.sortKey ? -1 : 1);
  while (groups.length > 0) yield groups.splice(0, size).flatMap(({ signUps }) => signUps);
}

/** Stores a batch in one commit, or in several commits if the batch is too large for one commit. */
async function storeBatch(
  kv: Kv,
  bulkSignUps: BulkSignUp[],
  options: BulkOptions,
): Promise<BulkOutcome[]> {
  const outcomes = await storeInCommit(kv, bulkSignUps, options);
  if (outcomes) return outcomes;
  const groups = [...Map.groupBy(bulkSignUps, ({ email }) => email).values()];
  const [firstHalf, secondHalf] = halve(groups);
  return [
    ...await storeBatch(kv, firstHalf.flat(), options),
    ...await storeBatch(kv, secondHalf.flat(), options),
  ];
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
  // The first try assumes that no address has a record, because most addresses are new. So this try does not read
  // records, which would be half of the work. The commit fails if one of the written addresses has a record. The
  // duration of an import can therefore tell which addresses are on the list, but operators may know this.
  let assumesAllNew = !dryRun;
  return await commitPeople<BulkOutcome[] | undefined>(kv, async () => {
    const [schema, slugsEntry] = await Promise.all([
      readSchema(kv),
      dryRun ? readOne<KnownSlugs>(kv, KNOWN_SLUGS) : readSlugsWithRoom(kv, bulkSignUps),
    ]);
    const erasureMoments = await findErasureMoments(kv, schema, emails);
    // The records are read if one of the addresses has an erasure mark. Without its record, such an address would count
    // as erased, and the commit could leave out its sign-up without a check of the record.
    const skipsRecords = assumesAllNew && erasureMoments.size === 0;
    const recordKeys = emails.map(signUpKey);
    const entries = skipsRecords
      ? recordKeys.map(absentEntry)
      : await readMany<SignUpRecord>(kv, recordKeys);
    assumesAllNew = false;
    const slugs = dryRun?.slugs ?? slugsEntry.value ?? NO_SLUGS;
    const plan = planBulkSignUps(bulkSignUps, {
      records: new Map(emails.map((email, index) => [email, entries[index]?.value ?? undefined])),
      unreadable: new Set(emails.filter((_, index) => !entries[index])),
      erasureMoments,
      slugs,
    });
    // The batches of a dry run are planned at the same time and share the slugs, so there must be no `await` between
    // the read of `slugs` and this write.
    if (dryRun) dryRun.slugs = plan.slugs;
    const people = emails.flatMap((email, index): PersonChange | [] => {
      const record = plan.records.get(email);
      const hasNoErasureMark = !erasureMoments.has(email);
      return record ? { email, entry: entries[index], change: { record }, hasNoErasureMark } : [];
    });
    const peopleCommit: PeopleCommit | undefined = dryRun || people.length === 0 ? undefined : {
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
      peopleCommit,
      result: () => plan.outcomes,
      ifTooLarge: emails.length > 1 ? () => undefined : undefined,
    };
  });
}

/** Gives the entry of a key that has no value. */
const absentEntry = (key: Key): MaybeEntry<SignUpRecord> => ({ key, value: null, version: null });
