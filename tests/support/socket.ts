/**
 * The service behind a real socket, and raw HTTP/1.1 to it: for what `Request` would tidy up before the service sees
 * it. @module
 */
import type { ServiceVariables } from "../../server/config/mod.ts";
import { listenOn } from "./listen.ts";
import { BASE_URL, START } from "./service.ts";

/** A service that listens on the loopback address. */
export interface ListeningService extends AsyncDisposable {
  kv: Deno.Kv;
  port: number;
  /** Sends bytes or text as they are, and reads one answer whose `Content-Length` is declared. */
  exchange: (request: string | Uint8Array) => Promise<Response>;
}

/**
 * Starts a service with a KV in memory on a free port, whose clock stands still.
 * @param write takes the lines of the log, from `error` on
 */
export async function startListeningService(
  variables: ServiceVariables = {},
  write: (line: string) => void = console.error,
): Promise<ListeningService> {
  const kv = await Deno.openKv(":memory:");
  const service = await listenOn(kv, { BASE_URL, ...variables }, { clock: () => START, write });
  const port = Number(new URL(service.baseUrl).port);
  return {
    kv,
    port,
    exchange: (request) => exchange(port, request),
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
      readAnswer(connection, request),
      writeAll(connection, bytes),
    ]);
    return answer;
  } finally {
    clearTimeout(guard);
  }
}

async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.byteLength) offset += await connection.write(bytes.subarray(offset));
}

async function readAnswer(
  connection: Deno.TcpConn,
  request: string | Uint8Array,
): Promise<Response> {
  const isHead = typeof request === "string" && request.startsWith("HEAD ");
  const buffer = new Uint8Array(65_536);
  let text = "";
  for (;;) {
    const length = await connection.read(buffer);
    // Read so that a character is a byte; what is not ASCII in a page is of no interest here.
    if (length !== null) text += new TextDecoder("latin1").decode(buffer.subarray(0, length));
    const end = text.indexOf("\r\n\r\n");
    if (end >= 0) {
      const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
      const headers = new Headers(lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).trim()] as [string, string];
      }));
      const body = text.slice(end + 4);
      if (isHead || body.length >= Number(headers.get("content-length"))) {
        return new Response(isHead ? null : body, {
          status: Number(statusLine.split(" ")[1]),
          headers,
        });
      }
    }
    if (length === null) throw new Error(`The connection ended within an answer: ${text}`);
  }
}
