import { dirname } from "node:path";
import type { KvLocation } from "../config.ts";
import { connectKv } from "./connect.ts";
import { FileInUse, lockFile } from "./file_lock.ts";
import { kvFile } from "./kv_folder.ts";

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

/**
 * Opens the KV that the configuration names. The folder of a file is made where it is missing; a file
 * that another process has open is refused, and free again once what is returned is disposed of. A KV
 * server is waited for.
 */
export async function openKv(location: KvLocation): Promise<OpenKv & Disposable> {
  switch (location.kind) {
    case "deploy":
      return opened(await Deno.openKv(), REMOTE_ENGINE);
    case "file":
      return await openFile(location.path);
    case "connect":
      return opened(await connectKv(location), REMOTE_ENGINE);
  }
}

/** @throws {Error} naming `KV_PATH` and its value, where there can be no KV */
async function openFile(path: string): Promise<OpenKv & Disposable> {
  const file = kvFile(path);
  if (await isFolder(file)) {
    throw new Error(`KV_PATH is '${path}', which is a folder; give a file`);
  }
  try {
    await Deno.mkdir(dirname(file), { recursive: true });
    const lock = await lockFile(file);
    try {
      return opened(await Deno.openKv(file), LOCAL_ENGINE, lock);
    } catch (error) {
      await lock.remove();
      throw error;
    }
  } catch (error) {
    if (error instanceof FileInUse) throw error;
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

function opened(kv: Deno.Kv, engine: Engine, lock?: Disposable): OpenKv & Disposable {
  const dispose = () => {
    kv.close();
    lock?.[Symbol.dispose]();
  };
  return { kv, engine, [Symbol.dispose]: dispose };
}
