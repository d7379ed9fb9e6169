/**
 * The people on the list: their records, and what each change of a record changes in the same commit (lists, counters,
 * erasure marks, letters, events, audit entry). `waitlist/` has the rules, and `store/outbox/` keeps the letters and
 * events that wait. @module
 */
import type {
  AuditEntry,
  CorrectionRequest,
  ErasureOutcome,
  PeopleSelection,
} from "../../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import type {
  AnswerChanges,
  BulkOutcome,
  BulkSignUp,
  ConsentText,
  SignUpRecord,
} from "../../waitlist/mod.ts";
import { noteDone } from "../audit/mod.ts";
import { type OperatorKvs, withinDeadline, withPausesForRequests } from "../kv/mod.ts";
import {
  createMailState,
  findItems,
  type ItemsToRetry,
  listDeliveries,
  listOutbox,
  type OutboxEntry,
  type OutboxOptions,
  type OutboxSelection,
  type RetriedPage,
} from "../outbox/mod.ts";
import { type AnswersOutcome, setAnswers } from "./answers.ts";
import { type BulkOptions, storeBulkSignUps } from "./bulk_sign_ups.ts";
import {
  countPeople,
  erasePeople,
  type ErasureSelection,
  markUndeliverable,
  type PersonOutcome,
  type ReminderOutcome,
  remindPeople,
} from "./bulk_changes.ts";
import { findRecordAndComplaint } from "./complaints.ts";
import { findConsentText } from "./consent_texts.ts";
import { correctAddress, type CorrectionOutcome } from "./correct.ts";
import { eraseSignUp, findSignUp } from "./erasure.ts";
import { countErasuresSince, hashAddress } from "./erasure_marks.ts";
import { type NextReminder, readNextReminder } from "./letter_limits.ts";
import { readLettersTo, type StoredLetter } from "./letter_log.ts";
import { type LetterPage, type LetterSelection, listLetters } from "./letter_log_list.ts";
import { readPlace } from "./line.ts";
import {
  countSelection,
  listPeople,
  type PeoplePage,
  type PeopleQuery,
  type SelectionCount,
} from "./list.ts";
import { markDeliverable, type ReportOutcome } from "./mail_reports.ts";
import { type NoteOutcome, setNote } from "./note.ts";
import { retryItems } from "./outbox_commits.ts";
import { readOverview, type StoredOverview } from "./overview.ts";
import { resolveReferrals } from "./pending_referrals.ts";
import {
  type AddressedRecord,
  findPersonById,
  findRecords,
  readSignUpPages,
  type SignUpPage,
} from "./records.ts";
import { removeAbsentReferrers } from "./referral_check.ts";
import {
  findReferralLinks,
  readReferrals,
  type ReferralLinks,
  type ShownReferrals,
} from "./referrals.ts";
import { recountRecords, type StoreRecount } from "./recount.ts";
import { repairCounters, type StoreRepair } from "./repair_counters.ts";
import { readTotal } from "./statistics.ts";
import { readWaitingLetters } from "./waiting_letters.ts";
export { type BulkOptions, storeBulkSignUps } from "./bulk_sign_ups.ts";
export { changePeople, remindPeople } from "./bulk_changes.ts";
export { changeRecords } from "./change_records.ts";
export { commitPeople, type PersonChange } from "./commit.ts";
export { halve, maxPeopleInCommit } from "./commit_size.ts";
export { addConsentText, readConsentTexts } from "./consent_texts.ts";
export {
  createLetterLimitChanges,
  type LetterLimitChanges,
  readLetterLimits,
  readMailboxes,
} from "./letter_limits.ts";
export {
  describeLetter,
  keysOfLettersBefore,
  LETTER_LOG_MS,
  type StoredLetter,
} from "./letter_log.ts";
export { readLetterLog, restoreLetterLog, toLetterLine } from "./letter_log_backup.ts";
export { hashAddresses, readErasureMarks } from "./erasure_marks.ts";
export { listPeople, type PeoplePage } from "./list.ts";
export { createMailReports, type MailReport } from "./mail_reports.ts";
export { createOutboxStore } from "./outbox_commits.ts";
export { readOverview } from "./overview.ts";
export { type AddressedRecord, findRecords, readSignUpPages } from "./records.ts";
export { filterByReferrals, findReferrers, readReferralCandidates } from "./referral_filter.ts";
export { readReferrals, type ReferralLinks, type ShownReferrals } from "./referrals.ts";
export { type StoreRecount } from "./recount.ts";
export { createSelfService, type SelfService } from "./self_service.ts";
export { createSignUpQueue, type SignUpQueue } from "./sign_ups.ts";
export { createCountsReader, readTotal, readWaiting } from "./statistics.ts";

/**
 * What the operator's operations do with people. Addresses are lower-cased. A function that returns a generator does
 * long work, which ends when the caller takes no further step. If one audit entry is about the whole work, each commit
 * writes the entry again, with the changes that the caller has made to it meanwhile. So the caller can add counts to
 * the details of the entry between two steps.
 */
export interface PeopleStore {
  /** Whether the service sends letters, because `MAIL_URL` is set. */
  sendsLetters: boolean;

  /** Finds the record of an address, or the date-time of its erasure; `undefined` if the address is unknown. */
  findSignUp: (email: string) => Promise<AddressedRecord | { erasedAt: string } | undefined>;
  /** Finds the person by the id of the record. */
  findPersonById: (id: string) => Promise<AddressedRecord | undefined>;
  /** Reads a person's place in line; `undefined` for a person who is not waiting, and if it cannot be read. */
  readPlace: (record: SignUpRecord) => Promise<number | undefined>;
  /** Lists people in the order of their `createdAt`, and searches them, page by page. */
  listPeople: (query: PeopleQuery) => Promise<PeoplePage>;
  /**
   * Counts the people who fit a selection. A call stops after about a second.
   * @param after the `next` of the previous call; absent for the first call
   */
  countSelection: (
    selection: PeopleSelection,
    after: SelectionCount["next"],
  ) => Promise<SelectionCount>;
  /** Reads all records in the order of their addresses. @param after reads only the addresses after this address */
  readSignUpPages: (after?: string) => AsyncGenerator<SignUpPage>;
  /** Finds the wording to which a person agreed. @param id the id of the wording, from the proof in the record */
  findConsentText: (id: string) => Promise<ConsentText | undefined>;
  /** Counts the addresses that were erased at a date-time or later and have not signed up again. */
  countErasuresSince: (since: string) => Promise<number>;
  /** Gives the keyed hash by which the audit log names an address. */
  hashAddress: (email: string) => Promise<string>;

  /**
   * Stores imported sign-ups. Sign-ups of one address are merged in the order in which they are given. Gives an outcome
   * for each sign-up.
   */
  storeBulkSignUps: (signUps: BulkSignUp[], options: BulkOptions) => Promise<BulkOutcome[]>;
  /**
   * Resolves the referral codes of imported people. The caller calls this function after the last sign-up of an import.
   */
  resolveReferrals: () => Promise<void>;
  /**
   * Reads, for each record, the person's number of referrals and the referral code of the person who referred this
   * person.
   */
  readReferrals: (records: SignUpRecord[]) => Promise<ShownReferrals[]>;
  /**
   * Removes, after a restore, the stored number of referrals of each person who is not on the list. Yields after each
   * page.
   */
  removeAbsentReferrers: () => AsyncGenerator<void>;
  /**
   * Finds the people with whom a person is connected by referrals.
   * @param limit how many referred people are listed at most
   */
  findReferralLinks: (record: SignUpRecord, limit: number) => Promise<ReferralLinks>;
  /** Changes a person's role and use case. */
  setAnswers: (email: string, answers: AnswerChanges, audit: AuditEntry) => Promise<AnswersOutcome>;
  /** Changes the note on a person. An empty text or `null` removes the note. */
  setNote: (email: string, note: string | null, audit: AuditEntry) => Promise<NoteOutcome>;
  /** Moves the record of a person to another address. */
  correctAddress: (
    addresses: CorrectionRequest,
    audit: AuditEntry,
  ) => Promise<CorrectionOutcome>;
  /** Gives when a person who has not confirmed may be asked again, or why not. */
  readNextReminder: (person: AddressedRecord) => Promise<NextReminder>;
  /** Asks people again to confirm: the people with the given addresses, or all people who have not confirmed. */
  remindPeople: (
    emails: string[] | undefined,
    audit: AuditEntry,
  ) => AsyncGenerator<PersonOutcome<ReminderOutcome>[]>;
  /** Marks people as undeliverable, so that they get no letters. Each changed person has an audit entry. */
  markUndeliverable: (
    emails: string[],
    audit: AuditEntry,
  ) => AsyncGenerator<PersonOutcome<"marked" | "unknown">[]>;
  /** Lets letters go to addresses again, by lifting bounces and complaints. Each change has an audit entry. */
  markDeliverable: (
    emails: string[],
    audit: AuditEntry,
  ) => AsyncGenerator<{ email: string; outcome: ReportOutcome }>;
  /** Erases an address and leaves an erasure mark; `undefined` if the address is unknown. */
  eraseSignUp: (email: string, audit: AuditEntry) => Promise<ErasureOutcome | undefined>;
  /** Erases the selected people and leaves erasure marks. Yields the number of erased people after each commit. */
  erasePeople: (selection: ErasureSelection, audit: AuditEntry) => AsyncGenerator<number>;
  /** Counts the people whom `erasePeople` would erase. Yields the number of people on each page. */
  countPeople: (selection: ErasureSelection) => AsyncGenerator<number>;

  /** Reads the number of sign-ups from its counter; `undefined` if the counter is below zero or cannot be read. */
  readTotal: () => Promise<number | undefined>;
  /**
   * Reads the statistics, the state of the outbox, and when the regular work was last done.
   * @param since the first UTC day of the daily figures
   */
  readOverview: (since?: string) => Promise<StoredOverview>;
  /**
   * Recounts all records, and compares counters and lists with the records. Yields the number of records counted so
   * far.
   */
  recount: () => AsyncGenerator<number, { report: StoreRecount }>;
  /** Recounts as `recount` does, and repairs counters and lists. */
  repairCounters: (audit: AuditEntry) => AsyncGenerator<number, StoreRepair>;

  /** Finds the record of an address, and the date-time at which the address's mailbox complained about a letter. */
  findRecordAndComplaint: (
    email: string,
  ) => Promise<{ record: SignUpRecord | undefined; complainedAt: string | undefined }>;
  /**
   * Reads the log of the letters to a person, the newest letter first.
   * @param recordId the id of the person's record
   */
  readLettersTo: (recordId: string) => Promise<StoredLetter[]>;
  /**
   * Finds the letters to a person and the events about the person that wait or were refused. Leaves out delivered
   * events, because the outbox keeps these only for the list of deliveries.
   */
  findOutboxItems: (record: SignUpRecord) => Promise<OutboxEntry[]>;
  /** Tells for each person whether a letter to the person waits to be sent. */
  readWaitingLetters: (people: AddressedRecord[]) => Promise<boolean[]>;
  /** Lists letters of the last 90 days, to all people, the newest letter first. A call reads 1,500 letters at most. */
  listLetters: (selection: LetterSelection) => Promise<LetterPage>;
  /** Lists either the waiting or the refused letters and events; the letter or event that is due first comes first. */
  listOutbox: (selection: OutboxSelection) => Promise<OutboxEntry[]>;
  /** Finds the people with some addresses. Leaves out addresses that are not on the list or cannot be read. */
  findPeople: (emails: string[]) => Promise<AddressedRecord[]>;
  /** Lists the last events that the service tried to deliver, the event with the latest try first. */
  listDeliveries: () => Promise<OutboxEntry[]>;
  /**
   * Makes letters and events (items) due now, and wakes the worker of this process. If all letters are paused, one
   * letter is sent now to find out whether the pause is over. Each step yields what it has done.
   * @param options.leaseMs how long a claim of an item lasts, in milliseconds
   */
  retryItems: (
    options: { which: ItemsToRetry; leaseMs: number; audit: AuditEntry },
  ) => AsyncGenerator<RetriedPage>;
  /** Finds the items of the outbox with these ids. Leaves out items that are gone. */
  findItemsByIds: (ids: string[]) => Promise<OutboxEntry[]>;
}

/** What the store of people needs. */
export interface PeopleStoreOptions
  extends OperatorKvs, Pick<Runtime, "now" | "monotonic" | "random"> {
  outbox: OutboxOptions;
  yieldToCalls: YieldToCalls;
  findInvitationUrl: (record: SignUpRecord) => Promise<string | undefined>;
}

/**
 * Makes the functions on people for one operator request. The work of `kv` ends at the deadline of the request;
 * `longKv` is for work that takes longer.
 */
export function createPeopleStore(
  options: PeopleStoreOptions,
): PeopleStore {
  const { kv, longKv, now, monotonic, random, outbox, yieldToCalls, findInvitationUrl } = options;
  return {
    sendsLetters: outbox.sendsLetters,

    findSignUp: (email) => findSignUp(kv, email),
    findPersonById: (id) => findPersonById(kv, id),
    readPlace: (record) => readPlace(kv, record),
    listPeople: (query) => listPeople({ kv, yieldToCalls }, query),
    countSelection: (selection, after) =>
      countSelection({ kv: longKv, yieldToCalls, monotonic }, selection, after),
    readSignUpPages: (after) => withPausesForRequests(readSignUpPages(kv, { after })),
    findConsentText: (id) => findConsentText(kv, id),
    countErasuresSince: (since) => countErasuresSince(kv, since),
    hashAddress: (email) => hashAddress(kv, email, random),

    // The request body of an import arrives in parts. Each part gets a deadline of its own, because the whole body may
    // take longer.
    storeBulkSignUps: (signUps, options) =>
      withinDeadline(longKv, (kv) => storeBulkSignUps(kv, signUps, options)),
    resolveReferrals: () => resolveReferrals(longKv),
    readReferrals: (records) => readReferrals(kv, records),
    removeAbsentReferrers: () => removeAbsentReferrers(longKv),
    findReferralLinks: (record, limit) => findReferralLinks(kv, record, limit),
    setAnswers: (email, answers, audit) =>
      setAnswers({ email }, answers, { kv, random, now: now(), audit }),
    setNote: (email, note, audit) => setNote(email, note, { kv, random, now: now(), audit }),
    correctAddress: (addresses, audit) =>
      correctAddress(addresses, { kv, outbox, random, now: now(), audit, findInvitationUrl }),
    readNextReminder: (person) => readNextReminder(kv, person, new Date(now()).toISOString()),
    remindPeople: (emails, audit) => remindPeople({ kv, outbox, now: now(), audit }, emails),
    markUndeliverable: (emails, audit) =>
      markUndeliverable({ kv: longKv, outbox, now: now(), auditPerPerson: audit }, emails),
    markDeliverable: (emails, audit) => markDeliverable({ kv: longKv, now, random }, emails, audit),
    eraseSignUp: (email, audit) =>
      eraseSignUp(kv, email, { now: now(), outbox, random, audit, longKv }),
    erasePeople: (selection, audit) => erasePeople({ kv, outbox, now: now(), audit }, selection),
    countPeople: (selection) => countPeople(kv, selection),

    readTotal: () => readTotal(kv),
    readOverview: (since) => readOverview(kv, now(), since),
    async *recount() {
      const recounted = yield* recountRecords(kv, { now });
      const { agrees, unreadable } = recounted.report;
      if (!agrees) await noteDone("difference", { kv, now });
      else if (unreadable.length === 0) await noteDone("verify", { kv, now });
      return recounted;
    },
    async *repairCounters(audit) {
      const repair = yield* repairCounters(kv, { now }, audit);
      if (repair.repaired) await noteDone("repair", { kv, now });
      return repair;
    },

    findRecordAndComplaint: (email) => findRecordAndComplaint(kv, email),
    readLettersTo: (recordId) => readLettersTo(kv, recordId),
    async findOutboxItems(record) {
      const entries = await findItems(kv, record.outbox);
      return entries.filter(({ item }) => item.queue !== "delivered");
    },
    readWaitingLetters: (people) => readWaitingLetters(kv, people),
    listLetters: (selection) => listLetters({ kv, yieldToCalls }, selection),
    listOutbox: (selection) => listOutbox(kv, selection),
    findPeople: (emails) => findRecords(kv, emails),
    listDeliveries: () => listDeliveries(kv),
    async *retryItems({ which, leaseMs, audit }) {
      const mailState = createMailState(kv);
      const isPaused = (await mailState.read())?.pause !== undefined;
      await mailState.endWait(now());
      // Without a pause, there is nothing to test.
      if (which === "test" && !isPaused) return;
      yield* retryItems(kv, { which, leaseMs, audits: { audit, random }, now });
      outbox.onPut?.();
    },
    findItemsByIds: (ids) => findItems(kv, ids),
  };
}
