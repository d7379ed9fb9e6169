import { setTimeout as delay } from "node:timers/promises";
import type { KvLocation } from "../config.ts";
import { holdsProgram } from "../config_values.ts";
import { withDeadline } from "./deadline.ts";
import { FileInUse, lockFile, prepareKvFile } from "./kv_file.ts";
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

/**
 * KV on a KV Connect server (self-hosted `denokv`), by a client that can be bounded: `Deno.openKv()`
 * would retry without end, and cannot read bytes that this client has written.
 *
 * @module
 */

/** Bounds on a KV Connect server's time, in milliseconds. */
export interface ConnectBounds {
  /** How long it may take to be ready at the start. */
  readyMs: number;
  /** How long one call may take, its answer's body included. */
  callMs: number;
}

/** A call leaves time for one more, a second later, before whoever waits is told of a failure. */
const BOUNDS: ConnectBounds = { readyMs: 15_000, callMs: 3_500 };

/** Further tries of a call that the server answers with 5xx; the client pauses a second before it. */
const MAX_RETRIES = 1;

/** Between two attempts to reach a server that is not ready, in milliseconds. */
const PAUSE_MS = 100;

/** Where a KV Connect server is. */
export interface ConnectLocation {
  url: string;
  accessToken: string;
}

/**
 * Opens the KV of a KV Connect server, once that is ready.
 *
 * @throws {Error} naming `KV_URL` and the way out, where the server is not ready in time or refuses
 */
export async function connectKv(
  location: ConnectLocation,
  bounds: ConnectBounds = BOUNDS,
): Promise<Deno.Kv> {
  const { url, accessToken } = location;
  // Loaded only here, as it is large and of no use to the other engines.
  const { openKv } = await import("@deno/kv");
  const fetcher: typeof fetch = (url, init) => {
    // A watch lasts; whoever watches polls too.
    if (String(url).endsWith("/watch")) return fetch(url, init);
    return fetch(url, { ...init, signal: AbortSignal.timeout(bounds.callMs) });
  };
  const open = () =>
    openKv(url, {
      accessToken,
      maxRetries: MAX_RETRIES,
      fetcher,
      // Left to itself, it would hand over to Deno.openKv(), which takes no options.
      implementation: "remote",
    });

  let fault = "it did not answer";
  try {
    const kv = await withDeadline(bounds.readyMs, async (signal) => {
      for (;;) {
        try {
          return await open();
        } catch (error) {
          fault = (error as Error).message;
          signal.throwIfAborted();
          if (isFinal(fault)) throw error;
          await delay(PAUSE_MS, undefined, { signal });
        }
      }
    });
    // A cast, as the client's types differ in two things: they lack `commitVersionstamp()`, which the
    // store never calls, and say `T | null` where Deno's have a `T` that may be null.
    return kv as Deno.Kv;
  } catch (error) {
    throw new Error(`KV_URL '${url}' gives no KV: ${firstLine(fault)}. ${wayOut(fault)}`, {
      cause: error,
    });
  }
}

/** Whether waiting would not help: something answers, and means it. */
function isFinal(fault: string): boolean {
  return /^(Unexpected response (status: [1-4]|content-type)|Bad |Unsupported |No endpoints)/
    .test(fault);
}

function wayOut(fault: string): string {
  if (/status: 40[13]/.test(fault)) {
    return "Give DENO_KV_ACCESS_TOKEN the access token that the KV server was started with";
  }
  return isFinal(fault)
    ? "Set it to the address of a KV Connect server, such as denokv"
    : "Start the KV server, or set KV_URL to where it listens";
}

/** The client puts a stack behind its last try's error. */
function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").replace(/\.$/, "").slice(0, 200);
}
