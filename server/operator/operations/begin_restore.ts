import { z } from "zod";
import { backupCountsSchema, checksumSchema } from "../../../shared/backup_lines.ts";
import type { NewRestore } from "../../../shared/operator_schemas.ts";
import { beginRestore } from "../../store/restores.ts";
import { type CreateOperation, takingJson } from "../operation.ts";
import { restoreConflict } from "../restore_conflict.ts";

const newRestoreSchema: z.ZodType<NewRestore> = z.strictObject({
  checksum: checksumSchema,
  counts: backupCountsSchema,
  resume: z.boolean().exactOptional(),
});

/** `beginRestore`: gives an empty store to a backup, or goes on with one. */
export const beginRestoreOperation: CreateOperation = ({ kv, now }) =>
  takingJson(newRestoreSchema, async (body) => {
    const begun = await beginRestore(kv, body, now());
    return "conflict" in begun ? restoreConflict(begun.conflict) : { json: begun.restore };
  });
