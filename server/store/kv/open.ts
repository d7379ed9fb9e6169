/** Opens the KV of the configuration: a file, a KV Connect server (self-hosted `denokv`), or Deno Deploy's. @module */
import { fromProject, holdsProgram, type KvLocation, makeKvFolder } from "../../config/mod.ts";
import type { BoundedKv } from "./calls.ts";
import { connectKv } from "./kv_connect.ts";
import { FileInUse, lockFile, prepareKvFile, tryToWrite } from "./kv_file.ts";

/** The commits that suit an engine (measured with Deno 2.9 and denokv 0.14). */
export interface Engine {
  /** The most checks in an atomic, which limit the sign-ups that share a commit. */
  checksPerCommit: number;
  /** Commits that are sent without waiting for each other. */
  commitsInFlight: number;
  /** The milliseconds in which a busy engine gathers sign-ups; the event loop's turn if absent. */
  busyGatherMs?: number;
}

/**
 * SQLite has one writer, so few large commits are best: one is prepared while the other is written. To gather for a
 * millisecond would cost a tenth of the sign-ups.
 */
export const LOCAL_ENGINE: Engine = { checksPerCommit: 100, commitsInFlight: 2 };

/**
 * Commits wait for the network. Deno Deploy's limit on checks is not published. With 64 connections, 8 commits in
 * flight do as much as 32 (`tests/README.md`); with 256, less. To gather doubles the sign-ups in a commit there.
 */
export const REMOTE_ENGINE: Engine = { checksPerCommit: 10, commitsInFlight: 32, busyGatherMs: 1 };

/**
 * How many checks of its own a commit may have, besides those of the schema and of its slot.
 *
 * @param others the entries that the commit checks once, whatever its size
 */
export const checksFor = ({ checksPerCommit }: Pick<Engine, "checksPerCommit">, others = 0) =>
  checksPerCommit - 2 - others;

export interface OpenKv {
  kv: BoundedKv;
  engine: Engine;
  /** Whether the file is still the one that was opened; absent for a KV server. */
  isThere?: () => Promise<boolean>;
}

/** Dispose of it to close it. */
export interface NamedKv extends OpenKv, Disposable {
  name: string;
  isShared: boolean;
}

/**
 * Opens the KV. A file and its folder are made where they are missing; a file that is not the service's own, or that
 * another process has open, is refused. A KV server may need some seconds to be ready.
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

/** @throws {Error} naming `KV_PATH` and its value, where no KV can be opened there */
async function openFile(path: string): Promise<NamedKv> {
  const file = fromProject(path);
  // Other faults of the path are reported when it is opened.
  if (await Deno.stat(file).then(({ isDirectory }) => isDirectory, () => false)) {
    throw new Error(`KV_PATH is '${path}', which is a folder; give a file`);
  }
  const folder = await makeKvFolder(path);
  try {
    // The folder may be a link, which the configuration does not follow.
    if (holdsProgram(await Deno.realPath(folder))) {
      throw new Error("its folder holds the program's own code, which the service could change");
    }
    const lock = await lockFile(file);
    try {
      await prepareKvFile(file);
      await tryToWrite(file);
      const kv = await Deno.openKv(file);
      return opened(kv, {
        engine: LOCAL_ENGINE,
        name: file,
        lock,
        isThere: await watchFile(file),
      });
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

async function watchFile(file: string): Promise<() => Promise<boolean>> {
  const { dev, ino } = await Deno.stat(file);
  return () => Deno.stat(file).then((now) => now.dev === dev && now.ino === ino, () => false);
}

function opened(
  kv: Deno.Kv,
  { lock, ...named }: Omit<OpenKv, "kv"> & { name: string; lock?: Disposable },
): NamedKv {
  return {
    kv,
    ...named,
    isShared: !lock,
    [Symbol.dispose]() {
      kv.close();
      lock?.[Symbol.dispose]();
    },
  };
}
