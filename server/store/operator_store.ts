/**
 * What the operator's operations can do in the store.
 *
 * @module
 */
import type { AuditEntry } from "../../shared/operator_schemas.ts";
import type { Client, RandomBytes } from "../oauth/clients.ts";
import { readAuditLog, writeAuditEntry } from "./audit.ts";
import { backUp } from "./backup.ts";
import { storeBulkSignUps } from "./bulk_sign_ups.ts";
import {
  changeClient,
  createClient,
  readClients,
  readClientUse,
  readClientUses,
} from "./clients.ts";
import { countErasuresSince, eraseSignUp, findSignUp } from "./erasures.ts";
import { noteWhenDone, readLastDone } from "./last_done.ts";
import type { OpenKv } from "./open.ts";
import { recountRecords, repairCounters } from "./recount.ts";
import { beginRestore, claimStore, endRestore, findRestore, restoreLines } from "./restores.ts";
import { rotateRootKey } from "./root_keys.ts";
import { readSignUpPages } from "./records.ts";
import { readTotal } from "./statistics.ts";

/** What {@linkcode createOperatorStore} needs. */
export interface OperatorStoreOptions extends OpenKv {
  /** The clock, in milliseconds since 1970. */
  now: () => number;
  random: RandomBytes;
  /** Resolves once this process knows a client or root key that was changed in KV. */
  credentialsChanged: () => Promise<void>;
}

/** The functions that the operator's operations need; see the store's functions of the same names. */
export type OperatorStore = ReturnType<typeof createOperatorStore>;

/** Gives the functions their KV. */
export function createOperatorStore(options: OperatorStoreOptions) {
  const { kv, engine, now, random, credentialsChanged } = options;

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
      eraseSignUp(kv, email, { now: now(), random, audit }),
    countErasuresSince: (since: string) => countErasuresSince(kv, since),
    storeBulkSignUps: storeBulkSignUps.bind(undefined, { kv, engine }),

    recount: () =>
      noteWhenDone(recountRecords(kv, now), {
        kv,
        work: "verify",
        now,
        isGood: ({ report }) => report.agrees && report.unreadable.length === 0,
      }),
    repairCounters: (audit: AuditEntry) => repairCounters(kv, now, audit),
    backUp: () => noteWhenDone(backUp(kv, now()), { kv, work: "backup", now, isGood: () => true }),
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
    readAuditLog: (since?: string) => readAuditLog(kv, { since, now: now() }),
  };
}
