import { type CreateOperatorOperation, NOTHING, onJson } from "./operation.ts";

/** `backUp`: streams everything that a new store needs. */
export const backUpOperation: CreateOperatorOperation = ({ store }) => ({
  id: "backUp",
  method: "POST",
  path: "/operator/v1/backup",
  ...onJson(NOTHING, async () => {
    const restore = await store.findRestore();
    if (!restore || restore.pending) {
      return { lines: store.backUp(), total: await store.readTotal() };
    }
    const message =
      `The store holds only a part of the backup ${restore.checksum}, whose restore ` +
      `began at ${restore.startedAt}; finish that first.`;
    return { failure: "conflict", message };
  }),
});
