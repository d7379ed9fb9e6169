import { auditEntry } from "../audit/mod.ts";
import { type CreateOperatorOperation, NOTHING, onJson } from "../operation.ts";

/** `backUp`: streams everything that a new store needs. */
export const backUpOperation: CreateOperatorOperation = (dependencies) => ({
  id: "backUp",
  method: "POST",
  path: "/operator/v1/backup",
  ...onJson(NOTHING, async (_body, call) => {
    const { store } = dependencies;
    const restore = await store.findRestore();
    if (!restore || restore.pending) {
      // It comes first, so that no backup leaves the service unnoticed.
      await store.writeAuditEntry(auditEntry("backUp", call, dependencies));
      return { lines: store.backUp(), total: await store.readTotal() };
    }
    const message =
      `The store holds only a part of the backup ${restore.checksum}, whose restore ` +
      `began at ${restore.startedAt}; finish that first.`;
    return { failure: "conflict", message };
  }),
});
