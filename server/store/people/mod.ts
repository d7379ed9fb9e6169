/**
 * The people on the list: their records, with the lists, counters, marks and letters that go with each change.
 *
 * @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { RandomBytes } from "../../oauth/clients.ts";
import type { YieldToCalls } from "../../runtime/priority.ts";
import { noteWhenDone } from "../audit/last_done.ts";
import type { OpenKv } from "../kv/open.ts";
import type { OutboxOptions } from "../outbox/changes.ts";
import { listOutbox, type RetryOptions } from "../outbox/list.ts";
import { createMailState } from "../outbox/mail_state.ts";
import { storeBulkSignUps } from "./bulk.ts";
import {
  countPeople,
  erasePeople,
  type ErasureSelection,
  markUndeliverable,
  remindPeople,
} from "./changes.ts";
import { findConsentText } from "./consent_texts.ts";
import { eraseSignUp, findSignUp } from "./erasure.ts";
import { countErasuresSince, hashAddress } from "./erasure_marks.ts";
import { listPeople, type PeopleQuery } from "./list.ts";
import { retryItems } from "./outbox.ts";
import { readSignUpPages } from "./records.ts";
import { readTotal } from "./statistics/counts.ts";
import { readOverview } from "./statistics/overview.ts";
import { recountRecords, repairCounters } from "./statistics/recount.ts";

/** What {@linkcode createPeopleStore} needs. */
export interface PeopleStoreOptions extends OpenKv {
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  random: RandomBytes;
  /** What the operator's changes put into the outbox. */
  outbox: OutboxOptions;
  /** Is awaited between the parts of a long list. */
  yieldToCalls: YieldToCalls;
}

/** Gives what the operator's operations do with people. */
export function createPeopleStore(options: PeopleStoreOptions) {
  const { kv, engine, now, random, outbox, yieldToCalls } = options;
  return {
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
    hashAddress: (email: string) => hashAddress(kv, email, random),

    readOverview: () => readOverview(kv, now()),
    listOutbox: (options: Parameters<typeof listOutbox>[1]) => listOutbox(kv, options),
    /** Makes items due, lets a letter try at once where all are paused, and wakes the worker of this process. */
    async *retryItems(options: Omit<RetryOptions, "at" | "writeRecord">) {
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
  };
}
