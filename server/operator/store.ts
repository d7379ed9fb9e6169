import { createAuditStore } from "../store/audit/mod.ts";
import { type BackupStoreOptions, createBackupStore } from "../store/backup/mod.ts";
import { type ClientStoreOptions, createClientStore } from "../store/credentials/mod.ts";
import { createWaveStore, findInvitationUrl } from "../store/invitations/mod.ts";
import { createPeopleStore, type PeopleStoreOptions } from "../store/people/mod.ts";

export interface OperatorStoreOptions
  extends BackupStoreOptions, ClientStoreOptions, Omit<PeopleStoreOptions, "findInvitationUrl"> {}

/** Makes what the operations may do to the store; they never see KV. */
export const createOperatorStore = (options: OperatorStoreOptions) => ({
  ...createAuditStore(options),
  ...createBackupStore(options),
  ...createClientStore(options),
  ...createWaveStore(options),
  ...createPeopleStore({
    ...options,
    findInvitationUrl: (record) => findInvitationUrl(options.kv, record),
  }),
});

export type OperatorStore = ReturnType<typeof createOperatorStore>;
