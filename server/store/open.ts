import type { KvLocation } from "../config.ts";
import { holdsProgram } from "../config_values.ts";
import { connectKv } from "./connect.ts";
import { FileInUse, lockFile } from "./file_lock.ts";
import { prepareKvFile } from "./kv_file.ts";
import { kvFile, makeKvFolder } from "./kv_folder.ts";

/** How an engine wants its commits (figures of Deno 2.9 and denokv 0.14). */
export interface Engine {
  /** Checks that an atomic may hold, and so sign-ups that may share a commit. */
  checksPerCommit: number;
  /** Commits that are worth having under way at once. */
  commitsInFlight: number;
}

/**
 * SQLite in this process: commits queue up behind one writer, so few large ones are best; two, as one is
 * put together while the other is written.
 */
export const LOCAL_ENGINE: Engine = { checksPerCommit: 100, commitsInFlight: 2 };

/** A KV server: commits wait for the network, and Deno Deploy's limit on checks is not published. */
export const REMOTE_ENGINE: Engine = { checksPerCommit: 10, commitsInFlight: 16 };

/** An open KV and how to use it. */
export interface OpenKv {
  kv: Deno.Kv;
  engine: Engine;
}

/** An open KV that is to be closed. */
export interface NamedKv extends OpenKv, Disposable {
  /** Where it is, for people: a file's path, or a server's address without credentials. */
  name: string;
}

/**
 * Opens the KV that the configuration names. A file and its folder are made where they are missing; a file
 * that is not the service's own, or that another process has open, is refused. It is free again once what
 * is returned is disposed of. A KV server is waited for.
 */
export async function openKv(location: KvLocation): Promise<NamedKv> {
  switch (location.kind) {
    case "deploy":
      return opened(await Deno.openKv(), { engine: REMOTE_ENGINE, name: "Deno Deploy" });
    case "file":
      return await openFile(location.path);
    case "connect": {
      const { origin, pathname } = new URL(location.url);
      const name = `${origin}${pathname}`;
      return opened(await connectKv(location), { engine: REMOTE_ENGINE, name });
    }
  }
}

/** @throws {Error} naming `KV_PATH` and its value, where there can be no KV */
async function openFile(path: string): Promise<NamedKv> {
  const file = kvFile(path);
  if (await isFolder(file)) {
    throw new Error(`KV_PATH is '${path}', which is a folder; give a file`);
  }
  const folder = await makeKvFolder(path);
  try {
    // A link may have led there, which the configuration cannot see.
    if (holdsProgram(await Deno.realPath(folder))) {
      throw new Error("its folder holds the program's own code, which the service could change");
    }
    const lock = await lockFile(file);
    try {
      await prepareKvFile(file);
      return opened(await Deno.openKv(file), { engine: LOCAL_ENGINE, name: file, lock });
    } catch (error) {
      await lock.remove();
      throw error;
    }
  } catch (error) {
    if (error instanceof FileInUse) {
      throw new Error(
        `${error.message}. Stop that one first, or let several processes share a KV server, whose ` +
          "address goes into KV_URL",
      );
    }
    throw new Error(
      `KV_PATH is '${path}', which cannot be opened: ${(error as Error).message}; ` +
        "give the service's own file, or a new one in a folder that it may write to",
    );
  }
}

async function isFolder(path: string): Promise<boolean> {
  // What else is wrong with the path is said where it is opened.
  return await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
}

function opened(
  kv: Deno.Kv,
  { lock, ...named }: { engine: Engine; name: string; lock?: Disposable },
): NamedKv {
  const dispose = () => {
    kv.close();
    lock?.[Symbol.dispose]();
  };
  return { kv, ...named, [Symbol.dispose]: dispose };
}
