/**
 * Makes the parts of the store that one call of an operator uses. `service.ts` starts the background work of waves,
 * jobs, backups and the outbox. @module
 */
import type { OperatorStores } from "./operator/mod.ts";
import type { Runtime } from "./runtime/mod.ts";
import { createAuditStore } from "./store/audit/mod.ts";
import { type BackupStoreOptions, createBackupStore } from "./store/backup/mod.ts";
import { createClientStore } from "./store/credentials/mod.ts";
import {
  createWaveStore,
  findInvitationUrl,
  type WaveStoreOptions,
} from "./store/invitations/mod.ts";
import { createJobStore, type JobStoreOptions } from "./store/jobs/mod.ts";
import { createFilterStore, createTestLetterStore } from "./store/operators/mod.ts";
import { createPeopleStore } from "./store/people/mod.ts";

interface OperatorStoresOptions
  extends
    Pick<BackupStoreOptions, "backup" | "learnCredentials">,
    Pick<WaveStoreOptions, "kv" | "longKv" | "outbox" | "waves" | "yieldToCalls">,
    Pick<JobStoreOptions, "jobs"> {
  runtime: Runtime;
}

/**
 * Makes the parts of the store for one call of an operator. All calls of `kv` share the deadline of the operator's
 * call. Work that takes longer for a longer waitlist uses `longKv`, whose calls do not have this deadline.
 */
export const createOperatorStores = (
  { kv, longKv, runtime, backup, learnCredentials, outbox, waves, jobs, yieldToCalls }:
    OperatorStoresOptions,
): OperatorStores => ({
  audit: createAuditStore({ kv, now: runtime.now }),
  backups: createBackupStore({
    kv,
    longKv,
    now: runtime.now,
    random: runtime.random,
    backup,
    learnCredentials,
  }),
  clients: createClientStore({ kv, random: runtime.random, learnCredentials }),
  people: createPeopleStore({
    kv,
    longKv,
    now: runtime.now,
    monotonic: runtime.monotonic,
    random: runtime.random,
    outbox,
    yieldToCalls,
    findInvitationUrl: (record) => findInvitationUrl(kv, record),
  }),
  waves: createWaveStore({
    kv,
    longKv,
    now: runtime.now,
    monotonic: runtime.monotonic,
    random: runtime.random,
    outbox,
    waves,
    yieldToCalls,
  }),
  filters: createFilterStore({ kv }),
  testLetters: createTestLetterStore({ kv, now: runtime.now }),
  jobs: createJobStore({ kv, now: runtime.now, jobs }),
});
