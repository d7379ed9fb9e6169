/**
 * Changes items of the outbox, which are letters and events. The same commit changes the records of the people to whom
 * the items belong (`commit.ts`). `store/outbox/` decides how an item changes when it is sent or refused; this file
 * decides how the record, the log of letters and the counters of the wave change with the item. @module
 */
import {
  enteredAtOf,
  type Message,
  type OutboxItem,
  type SignUpRecord,
} from "../../waitlist/mod.ts";
import {
  addressOf,
  type Commit,
  type Kv,
  type MaybeEntry,
  readWithSchema,
  signUpKey,
  waveCountKey,
} from "../kv/mod.ts";
import {
  type BatchOptions,
  type ChangedItems,
  type ChangeItemsWithRecords,
  createOutboxWork,
  findItems,
  findStoppedInvitations,
  type ItemAndRecordChange,
  itemsAfterCommit,
  makeDue,
  NO_OUTBOX,
  type OutboxStore,
  type RetriedPage,
  type RetryOptions,
} from "../outbox/mod.ts";
import { commitPeople, type PeopleCommit, type PersonChange } from "./commit.ts";
import { findRecordsWithComplaints } from "./complaints.ts";
import { momentAndIdOf, setLoggedLetter } from "./letter_log.ts";

/** Makes the store of the outbox worker. Without `batching`, each change has a commit of its own. */
export const createOutboxStore = (kv: Kv, batching?: BatchOptions): OutboxStore =>
  createOutboxWork(kv, {
    commitWithRecords: commitItems,
    findRecords: (emails) => findRecordsWithComplaints(kv, emails),
  }, batching);

/** Makes items due now, as {@linkcode makeDue} does. */
export const retryItems = (
  kv: Kv,
  options: RetryOptions,
): AsyncGenerator<RetriedPage> => makeDue(kv, options, commitItems);

/**
 * Commits changes of items, and of the records of the people to whom the items belong. Leaves out changes that cannot
 * be made any more.
 */
const commitItems: ChangeItemsWithRecords = (kv, changes, audits) =>
  commitPeople<ChangedItems>(kv, async () => {
    const emails = [...new Set(changes.map(({ entry }) => entry.item.email))];
    const { schema, entries: recordEntries } = await readWithSchema<SignUpRecord>(
      kv,
      emails.map(signUpKey),
    );
    const { validChanges, stoppedWaves } = await chooseValidChanges(kv, changes, recordEntries);
    if (validChanges.length === 0) return { result: () => new Map() };
    const peopleWithItems = recordEntries.flatMap((recordEntry) =>
      recordEntry ? changePerson(recordEntry, validChanges) : []
    );
    const peopleCommit: PeopleCommit = {
      people: peopleWithItems.map(({ person }) => person),
      schema,
      outbox: { ...NO_OUTBOX, ...audits && { random: audits.random } },
      audit: audits?.audit,
      auditPerPerson: audits?.auditPerPerson,
      extend(commit, { outboxChanges }) {
        commit.check(...stoppedWaves);
        for (const { change, record } of peopleWithItems.flatMap(({ items }) => items)) {
          changeRefusedCount(commit, change, record);
          logOutcome(commit, change, record);
        }
        for (const change of validChanges) outboxChanges.changeItem(change);
      },
    };
    return { peopleCommit, result: (version) => itemsAfterCommit(version, validChanges) };
  });

/**
 * Chooses the changes that can still be made. Leaves out an item that has changed since it was read. Also leaves out an
 * `onlyWhileStopped` change, which removes an invitation of a paused or cancelled wave, if the wave is not stopped any
 * more.
 * @returns the changes, and the entries of the stopped waves, which the commit must check
 */
async function chooseValidChanges(
  kv: Kv,
  changes: ItemAndRecordChange[],
  recordEntries: (MaybeEntry<SignUpRecord> | undefined)[],
): Promise<{ validChanges: ItemAndRecordChange[]; stoppedWaves: MaybeEntry[] }> {
  const currentItems = await findItems(kv, changes.map(({ entry }) => entry.id));
  const currentVersions = new Map(currentItems.map(({ id, version }) => [id, version]));
  const invitationsToRemove = changes.flatMap(({ entry, onlyWhileStopped }) =>
    onlyWhileStopped ? entry : []
  );
  const stopped = invitationsToRemove.length > 0
    ? await findStoppedInvitations(kv, invitationsToRemove, recordEntries)
    : { invitations: [], waves: [] };
  const validChanges = changes.filter(({ entry, onlyWhileStopped }) =>
    currentVersions.get(entry.id) === entry.version &&
    (!onlyWhileStopped || stopped.invitations.includes(entry))
  );
  return { validChanges, stoppedWaves: stopped.waves };
}

/** A change of an item, and the record of the person after this change. */
interface ItemWithRecord {
  change: ItemAndRecordChange;
  record: SignUpRecord;
}

/** A person in a commit, and the changes of the person's items, in the order in which they change the record. */
interface PersonWithItems {
  person: PersonChange;
  items: ItemWithRecord[];
}

/**
 * Changes the record of a person once for each of the person's changed items, one after the other. Gives an empty list
 * if there is no record, or if none of the changed items belongs to the record.
 */
function changePerson(
  recordEntry: MaybeEntry<SignUpRecord>,
  changes: ItemAndRecordChange[],
): [] | [PersonWithItems] {
  const before = recordEntry.value;
  if (!before) return [];
  const email = addressOf(recordEntry.key);
  let record = before;
  const items: ItemWithRecord[] = [];
  for (const change of changes) {
    const { item } = change.entry;
    if (item.email !== email || item.recordId !== before.id) continue;
    record = recordAfterChange(change, record);
    items.push({ change, record });
  }
  if (items.length === 0) return [];
  // The record is written even if it stays the same. A commit that depends on the result of `findItems()` checks the
  // record, and must fail if an item has changed since.
  return [{ person: { email, entry: recordEntry, change: { record } }, items }];
}

/** Gives the record of a person after the change of one of the person's items. */
function recordAfterChange(
  { entry: { id, item: before }, item: after, changeRecord, outcome }: ItemAndRecordChange,
  record: SignUpRecord,
): SignUpRecord {
  const { outbox: itemIds = [], ...changedRecord } = changeRecord?.(record) ?? record;
  const { lastLetters = {} } = changedRecord;
  if ("letter" in before.message && before.queue === "refused" && after?.queue !== "refused") {
    const { [before.message.letter]: lastLetter, ...otherLetters } = lastLetters;
    // Removes the outcome of the refused letter from the record, so that the log shows the refusal as out of date. The
    // same commit lowers a wave's count of refused letters, so a resumed wave must not subtract this letter again. The
    // outcome of a later letter of this kind stays.
    if (lastLetter?.putAt === enteredAt(before)) changedRecord.lastLetters = otherLetters;
  }
  if (isInvitation(before.message) && outcome?.kind === "sent") {
    // `takenAt` must not be before `putAt`, because the letter would then not count as taken. A clock that was ahead may
    // have given a `putAt` that is too late.
    const takenAt = Math.max(outcome.at, before.putAt);
    changedRecord.invitationTakenAt = new Date(takenAt).toISOString();
  }
  // The id leaves the record's `outbox` if the item is removed, or if the item is kept without the person's data, as a
  // delivered event is.
  const staysWithRecord = after?.recordId === record.id;
  const remainingIds = staysWithRecord ? itemIds : itemIds.filter((itemId) => itemId !== id);
  return remainingIds.length === 0 ? changedRecord : { ...changedRecord, outbox: remainingIds };
}

/**
 * Changes, in a commit, the count of refused invitations of the person's wave, if an invitation is refused or is not
 * refused any more. Changes nothing if a mail server has taken an invitation to the person (`isCountedAsRefused()`).
 */
function changeRefusedCount(
  commit: Commit,
  { entry: { item: before }, item: after }: ItemAndRecordChange,
  { wave, invitationTakenAt }: SignUpRecord,
): void {
  if (!wave || !isInvitation(before.message) || invitationTakenAt) return;
  const delta = Number(after?.queue === "refused") - Number(before.queue === "refused");
  if (delta !== 0) commit.add(waveCountKey(wave, "refused"), delta);
}

/**
 * Writes the outcome of a letter into the log of letters, in a commit.
 * @param record the record after the change
 */
function logOutcome(
  commit: Commit,
  { entry: { id, item: before }, outcome }: ItemAndRecordChange,
  { id: recordId, lastLetters = {} }: SignUpRecord,
): void {
  if (!outcome || !("letter" in before.message)) return;
  const { letter } = before.message;
  const lastLetter = lastLetters[letter];
  if (!lastLetter) return;
  const momentAndId = momentAndIdOf(enteredAt(before), id);
  setLoggedLetter(commit, { recordId, momentAndId, letter: { letter, ...lastLetter } });
}

/** Gives the moment at which an item was put into the outbox, as a date-time. */
const enteredAt = (item: OutboxItem): string => new Date(enteredAtOf(item)).toISOString();

const isInvitation = (message: Message) => "letter" in message && message.letter === "invitation";
