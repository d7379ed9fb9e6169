/** Backups by themselves: one a day, by one process, and the marks of later erasures; pruned after good ones. @module */
import type { LineOf } from "../../../../shared/backup_lines.ts";
import { type BackupObject, momentOfName, nameObject } from "../../../../shared/backup_objects.ts";
import { sortObjects } from "../../../../shared/backup_objects.ts";
import { createObjectStore } from "../../../../shared/s3.ts";
import { type Config, ConfigError, makeFolder } from "../../../config/mod.ts";
import { toNdjson } from "../../../http/mod.ts";
import type { Metrics } from "../../../observe/mod.ts";
import { createRandomIds, type Runtime } from "../../../runtime/mod.ts";
import { noteDone, writeAuditEntry } from "../../audit/mod.ts";
import { readErasureMarks } from "../../people/mod.ts";
import { backupsKey, CLIENTS, createLeasedWork, type Kv, type Leased } from "../../kv/mod.ts";
import { readSchema, SIGN_UPS, type Version } from "../../kv/mod.ts";
import { hasEntries, isRestoring } from "../restores.ts";
import { type BackupTarget, createBackupFolder } from "./folder.ts";
import { isBackupDue, type MadeBackups, placeOf, readMadeBackups } from "./schedule.ts";
export { readBackups, type ShownBackups } from "./schedule.ts";

/** What `["backups", "marks"]` holds: of which backup, and which version of the schema's entry they were read at. */
interface WrittenMarks extends Leased {
  backup: string;
  version: Version;
}

const BEAT_MS = 20_000;

/** No write takes longer, in milliseconds. */
const LONGEST_MS = 24 * 60 * 60_000;

/** Marks of the last hour before a backup are beside it too: clocks of processes differ, and it takes a while. */
const MARGIN_MS = 60 * 60_000;

/** @throws {Error} where a recipient is not a public key of age */
export async function startScheduledBackups(
  { location, at, keep, recipients }: NonNullable<Config["backup"]>,
  { kv, runtime, metrics, backUp }: {
    kv: Kv;
    runtime: Runtime;
    metrics: Pick<Metrics, "reportBackups"> | undefined;
    backUp: (now: number) => AsyncGenerator<string>;
  },
) {
  const { now, monotonic, random, log, repeat } = runtime;
  const startedAt = now(), place = placeOf(location);
  const target: BackupTarget = location.kind === "s3"
    ? createObjectStore(location)
    : createBackupFolder(await makeFolder("BACKUP_URL", location.path));
  const { isSealed, seal } = await createSealing(recipients);
  const nextId = createRandomIds({ length: 16, random });
  const makeAlone = createLeasedWork<MadeBackups>(backupsKey("made"), { kv, random, now, repeat });
  const markAlone = createLeasedWork<WrittenMarks>(backupsKey("marks"), {
    kv,
    random,
    now,
    repeat,
  });
  const stopping = new AbortController();
  let hasFailed = (await readMadeBackups(kv)).failed !== undefined;
  metrics?.reportBackups(() => hasFailed);

  async function* untilStopped<T>(steps: AsyncGenerator<T>, signal: AbortSignal) {
    for await (const step of steps) {
      signal.throwIfAborted();
      yield step;
    }
  }

  const write = async (name: string, texts: AsyncGenerator<string>, lost: AbortSignal) => {
    const signal = AbortSignal.any([stopping.signal, lost]);
    return await target.write(name, await seal(untilStopped(texts, signal)), signal);
  };

  async function makeBackup(state: MadeBackups = {}, signal: AbortSignal): Promise<MadeBackups> {
    const begun = now(), from = monotonic();
    const beganAt = new Date(begun).toISOString();
    const name = nameObject({ moment: momentOfName(beganAt), kind: "backup" }, isSealed);
    try {
      // It comes first, so that no backup leaves the service unnoticed.
      const entry = { at: beganAt, id: nextId(), action: "scheduledBackup", details: { name } };
      await writeAuditEntry(kv, entry);
      const bytes = await write(name, backUp(begun), signal);
      log.info("backup made", { name, bytes, ms: Math.round(monotonic() - from) });
      await noteDone("backup", { kv, now });
      await prune().catch((error) =>
        log.warn("old backups are removed after the next one", { error: error.message })
      );
      return { last: { at: beganAt, name, bytes } };
    } catch (error) {
      if (stopping.signal.aborted || signal.aborted) return state;
      const reason = (error as Error).message;
      log.error("backup failed, and is tried again in an hour", { error: reason });
      const failed = { at: new Date(now()).toISOString(), reason };
      return { ...state, failed, failedPlace: place };
    }
  }

  async function prune(): Promise<void> {
    await target.clean(now() - LONGEST_MS);
    const names = await target.names();
    const kept = sortObjects(names, "backup").slice(-keep);
    const isOld = ({ moment }: BackupObject) => moment < (kept[0]?.moment ?? "");
    const all = [...sortObjects(names, "backup"), ...sortObjects(names, "erasures")];
    for (const { name } of all.filter(isOld)) await target.remove(name);
  }

  async function makeIfDue(): Promise<void> {
    const made = await readMadeBackups(kv);
    hasFailed = made.failed !== undefined;
    const isDue = (state: MadeBackups = {}) =>
      isBackupDue(state, { at, now: now(), startedAt, place });
    if (!isDue(made)) return;
    if (await isRestoring(kv)) return;
    // The backups of another store may be there, and an empty one waits for one of them.
    if (!made.last && !await hasEntries(kv, SIGN_UPS) && !await hasEntries(kv, CLIENTS)) return;
    await makeAlone(isDue, makeBackup);
  }

  async function writeNewMarks(): Promise<void> {
    const { last } = await readMadeBackups(kv);
    if (!last) return;
    const { entry: { version, value } } = await readSchema(kv);
    const key = value?.erasureKeys;
    if (key === undefined) return;
    const moment = momentOfName(last.at);
    // Each commit that leaves a mark writes the schema's entry.
    const isDue = (state?: WrittenMarks) =>
      state?.backup !== last.name || state.version !== version;
    await markAlone(isDue, async (_state, signal) => {
      const since = new Date(Date.parse(last.at) - MARGIN_MS).toISOString();
      const name = nameObject({ moment, kind: "erasures" }, isSealed);
      await write(name, marksSince(kv, { since, key }), signal);
      return { backup: last.name, version: version ?? "" };
    });
  }

  const works = [makeIfDue, writeNewMarks].map((work) => {
    let lastFault = "";
    return repeat(BEAT_MS, async () => {
      try {
        await work();
        lastFault = "";
      } catch (error) {
        const { message } = error as Error;
        if (stopping.signal.aborted || message === lastFault) return;
        lastFault = message;
        log.warn("work on backups is done later", { work: work.name, error: message });
      }
    });
  });
  return {
    async close(): Promise<void> {
      stopping.abort(new Error("The service is stopping"));
      for (const work of works) await work.close();
    },
  };
}

/** Gives lines of a backup: the key of the marks, and those of erasures since a date-time. */
async function* marksSince(kv: Kv, { since, key }: { since: string; key: string }) {
  yield toNdjson([{ kind: "erasure_key", key } satisfies LineOf<"erasure_key">]);
  for await (const { entries } of readErasureMarks(kv)) {
    const lines = entries.filter(({ value }) => value >= since)
      .map(({ key: [, mark], value }): LineOf<"erased"> => {
        return { kind: "erased", mark: String(mark), erasedAt: value };
      });
    if (lines.length > 0) yield toNdjson(lines);
  }
}

/** Gives the function that compresses and encrypts texts. @throws {ConfigError} naming a wrong `BACKUP_RECIPIENT` */
async function createSealing(recipients: string[]) {
  if (recipients.length === 0) return { isSealed: false, seal: compress };
  // Loaded only where it is used, as that takes a tenth of a second.
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new ConfigError(
        `BACKUP_RECIPIENT has '${recipient}', which is not a public key of age: a character is wrong or ` +
          "missing. Copy it again from the output of age-keygen",
      );
    }
  }
  return {
    isSealed: true,
    seal: (texts: AsyncIterable<string>) => encrypter.encrypt(compress(texts)),
  };
}

const compress = (texts: AsyncIterable<string>): ReadableStream<Uint8Array> =>
  ReadableStream.from(texts).pipeThrough(new TextEncoderStream())
    .pipeThrough(new CompressionStream("gzip"));
