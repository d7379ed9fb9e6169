/**
 * Keeps an object beside the last backup. The object has the erasure marks that were made since the backup, so that a
 * restore of the backup does not bring erased people back. @module
 */
import type { LineOf } from "../../../shared/backup_lines.ts";
import { nameObject, toObjectMoment } from "../../../shared/backup_objects.ts";
import { toNdjson } from "../../http/mod.ts";
import { HOUR, type Runtime } from "../../runtime/mod.ts";
import {
  backupsKey,
  createLeasedWork,
  type Kv,
  type LeaseState,
  nameOf,
  readSchema,
  type Version,
} from "../kv/mod.ts";
import { readErasureMarks } from "../people/mod.ts";
import type { BackupWriter } from "./backup_writer.ts";
import { readMadeBackups } from "./made_backups.ts";

/**
 * The value of the key `["backups", "marks"]`: it tells which erasure marks were written last, and beside which backup.
 */
interface WrittenErasureMarks extends LeaseState {
  /** The name of the backup beside which the erasure marks are written. */
  backup: string;
  /**
   * The version of the schema's entry when the erasure marks were read. Each commit that makes an erasure mark changes
   * this version.
   */
  version: Version;
}

/**
 * A margin, in milliseconds: erasure marks that were made within this time before a backup are written beside the
 * backup as well. The margin is needed because the clocks of processes differ, and because a backup takes a while.
 */
const MARGIN_MS = HOUR;

/**
 * Makes the function that writes the erasure marks beside the last backup. The function writes only if the last backup
 * or the entry of the schema has changed, and if no other process is writing erasure marks.
 */
export function createErasureMarkCopies(
  { kv, runtime, writer }: {
    kv: Kv;
    runtime: Pick<Runtime, "now" | "random" | "repeat">;
    writer: BackupWriter;
  },
): () => Promise<void> {
  const { now, random, repeat } = runtime;
  const doLeasedWork = createLeasedWork<WrittenErasureMarks>(
    backupsKey("marks"),
    { kv, random, now, repeat },
  );
  return async () => {
    const { last } = await readMadeBackups(kv);
    if (!last) return;
    const { entry: { version, value } } = await readSchema(kv);
    const erasureKeys = value?.erasureKeys;
    if (erasureKeys === undefined) return;
    const isDue = (state: Partial<WrittenErasureMarks>) =>
      state.backup !== last.name || state.version !== version;
    await doLeasedWork(isDue, async (_state, leaseLost) => {
      const since = new Date(Date.parse(last.at) - MARGIN_MS).toISOString();
      const moment = toObjectMoment(last.at);
      const name = nameObject({ moment, kind: "erasures" }, writer.isEncrypted);
      await writer.write(name, makeErasureLines(kv, { since, erasureKeys }), leaseLost);
      // The `!` holds, because the entry has erasure keys, so it exists.
      return { backup: last.name, version: version! };
    });
  };
}

/**
 * Makes the lines of an object: the erasure keys, and the erasure marks that were made at a moment or later.
 * @param options.since a date-time
 * @param options.erasureKeys the keys in base64url
 */
async function* makeErasureLines(
  kv: Kv,
  { since, erasureKeys }: { since: string; erasureKeys: string },
): AsyncGenerator<string> {
  yield toNdjson([{ kind: "erasure_key", key: erasureKeys } satisfies LineOf<"erasure_key">]);
  for await (const { entries } of readErasureMarks(kv)) {
    const lines = entries.filter(({ value }) => value >= since)
      .map(({ key, value }): LineOf<"erased"> => {
        return { kind: "erased", mark: nameOf(key), erasedAt: value };
      });
    if (lines.length > 0) yield toNdjson(lines);
  }
}
