/**
 * KV on a KV Connect server (self-hosted `denokv`), by a client that can be bounded: `Deno.openKv()`
 * would retry without end, and cannot read bytes that this client has written.
 *
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { withDeadline } from "./deadline.ts";

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
