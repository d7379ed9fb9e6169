/** Makes all operations of operators. This file decides which store functions each file of operations gets. @module */
import document from "../../shared/generated/operator.json" with { type: "json" };
import type { Overview } from "../../shared/operator_schemas.ts";
import type { SendTestLetter } from "../letters/mod.ts";
import type { Runtime, YieldToCalls } from "../runtime/mod.ts";
import type { AuditStore } from "../store/audit/mod.ts";
import type { BackupStore } from "../store/backup/mod.ts";
import type { ClientStore } from "../store/credentials/mod.ts";
import type { WaveStore } from "../store/invitations/mod.ts";
import type { JobStore } from "../store/jobs/mod.ts";
import type { FilterStore, TestLetterStore } from "../store/operators/mod.ts";
import type { PeopleStore } from "../store/people/mod.ts";
import type { Delivery, OfferedAnswers, SelfServiceUrls } from "../waitlist/mod.ts";
import { auditOperations } from "./audit.ts";
import { backupOperations } from "./backup.ts";
import { clientOperations } from "./clients.ts";
import { correctionOperations } from "./corrections.ts";
import { counterOperations } from "./counters.ts";
import { deliverabilityOperations } from "./deliverability.ts";
import { exportOperations } from "./export_signups.ts";
import { filterOperations } from "./filters.ts";
import { importOperations } from "./import_signups.ts";
import { jobOperations } from "./jobs.ts";
import { keyOperations } from "./keys.ts";
import type { Operations } from "./operation.ts";
import { outboxOperations } from "./outbox.ts";
import { overviewOperations } from "./overview.ts";
import { peopleOperations } from "./people.ts";
import { redeemingOperations } from "./redeem_invitations.ts";
import { resendingOperations } from "./resend_invitation.ts";
import { scheduleOperations } from "./schedules.ts";
import { testLetterOperations } from "./test_letters.ts";
import { waveOperations } from "./waves.ts";

/** The parts of the store that operations may use. Operations never use KV directly. */
export interface OperatorStores {
  audit: AuditStore;
  backups: BackupStore;
  clients: ClientStore;
  filters: FilterStore;
  jobs: JobStore;
  people: PeopleStore;
  testLetters: TestLetterStore;
  waves: WaveStore;
}

/** What {@linkcode createOperations} needs besides the store. */
export interface OperationsOptions extends Pick<Runtime, "now" | "random" | "repeat"> {
  baseUrl: string;
  /** The contact in the operators' OpenAPI document, the same as in the document of the public API. */
  contact: object;
  selfServiceUrls: Pick<SelfServiceUrls, "pageUrl">;
  /** The answers that people can choose on their own page. `undefined` if the page asks for none. */
  answers: OfferedAnswers | undefined;
  /** The number of days that a person has to confirm. */
  unconfirmedDays: number;
  /**
   * Makes the warnings of the overview: what is still to do before people use the service, and what is wrong at
   * present.
   */
  makeOverviewWarnings: () => Overview["warnings"];
  /** The sender of letters. `undefined` if mail is off. */
  sender: Overview["sender"] | undefined;
  /** Sends a test letter. `undefined` if mail is off. */
  sendTestLetter: SendTestLetter | undefined;
  /** Sends a test event. `undefined` if no `WEBHOOK_URL` is set. */
  sendTestEvent: (() => Promise<Delivery>) | undefined;
  yieldToCalls: YieldToCalls;
}

/** Makes all operations, by their ids. */
export function createOperations(stores: OperatorStores, options: OperationsOptions): Operations {
  const { baseUrl, contact, selfServiceUrls, answers, makeOverviewWarnings, sender } = options;
  const { now, random, repeat } = options;
  const { audit, backups, clients, filters, jobs, people, testLetters, waves } = stores;
  const { sendTestLetter, sendTestEvent, yieldToCalls } = options;
  const { writeAuditEntry } = audit;
  return {
    getOperatorDocument: {
      act: () => ({
        ...document,
        info: { ...document.info, contact },
        servers: [{ url: baseUrl }],
      }),
    },
    ...overviewOperations({
      readOverview: people.readOverview,
      sendsLetters: people.sendsLetters,
      readBackups: backups.readBackups,
      readLeftOutRuns: waves.readLeftOutRuns,
      makeOverviewWarnings,
      sender,
    }),
    ...peopleOperations({
      listPeople: people.listPeople,
      countSelection: people.countSelection,
      findSignUp: people.findSignUp,
      findPersonById: people.findPersonById,
      readPlace: people.readPlace,
      findConsentText: people.findConsentText,
      sendsLetters: people.sendsLetters,
      readNextReminder: people.readNextReminder,
      findInvitationUrl: waves.findInvitationUrl,
      readNextInvitation: waves.readNextInvitation,
      findWaveEntry: waves.findWaveEntry,
      remindPeople: people.remindPeople,
      eraseSignUp: people.eraseSignUp,
      erasePeople: people.erasePeople,
      countPeople: people.countPeople,
      readReferrals: people.readReferrals,
      findReferralLinks: people.findReferralLinks,
      readLettersTo: people.readLettersTo,
      findOutboxItems: people.findOutboxItems,
      readWaitingLetters: people.readWaitingLetters,
      readHistory: audit.readHistory,
      writeAuditEntry,
      selfServiceUrls,
      unconfirmedDays: options.unconfirmedDays,
    }),
    ...deliverabilityOperations({
      markUndeliverable: people.markUndeliverable,
      markDeliverable: people.markDeliverable,
    }),
    ...correctionOperations({
      store: {
        setAnswers: people.setAnswers,
        setNote: people.setNote,
        correctAddress: people.correctAddress,
        readReferrals: people.readReferrals,
      },
      selfServiceUrls,
    }),
    ...importOperations({
      storeBulkSignUps: people.storeBulkSignUps,
      resolveReferrals: people.resolveReferrals,
      writeAuditEntry,
      answers,
      yieldToCalls,
      now,
      random,
    }),
    ...exportOperations({
      readSignUpPages: people.readSignUpPages,
      readReferrals: people.readReferrals,
      countErasuresSince: people.countErasuresSince,
      readTotal: people.readTotal,
      writeAuditEntry,
      selfServiceUrls,
      now,
    }),
    ...waveOperations({
      findWave: waves.findWave,
      readMedianOfWave: waves.readMedianOfWave,
      readLaterTries: waves.readLaterTries,
      listWaves: waves.listWaves,
      planWave: waves.planWave,
      startWave: waves.startWave,
      changeWave: waves.changeWave,
      listWavePeople: waves.listWavePeople,
      readReferrals: people.readReferrals,
      writeAuditEntry,
      selfServiceUrls,
      now,
      random,
    }),
    ...filterOperations({
      listFilters: filters.listFilters,
      saveFilter: filters.saveFilter,
      removeFilter: filters.removeFilter,
    }),
    ...jobOperations({
      findJob: jobs.findJob,
      listJobs: jobs.listJobs,
      startJob: jobs.startJob,
      cancelJob: jobs.cancelJob,
      sendsLetters: people.sendsLetters,
      now,
      random,
    }),
    ...scheduleOperations({
      createSchedule: waves.createSchedule,
      planSchedule: waves.planSchedule,
      listSchedules: waves.listSchedules,
      changeSchedule: waves.changeSchedule,
    }),
    ...redeemingOperations({ changeInvitation: waves.changeInvitation, now }),
    ...resendingOperations({
      resendInvitation: waves.resendInvitation,
      sendsLetters: people.sendsLetters,
    }),
    ...outboxOperations({
      listLetters: people.listLetters,
      listOutbox: people.listOutbox,
      findPeople: people.findPeople,
      listDeliveries: people.listDeliveries,
      retryItems: people.retryItems,
      findItemsByIds: people.findItemsByIds,
      writeAuditEntry,
      sendTestEvent,
    }),
    ...testLetterOperations({
      findRecordAndComplaint: people.findRecordAndComplaint,
      countTestLetters: testLetters.countTestLetters,
      now,
      sendTestLetter,
    }),
    ...clientOperations({
      readClients: clients.readClients,
      readClientUses: clients.readClientUses,
      readClientUse: clients.readClientUse,
      createClient: clients.createClient,
      changeClient: clients.changeClient,
      now,
      random,
    }),
    ...keyOperations({
      rotateRootKey: clients.rotateRootKey,
      rotateSelfServiceKey: clients.rotateSelfServiceKey,
      now,
    }),
    ...backupOperations({
      backUp: backups.backUp,
      findRestore: backups.findRestore,
      beginRestore: backups.beginRestore,
      claimStore: backups.claimStore,
      restoreLines: backups.restoreLines,
      endRestore: backups.endRestore,
      readTotal: people.readTotal,
      recount: people.recount,
      resolveReferrals: people.resolveReferrals,
      removeAbsentReferrers: people.removeAbsentReferrers,
      writeAuditEntry,
      yieldToCalls,
      repeat,
    }),
    ...counterOperations({
      readTotal: people.readTotal,
      recount: people.recount,
      repairCounters: people.repairCounters,
      repeat,
    }),
    ...auditOperations({
      readAuditLog: audit.readAuditLog,
      readNewestAuditEntries: audit.readNewestAuditEntries,
    }),
  };
}
