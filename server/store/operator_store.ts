/**
 * What the operator's operations can do in the store.
 *
 * @module
 */
import type { AuditEntry, InvitationRequest } from "../../shared/operator_schemas.ts";
import type { Wave } from "../waitlist/waves.ts";
import type { YieldToCalls } from "../runtime/priority.ts";
import type { Client, RandomBytes } from "../oauth/clients.ts";
import { writeAuditEntry } from "./audit/entries.ts";
import {
  type AuditSelection,
  readAuditLog,
  readAuditLogOf,
  readNewestAuditEntries,
} from "./audit/reads.ts";
import { backUp } from "./backup/back_up.ts";
import { storeBulkSignUps } from "./people/bulk.ts";
import {
  changeClient,
  createClient,
  readClients,
  readClientUse,
  readClientUses,
} from "./credentials/clients.ts";
import { findConsentText } from "./people/consent_texts.ts";
import { eraseSignUp, findSignUp } from "./people/erasure.ts";
import { countErasuresSince, hashAddress } from "./people/erasure_marks.ts";
import { inviteWave } from "./invitations/invite.ts";
import { noteWhenDone, readLastDone } from "./audit/last_done.ts";
import { createMailState } from "./outbox/mail_state.ts";
import type { OpenKv } from "./kv/open.ts";
import type { OutboxOptions } from "./outbox/changes.ts";
import { listOutbox, retryItems, type RetryOptions } from "./outbox/list.ts";
import { readOverview } from "./people/statistics/overview.ts";
import {
  countPeople,
  erasePeople,
  type ErasureSelection,
  markUndeliverable,
  remindPeople,
} from "./people/changes.ts";
import { listPeople, type PeopleQuery } from "./people/list.ts";
import { recountRecords, repairCounters } from "./people/statistics/recount.ts";
import {
  beginRestore,
  claimStore,
  endRestore,
  findRestore,
  restoreLines,
} from "./backup/restores.ts";
import { rotateRootKey } from "./credentials/root_keys.ts";
import { readSignUpPages } from "./people/records.ts";
import { readTotal } from "./people/statistics/counts.ts";
import { beginWave, readWave } from "./invitations/waves.ts";

/** What {@linkcode createOperatorStore} needs. */
export interface OperatorStoreOptions extends OpenKv {
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  random: RandomBytes;
  /** What the operator's changes put into the outbox. */
  outbox: OutboxOptions;
  /** Resolves once this process knows a client or root key that was changed in KV. */
  credentialsChanged: () => Promise<void>;
  /** Is awaited between the parts of a long list. */
  yieldToCalls: YieldToCalls;
}

/** The functions that the operator's operations need; see the store's functions of the same names. */
export type OperatorStore = ReturnType<typeof createOperatorStore>;

/** Gives the functions their KV. */
export function createOperatorStore(options: OperatorStoreOptions) {
  const { kv, engine, now, random, outbox, credentialsChanged, yieldToCalls } = options;

  /** Waits for a change of clients or keys, and until this process knows it. */
  async function changing<T>(change: Promise<T>): Promise<T> {
    const result = await change;
    await credentialsChanged();
    return result;
  }

  return {
    readClients: () => readClients(kv),
    readClientUses: () => readClientUses(kv),
    readClientUse: (clientId: string) => readClientUse(kv, clientId),
    createClient: (client: Client, audit: AuditEntry) => changing(createClient(kv, client, audit)),
    changeClient: (
      clientId: string,
      change: (client: Client) => Client | undefined,
      audit: AuditEntry,
    ) => changing(changeClient(kv, clientId, change, audit)),
    rotateRootKey: (at: number, audit: AuditEntry) =>
      changing(rotateRootKey(kv, at, random, audit)),

    readTotal: () => readTotal(kv),
    readSignUpPages: (after?: string) => readSignUpPages(kv, after),
    findSignUp: (email: string) => findSignUp(kv, email),
    eraseSignUp: (email: string, audit: AuditEntry) =>
      eraseSignUp(kv, email, { now: now(), reason: "operator", outbox, random, audit }),
    countErasuresSince: (since: string) => countErasuresSince(kv, since),
    storeBulkSignUps: storeBulkSignUps.bind(undefined, { kv, engine }),

    /** Whether there is mail. */
    sendsLetters: outbox.letters,
    listPeople: (query: PeopleQuery) => listPeople(kv, query, yieldToCalls),
    findConsentText: (id: string) => findConsentText(kv, id),
    remindPeople: (emails: string[] | undefined, audit: AuditEntry) =>
      remindPeople({ ...options, at: now(), audit }, emails),
    markUndeliverable: (emails: string[], audit: AuditEntry) =>
      markUndeliverable({ ...options, at: now(), audit }, emails),
    erasePeople: (selection: ErasureSelection, audit: AuditEntry) =>
      erasePeople({ ...options, at: now(), audit }, selection),
    countPeople: (selection: ErasureSelection) => countPeople(options, selection),

    beginWave: (request: InvitationRequest) =>
      beginWave(kv, request, { outbox, now: now(), random }),
    inviteWave: (request: InvitationRequest, wave: Wave, audit: AuditEntry) =>
      inviteWave({ ...options, audit }, request, wave),
    readWave: (id: string) => readWave(kv, id),

    readOverview: () => readOverview(kv, now()),
    listOutbox: (options: Parameters<typeof listOutbox>[1]) => listOutbox(kv, options),
    /** Makes items due, lets a letter try at once where all are paused, and wakes the worker of this process. */
    async *retryItems(options: Omit<RetryOptions, "at">) {
      await createMailState(kv).probe(now());
      yield* retryItems(kv, { ...options, at: now() });
      outbox.onPut?.();
    },

    recount: () =>
      noteWhenDone(recountRecords(kv, now), {
        kv,
        now,
        workOf({ report: { agrees, unreadable } }) {
          if (!agrees) return "difference";
          return unreadable.length === 0 ? "verify" : undefined;
        },
      }),
    repairCounters: (audit: AuditEntry) =>
      noteWhenDone(repairCounters(kv, now, audit), {
        kv,
        now,
        workOf: ({ repaired }) => repaired ? "repair" : undefined,
      }),
    backUp: () => noteWhenDone(backUp(kv, now()), { kv, now, workOf: () => "backup" }),
    readLastDone: () => readLastDone(kv),
    findRestore: () => findRestore(kv),
    beginRestore: (restore: Parameters<typeof beginRestore>[1], audit: AuditEntry) =>
      beginRestore(kv, restore, now(), audit),
    restoreLines: (lines: Parameters<typeof restoreLines>[1], audit: AuditEntry) => {
      const work = restoreLines({ kv, engine, random }, lines, { now: now(), audit });
      return lines.some(({ kind }) => kind === "client") ? changing(work) : work;
    },
    claimStore: (checksum: string, audit: AuditEntry) => claimStore(kv, checksum, audit),
    endRestore: (restore: Parameters<typeof endRestore>[1], audit: AuditEntry) =>
      endRestore(kv, restore, audit),

    writeAuditEntry: (entry: AuditEntry) => writeAuditEntry(kv, entry),
    hashAddress: (email: string) => hashAddress(kv, email, random),
    readAuditLogOf: (email: string, since: string) => readAuditLogOf(kv, email, since),
    readAuditLog: (selection: AuditSelection) => readAuditLog(kv, { ...selection, now: now() }),
    readNewestAuditEntries: (selection: AuditSelection & { most: number }) =>
      readNewestAuditEntries(kv, { ...selection, now: now() }),
  };
}
