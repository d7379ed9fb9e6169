import { backUp } from "../../store/backup.ts";
import { findRestore } from "../../store/restores.ts";
import { readTotal } from "../../store/statistics.ts";
import { type CreateOperation, takingNothing } from "../operation.ts";

/** `backUp`: streams all that a new store needs. */
export const backUpOperation: CreateOperation = ({ kv, now }) =>
  takingNothing(async () => {
    const restore = await findRestore(kv);
    if (!restore) return { lines: backUp(kv, now()), total: await readTotal(kv) };
    const message =
      `The store holds only a part of the backup ${restore.checksum}, whose restore ` +
      `began at ${restore.startedAt}; finish that first.`;
    return { failure: "conflict", message };
  });
