import type { UnreadableRecord } from "../../../../shared/operator_schemas.ts";
import type { RandomBytes } from "../../../runtime/mod.ts";
import type { StoredSchema } from "../schema.ts";

export interface Migration {
  to: number;
  /** Reads behind the key's last part where an earlier run stopped. Nothing else writes to the store meanwhile. */
  batches: (kv: Deno.Kv, after: string | undefined) => AsyncGenerator<MigrationBatch>;
  /** Reads what changes in the last commit, and in the schema's entry. */
  finish: (kv: Deno.Kv) => Promise<{
    write: (commit: Deno.AtomicOperation) => void;
    schema: Partial<StoredSchema>;
  }>;
}

export interface MigrationBatch {
  /** Adds the changes to a commit; is called again where a commit gave no answer. */
  write: (commit: Deno.AtomicOperation) => void;
  records: number;
  /** Records that stay as they are, as they cannot be read. */
  unreadable: UnreadableRecord[];
  /** The last part of the last key; absent where no record could be read. */
  after: string | undefined;
}

export type CreateMigration = (options: { random: RandomBytes }) => Migration;
