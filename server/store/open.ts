/**
 * Opens the KV that the configuration names: a file, a KV Connect server (self-hosted `denokv`), or that of
 * Deno Deploy.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import type { KvLocation } from "../config.ts";
import { holdsProgram } from "../config_values.ts";
import { withDeadline } from "../deadline.ts";
import type { BoundedKv } from "./deadline.ts";
import { FileInUse, lockFile, prepareKvFile } from "./kv_file.ts";
import { kvFile, makeKvFolder } from "./kv_folder.ts";

/** The commits that suit an engine (measured with Deno 2.9 and denokv 0.14). */
export interface Engine {
  /** The most checks in an atomic, which limit the sign-ups that share a commit. */
  checksPerCommit: number;
  /** Commits that are sent without waiting for each other. */
  commitsInFlight: number;
}

/**
 * SQLite in this process: there is one writer, so few large commits are best. There are two of them, as one
 * is prepared while the other is written.
 */
export const LOCAL_ENGINE: Engine = { checksPerCommit: 100, commitsInFlight: 2 };

/** A KV server: commits wait for the network. Deno Deploy's limit on checks is not published. */
export const REMOTE_ENGINE: Engine = { checksPerCommit: 10, commitsInFlight: 16 };

/** An open KV, and the commits that suit its engine. */
export interface OpenKv {
  kv: BoundedKv;
  engine: Engine;
}

/** An open KV with a name; dispose of it to close it. */
export interface NamedKv extends OpenKv, Disposable {
  /** A file's path, or a server's address without credentials. */
  name: string;
  /** Whether other processes can have the store open, too. */
  isShared: boolean;
}

/**
 * Opens the KV that the configuration names. A file and its folder are made where they are missing; a file
 * that is not the service's own, or that another process has open, is refused. A KV server may need some
 * seconds to be ready.
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
  const file = kvFile(path);
  if (await isFolder(file)) {
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
  // Other faults of the path are reported when it is opened.
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
  return { kv, ...named, isShared: !lock, [Symbol.dispose]: dispose };
}

/** Bounds on a KV Connect server's time, in milliseconds. */
export interface ConnectBounds {
  /** How long it may take to be ready at the start. */
  readyMs: number;
  /** How long one call may take, with the body of its answer. */
  callMs: number;
}

/** The time of a call leaves room for a second try, one second later, before the store's own deadline. */
const BOUNDS: ConnectBounds = { readyMs: 15_000, callMs: 3_500 };

/** Further tries of a call that the server answers with 5xx; the client pauses one second before each. */
const MAX_RETRIES = 1;

/** The pause between two attempts to reach a server that is not ready, in milliseconds. */
const PAUSE_MS = 100;

/** The address of a KV Connect server, and the token for it. */
export interface ConnectLocation {
  url: string;
  accessToken: string;
}

/**
 * Opens the KV of a KV Connect server as soon as the server is ready. The client is one whose calls can be
 * bounded: `Deno.openKv()` would retry without end, and cannot read bytes that this client has written.
 *
 * @throws {Error} naming `KV_URL` and the remedy, where the server is not ready in time or refuses
 */
export async function connectKv(
  location: ConnectLocation,
  bounds: ConnectBounds = BOUNDS,
): Promise<Deno.Kv> {
  const { url, accessToken } = location;
  // Loaded only here, as it is large and the other engines do not need it.
  const { openKv } = await import("@deno/kv");
  const fetcher: typeof fetch = (url, init) => {
    // A watch has no end; its users also read at intervals.
    if (String(url).endsWith("/watch")) return fetch(url, init);
    return fetch(url, { ...init, signal: AbortSignal.timeout(bounds.callMs) });
  };
  const open = () =>
    openKv(url, {
      accessToken,
      maxRetries: MAX_RETRIES,
      fetcher,
      // By default, the client calls Deno.openKv(), which takes no options.
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
    // The client's types differ from Deno's in two things: they lack `commitVersionstamp()`, which the
    // store never calls, and they have `T | null` where Deno's have a `T` that may be null.
    return kv as Deno.Kv;
  } catch (error) {
    throw new Error(`KV_URL '${url}' gives no KV: ${firstLine(fault)}. ${remedyFor(fault)}`, {
      cause: error,
    });
  }
}

/** Whether waiting would not help, as a server has answered and refused. */
function isFinal(fault: string): boolean {
  return /^(Unexpected response (status: [1-4]|content-type)|Bad |Unsupported |No endpoints)/
    .test(fault);
}

function remedyFor(fault: string): string {
  if (/status: 40[13]/.test(fault)) {
    return "Give DENO_KV_ACCESS_TOKEN the access token that the KV server was started with";
  }
  return isFinal(fault)
    ? "Set it to the address of a KV Connect server, such as denokv"
    : "Start the KV server, or set KV_URL to where it listens";
}

/** Gives the first line of an error; the client puts the stack of its last try behind it. */
function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").replace(/\.$/, "").slice(0, 200);
}
