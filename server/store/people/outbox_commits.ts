/**
 * Changes items of the outbox, which are letters and events. The same commit changes the records of the people to whom
 * the items belong (`commit.ts`). `store/outbox/` decides how an item changes when it is sent or refused; this file
 * decides how the record, the log of letters and the counters of the wave change with the item. @module
 */
import type { Message, SignUpRecord } from "../../waitlist/mod.ts";
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
  itemsAfterCommit,
  makeDue,
  NO_OUTBOX,
  type OutboxStore,
  type RetryOptions,
} from "../outbox/mod.ts";
import { commitPeople, type PeopleCommit, type PersonChange } from "./commit.ts";
import { findRecordsWithComplaints } from "./complaints.ts";
import { momentAndIdOf, removeLoggedLetter, setLoggedLetter } from "./letter_log.ts";

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
): AsyncGenerator<{ retried: number; unchanged: number }> => makeDue(kv, options, commitItems);

/** A change of an item, and of the record of its person. */
type ItemChange = Parameters<ChangeItemsWithRecords>[1][number];

/**
 * Commits changes of items, and of the records of the people to whom the items belong. Leaves out an item that has
 * changed since it was read. Also leaves out an `onlyWhileStopped` change if the wave is not stopped any more.
 */
const commitItems: ChangeItemsWithRecords = (kv, changes, audit) =>
  commitPeople<ChangedItems>(kv, async () => {
    const emails = [...new Set(changes.map(({ entry }) => entry.item.email))];
    const { schema, entries: recordEntries } = await readWithSchema<SignUpRecord>(
      kv,
      emails.map(signUpKey),
    );
    const currentItems = await findItems(kv, changes.map(({ entry }) => entry.id));
    const currentVersions = new Map(currentItems.map(({ id, version }) => [id, version]));
    const onlyWhileStoppedEntries = changes.flatMap(({ entry, onlyWhileStopped }) =>
      onlyWhileStopped ? entry : []
    );
    const stopped = onlyWhileStoppedEntries.length > 0
      ? await findStoppedInvitations(kv, onlyWhileStoppedEntries, recordEntries)
      : { invitations: [], waves: [] };
    const validChanges = changes.filter(({ entry, onlyWhileStopped }) =>
      currentVersions.get(entry.id) === entry.version &&
      (!onlyWhileStopped || stopped.invitations.includes(entry))
    );
    if (validChanges.length === 0) return { result: () => new Map() };
    const changedPeople = recordEntries.flatMap((recordEntry) =>
      recordEntry ? changePerson(recordEntry, validChanges) : []
    );
    const change: PeopleCommit = {
      people: changedPeople.map(({ person }) => person),
      schema,
      outbox: NO_OUTBOX,
      audit,
      extend(commit, outboxChanges) {
        commit.check(...stopped.waves);
        for (const { writes } of changedPeople) for (const write of writes) write(commit);
        for (const itemChange of validChanges) outboxChanges.changeItem(itemChange);
      },
    };
    return { change, result: (version) => itemsAfterCommit(version, validChanges) };
  });

/** What changes together with a person's items: the record of the person, and other entries. */
interface ChangedPerson {
  person: PersonChange;
  /** Functions that add to the commit the changes of the log of letters and of the counters of the wave. */
  writes: ((commit: Commit) => void)[];
}

/**
 * Changes the record of a person once for each of the person's changed items, one after the other. Gives an empty list
 * if there is no record, or if none of the changed items belongs to the record.
 */
function changePerson(
  recordEntry: MaybeEntry<SignUpRecord>,
  changes: ItemChange[],
): [] | [ChangedPerson] {
  const before = recordEntry.value;
  if (!before) return [];
  const email = addressOf(recordEntry.key);
  const changesOfPerson = changes.filter(({ entry: { item } }) => {
    return item.email === email && item.recordId === before.id;
  });
  if (changesOfPerson.length === 0) return [];
  const writes: ChangedPerson["writes"] = [];
  let record = before;
  for (const change of changesOfPerson) {
    const { wave } = record;
    const delta = changeOfRefusedCount(change);
    if (wave && delta !== 0) {
      writes.push((commit) => commit.add(waveCountKey(wave, "refused"), delta));
    }
    record = recordAfterChange(change, record);
    const logWrite = logWriteOf(change, record);
    if (logWrite) writes.push(logWrite);
  }
  // The record is written even if it stays the same. A commit that depends on the result of `findItems()` checks the
  // record, and must fail if an item has changed since.
  return [{ person: { email, entry: recordEntry, change: { record } }, writes }];
}

/** Gives the record of a person after the change of one of the person's items. */
function recordAfterChange(
  { entry: { id, item: before }, item: after, changeRecord, outcome }: ItemChange,
  record: SignUpRecord,
): SignUpRecord {
  const { outbox: itemIds = [], ...changed } = changeRecord?.(record) ?? record;
  if (isInvitation(before.message)) {
    if (before.queue === "refused" && after?.queue !== "refused") {
      // Removes the outcome of the refused invitation from the record. The count of refused letters has already
      // gone down, so a resumed wave must not subtract this letter again.
      const { invitation: _, ...lastLetters } = changed.lastLetters ?? {};
      changed.lastLetters = lastLetters;
    }
    if (outcome?.kind === "sent") {
      // `takenAt` must not be before `putAt`, because the letter would then not count as taken. A clock that was ahead
      // may have given a `putAt` that is too late.
      const takenAt = Math.max(outcome.at, before.putAt);
      changed.invitationTakenAt = new Date(takenAt).toISOString();
    }
  }
  // The id leaves the record's `outbox` if the item is removed, or if the item is kept without the person's data, as a
  // delivered event is.
  const stays = after?.recordId === record.id;
  const remainingIds = stays ? itemIds : itemIds.filter((itemId) => itemId !== id);
  return remainingIds.length === 0 ? changed : { ...changed, outbox: remainingIds };
}

/**
 * Gives the function that notes the outcome of a letter in the log of letters; `undefined` if the log does not change.
 * If a letter is not refused any more, the function removes the letter from the log.
 * @param record the record after the change
 */
function logWriteOf(
  { entry: { id, item: before }, item: after, outcome }: ItemChange,
  { id: recordId, lastLetters = {} }: SignUpRecord,
): ((commit: Commit) => void) | undefined {
  if (!("letter" in before.message)) return undefined;
  const momentAndId = momentAndIdOf(new Date(before.putAt).toISOString(), id);
  const { letter } = before.message;
  const lastLetter = lastLetters[letter];
  if (outcome && lastLetter) {
    return (commit) =>
      setLoggedLetter(commit, { recordId, momentAndId, letter: { letter, ...lastLetter } });
  }
  if (before.queue !== "refused" || after?.queue === "refused") return undefined;
  return (commit) => removeLoggedLetter(commit, { recordId, momentAndId });
}

/** Gives by how much the change of an item changes the count of refused invitations: 1, 0 or -1. */
function changeOfRefusedCount({ entry: { item: before }, item: after }: ItemChange): number {
  if (!isInvitation(before.message)) return 0;
  return Number(after?.queue === "refused") - Number(before.queue === "refused");
}

const isInvitation = (message: Message) => "letter" in message && message.letter === "invitation";
