/** Connects to a KV Connect server, such as a self-hosted `denokv`, with Deno's own client. @module */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { KvLocation } from "../../config/mod.ts";
import { onDeno, withDeadline } from "../../runtime/mod.ts";
import { reconnectingKv } from "./reconnecting_kv.ts";

export type ConnectLocation = Omit<Extract<KvLocation, { kind: "connect" }>, "kind">;

/** How long a KV Connect server may take to be ready at the start, and for one call, in milliseconds. */
const BOUNDS = { readyMs: 15_000, callMs: 5_000 };

/** Between two attempts to reach a server that is not ready, in milliseconds. */
const PAUSE_MS = 100;

/**
 * Opens the KV of a server as soon as it is ready. Deno's client takes the token from `DENO_KV_ACCESS_TOKEN`.
 *
 * @throws {Error} naming `KV_URL` and the remedy, where the server is not ready in time or refuses
 */
export async function connectKv(
  location: ConnectLocation,
  { readyMs, callMs } = BOUNDS,
): Promise<Deno.Kv> {
  if (!onDeno) throw new Error("KV_URL names a KV server, which needs Deno; unset it for a file");
  let fault = new Error("it did not answer");
  try {
    const kv = await withDeadline(readyMs, async (signal) => {
      for (;;) {
        try {
          return await openClient(location, signal);
        } catch (error) {
          signal.throwIfAborted();
          fault = error as Error;
          if (fault instanceof Refusal) throw fault;
          await delay(PAUSE_MS, undefined, { signal });
        }
      }
    });
    return reconnectingKv(kv, {
      callMs,
      openAnother: (closing) =>
        withDeadline(callMs, (late) => openClient(location, AbortSignal.any([late, closing]))),
    });
  } catch (error) {
    const remedy = fault instanceof Refusal
      ? fault.remedy
      : "Start the KV server, or set KV_URL to where it listens";
    const reason = firstLine(fault.message);
    throw new Error(`KV_URL '${location.url}' gives no KV: ${reason}. ${remedy}`, { cause: error });
  }
}

/** A server's answer that waiting does not change. */
class Refusal extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

async function openClient(location: ConnectLocation, signal: AbortSignal): Promise<Deno.Kv> {
  await askServer(location, signal);
  const kv = await Deno.openKv(location.url);
  if (signal.aborted) kv.close();
  signal.throwIfAborted();
  return kv;
}

/** What a server says of its database, as far as it shows that there is one. */
const metadataSchema = z.object({ version: z.int(), endpoints: z.array(z.unknown()).min(1) });

/**
 * Asks a server for its metadata, as the client does first. This request can be given up and has a connection of its
 * own; the client's calls cannot be given up, and share a connection that may be dead.
 */
async function askServer({ url, accessToken }: ConnectLocation, signal: AbortSignal) {
  using client = Deno.createHttpClient({});
  const response = await fetch(url, {
    method: "POST",
    headers: { "Authorization": `Bearer ${accessToken}`, "Content-Type": "application/json" },
    body: JSON.stringify({ supportedVersions: [1, 2, 3] }),
    client,
    signal,
  });
  const { status } = response;
  const metadata = await response.json().catch((error) => {
    if (!(error instanceof SyntaxError)) throw error;
  });
  if (status >= 500) throw new Error(`the server answered with status ${status}`);
  if (status === 401 || status === 403) {
    throw new Refusal(
      `the server answered with status ${status}`,
      "Give DENO_KV_ACCESS_TOKEN the access token that the KV server was started with",
    );
  }
  if (status !== 200 || !metadataSchema.safeParse(metadata).success) {
    throw new Refusal(
      `the answer, with status ${status}, is not that of a KV Connect server`,
      "Set it to the address of a KV Connect server, such as denokv",
    );
  }
}

const firstLine = (text: string) => text.split("\n")[0]!.replace(/\.$/, "").slice(0, 200);
