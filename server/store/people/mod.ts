/** The people on the list: records, with the lists, counters, marks and letters that go with each change. @module */
import type { AuditEntry, CorrectionRequest } from "../../../shared/operator_schemas.ts";
import type { Runtime, YieldToCalls } from "../../runtime/mod.ts";
import type { NewAnswers, SignUpRecord } from "../../waitlist/mod.ts";
import { noteDone } from "../audit/mod.ts";
import { type CallKv, withinDeadline } from "../kv/mod.ts";
import type { OutboxOptions, RetryOptions } from "../outbox/mod.ts";
import { createMailState, listDeliveries, listOutbox } from "../outbox/mod.ts";
import { setAnswers } from "./answers.ts";
import { storeBulkSignUps } from "./bulk.ts";
import type { ErasureSelection } from "./changes.ts";
import { countPeople, erasePeople, markUndeliverable, remindPeople } from "./changes.ts";
import { correctAddress } from "./correct.ts";
import { findConsentText } from "./consent_texts.ts";
import { eraseSignUp, findSignUp } from "./erasure.ts";
import { countErasuresSince, hashAddress } from "./erasure_marks.ts";
import { listPeople } from "./list.ts";
import { markDeliverable } from "./mail_reports.ts";
import { findPersonById, readSignUpPages } from "./records.ts";
import { findComplaint, retryItems } from "./outbox_commits.ts";
import { readOverview, readTotal, recountRecords } from "./statistics/mod.ts";
import { repairCounters } from "./statistics/mod.ts";
export { changePeople, remindPeople } from "./changes.ts";
export { type BulkOptions, storeBulkSignUps } from "./bulk.ts";
export { changeRecords, commitPeople, PEOPLE_IN_COMMIT, type PersonChange } from "./commit.ts";
export { addConsentText, readConsentTexts } from "./consent_texts.ts";
export { readLetterLimits } from "./letter_limits.ts";
export { readMarks } from "./erasure_marks.ts";
export { createMailReports, type MailReport } from "./mail_reports.ts";
export { type AddressedRecord, findRecords, readPeople, readSignUpPages } from "./records.ts";
export { createOutboxStore, type OutboxStore } from "./outbox_commits.ts";
export { createSelfService } from "./self_service.ts";
export { createSignUpQueue } from "./sign_ups.ts";
export { createCountsReader, readOverview, readTotal } from "./statistics/mod.ts";
export type { StoreRecount } from "./statistics/mod.ts";

export interface PeopleStoreOptions extends CallKv, Pick<Runtime, "now" | "monotonic" | "random"> {
  outbox: OutboxOptions;
  yieldToCalls: YieldToCalls;
  findInvitationUrl: (record: SignUpRecord) => Promise<string | undefined>;
}

type Rest<Given extends unknown[]> = Given extends [unknown, ...infer Others] ? Others : never;

export type PeopleStore = ReturnType<typeof createPeopleStore>;

/** Gives what the operator's operations do with people. */
export function createPeopleStore(options: PeopleStoreOptions) {
  const { kv, longKv, now, random, outbox } = options;
  const withLongKv = { ...options, kv: longKv };
  return {
    readTotal: () => readTotal(kv),
    readSignUpPages: (after?: string) => readSignUpPages(kv, { after }),
    findSignUp: (email: string) => findSignUp(kv, email),
    findPersonById: (id: string) => findPersonById(kv, id),
    eraseSignUp: (email: string, audit: AuditEntry) =>
      eraseSignUp(kv, email, { now: now(), outbox, random, audit, longKv }),
    correctAddress: (addresses: CorrectionRequest, audit: AuditEntry) =>
      correctAddress(addresses, { ...options, at: now(), audit }),
    setAnswers: (email: string, answers: NewAnswers, audit: AuditEntry) =>
      setAnswers({ email }, answers, { kv, random, at: now(), audit }),
    countErasuresSince: (since: string) => countErasuresSince(kv, since),
    /** Each part of a body has a deadline of its own. */
    storeBulkSignUps: (...given: Rest<Parameters<typeof storeBulkSignUps>>) =>
      withinDeadline(longKv, (kv) => storeBulkSignUps(kv, ...given)),

    sendsLetters: outbox.letters,
    listPeople: listPeople.bind(undefined, options),
    findConsentText: (id: string) => findConsentText(kv, id),
    remindPeople: (emails: string[] | undefined, audit: AuditEntry) =>
      remindPeople({ ...options, at: now(), audit }, emails),
    markUndeliverable: (emails: string[], audit: AuditEntry) =>
      markUndeliverable({ ...withLongKv, at: now(), audit }, emails),
    markDeliverable: markDeliverable.bind(undefined, withLongKv),
    erasePeople: (selection: ErasureSelection, audit: AuditEntry) =>
      erasePeople({ ...options, at: now(), audit }, selection),
    countPeople: (selection: ErasureSelection) => countPeople(options, selection),
    hashAddress: (email: string) => hashAddress(kv, email, random),

    readOverview: (since?: string) => readOverview(kv, now(), since),
    findComplaint: (email: string) => findComplaint(kv, email),
    listOutbox: (options: Parameters<typeof listOutbox>[1]) => listOutbox(kv, options),
    listDeliveries: () => listDeliveries(kv),
    /** Lets a letter try at once where all are paused, and wakes the worker of this process. */
    async *retryItems(options: Omit<RetryOptions, "at">) {
      await createMailState(kv).probe(now());
      yield* retryItems(kv, { ...options, at: now() });
      outbox.onPut?.();
    },

    async *recount() {
      const recounted = yield* recountRecords(kv, { now });
      const { agrees, unreadable } = recounted.report;
      if (!agrees) await noteDone("difference", options);
      else if (unreadable.length === 0) await noteDone("verify", options);
      return recounted;
    },
    async *repairCounters(audit: AuditEntry) {
      const repair = yield* repairCounters(kv, { now }, audit);
      if (repair.repaired) await noteDone("repair", options);
      return repair;
    },
  };
}
