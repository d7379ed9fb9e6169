/**
 * The service behind a real socket, and raw HTTP/1.1 to it: for what `Request` would tidy up before the service sees
 * it. @module
 */
import type { ServiceVariables } from "../../server/config/mod.ts";
import { readAnswer } from "./http_answer.ts";
import { listenOn } from "./listen.ts";
import { BASE_URL, START } from "./service.ts";
import { openMemoryKv } from "./memory_kv.ts";

/** A service that listens on the loopback address. */
export type ListeningService = Awaited<ReturnType<typeof startListeningService>>;

/**
 * Starts a service with a KV in memory on a free port, whose clock stands still.
 * @param write takes the lines of the log, from `error` on
 */
export async function startListeningService(
  variables: ServiceVariables = {},
  write: (line: string) => void = console.error,
) {
  const kv = await openMemoryKv();
  const service = await listenOn(kv, { BASE_URL, ...variables }, { clock: () => START, write });
  const port = Number(new URL(service.baseUrl).port);
  return {
    kv,
    port,
    /** Sends bytes or text as they are, and reads one answer whose `Content-Length` is declared. */
    exchange: (request: string | Uint8Array) => exchange(port, request),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      kv.close();
    },
  };
}

/** How long an answer is waited for, in milliseconds. */
const GIVE_UP_MS = 10_000;

async function exchange(port: number, request: string | Uint8Array): Promise<Response> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  // A service that never answers fails the test, and does not hang it.
  const guard = setTimeout(() => connection.close(), GIVE_UP_MS);
  const bytes = typeof request === "string" ? new TextEncoder().encode(request) : request;
  // The service may answer before it has taken everything, so writing must not hold up reading.
  try {
    const [answer] = await Promise.all([
      readAnswer(connection, typeof request === "string" && request.startsWith("HEAD ")),
      writeAll(connection, bytes),
    ]);
    if (!answer) throw new Error("The connection was closed without an answer");
    return new Response(answer.body || null, answer);
  } finally {
    clearTimeout(guard);
  }
}

async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.byteLength) offset += await connection.write(bytes.subarray(offset));
}
