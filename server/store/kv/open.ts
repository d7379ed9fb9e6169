/** Opens the KV that the configuration names: a file, PostgreSQL, or the KV of Deno Deploy. @module */
import { realpath, stat } from "node:fs/promises";
import {
  fromProject,
  holdsServiceCode,
  kvFolder,
  type KvLocation,
  makeFolder,
} from "../../config/mod.ts";
import { isDeno } from "../../runtime/mod.ts";
import { denoKv, REMOTE_TRAITS } from "./deno_kv.ts";
import type { Engine, OpenKv } from "./engine.ts";
import { FileInUse, lockFile } from "./file_lock.ts";
import { createOrCheckKvFile, shrinkExpiryIndex, tryToWrite } from "./kv_file.ts";
import { withKnownOutcomes } from "./outcomes.ts";
import { openPostgres } from "./postgres/mod.ts";

/** An open store with its name. Disposing of it closes the store. */
export interface OpenStore extends OpenKv, Disposable {
  /** The place of the store, for the log. */
  name: string;
  /** Whether other processes may have the store open as well. */
  isShared: boolean;
}

/**
 * Opens the KV, and makes a file and its folder if they are missing.
 * @throws {Error} with a message that names the variable and says what to do, for example if the file belongs to
 * another program, or is open in another process
 */
export async function openKv(location: KvLocation): Promise<OpenStore> {
  switch (location.kind) {
    case "deploy":
      return toOpenStore(denoKv(await Deno.openKv(), { traits: REMOTE_TRAITS }), {
        name: "Deno Deploy",
      });
    case "file":
      return await openFile(location.path);
    case "postgres": {
      const { engine, name, health } = await openPostgres(location);
      return toOpenStore(engine, { name, health });
    }
  }
}

/** Opens a KV file for this process alone. @throws {Error} with a message that names `KV_PATH` and its value */
async function openFile(path: string): Promise<OpenStore> {
  const file = fromProject(path);
  // Only a folder in place of the file is reported here. Other faults of the path are reported when the file is opened.
  if (await stat(file).then((info) => info.isDirectory(), () => false)) {
    throw new Error(`KV_PATH is '${path}', which is a folder; give a file`);
  }
  const folder = await makeFolder("KV_PATH", kvFolder(path));
  try {
    // Checks the real path, because the folder may be a link, which the check of the configuration does not follow.
    if (holdsServiceCode(await realpath(folder))) {
      throw new Error("its folder holds the program's own code, which the service could change");
    }
    return await openLocked(file);
  } catch (error) {
    if (error instanceof FileInUse) {
      throw new Error(
        `${error.message}. Stop that one first, or let several processes share a database, whose ` +
          "address goes into KV_URL",
      );
    }
    throw new Error(
      `KV_PATH is '${path}', which cannot be opened: ${(error as Error).message}; ` +
        "give the service's own file, or a new one in a folder that it may write to",
    );
  }
}

/** Locks a KV file, prepares it, and opens it. @throws {FileInUse} if another process has the file open */
async function openLocked(file: string): Promise<OpenStore> {
  const lock = await lockFile(file);
  try {
    await createOrCheckKvFile(file);
    await tryToWrite(file);
    await tryToShrinkIndex(file);
    const engine = denoKv(await openSqlite(file));
    // The index of a new file exists only now. On Node, the file must not be opened here a second time, so the next
    // start makes the index of a new file smaller.
    if (isDeno) await tryToShrinkIndex(file);
    const { dev, ino } = await stat(file);
    const isThere = () =>
      stat(file).then((current) => current.dev === dev && current.ino === ino, () => false);
    return toOpenStore(engine, { name: file, lock, isThere });
  } catch (error) {
    await lock.remove();
    throw error;
  }
}

/**
 * Makes the index of a KV file smaller. An error of SQLite is dropped, because the service works with the larger index
 * as well, and must be able to start when the disk is full. The next start tries again.
 */
async function tryToShrinkIndex(file: string): Promise<void> {
  await shrinkExpiryIndex(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_SQLITE_ERROR") throw error;
  });
}

/** The part of the package `@deno/kv` that this file uses. */
interface KvPackage {
  openKv: (path: string, options: { implementation: "sqlite" }) => Promise<Deno.Kv>;
}

/**
 * The package with Deno KV for Node. The name is a variable of the type `string`, because Deno would load the package
 * if the import contained the name itself.
 */
const KV_PACKAGE: string = "@deno/kv";

/** Opens Deno KV on a file or in memory (`:memory:`). On Node, the same engine is a native module. */
export async function openSqlite(path: string): Promise<Deno.Kv> {
  if (isDeno) return await Deno.openKv(path);
  const { openKv }: KvPackage = await import(KV_PACKAGE);
  return await openKv(path, { implementation: "sqlite" });
}

/** Makes the open store of an engine. @param options.lock the lock of a file, which only this process has open */
function toOpenStore(
  engine: Engine,
  { lock, ...properties }: Omit<OpenKv, "kv"> & { name: string; lock?: Disposable },
): OpenStore {
  return {
    kv: withKnownOutcomes(engine),
    ...properties,
    isShared: !lock,
    [Symbol.dispose]() {
      engine.close();
      lock?.[Symbol.dispose]();
    },
  };
}
