import { dirname } from "node:path";
import type { KvLocation } from "../config.ts";
import { connectKv } from "./connect.ts";
import { lockFile } from "./file_lock.ts";
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
    case "file": {
      const path = kvFile(location.path);
      await Deno.mkdir(dirname(path), { recursive: true });
      const lock = await lockFile(path);
      return opened(await Deno.openKv(path), LOCAL_ENGINE, lock);
    }
    case "connect":
      return opened(await connectKv(location), REMOTE_ENGINE);
  }
}

function opened(kv: Deno.Kv, engine: Engine, lock?: Disposable): OpenKv & Disposable {
  const dispose = () => {
    kv.close();
    lock?.[Symbol.dispose]();
  };
  return { kv, engine, [Symbol.dispose]: dispose };
}
