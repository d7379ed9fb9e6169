/** Requests as bytes on a connection, and the answers as they come back. @module */
import { type RawAnswer, readAnswer } from "../../support/http_answer.ts";
import type { FuzzRequest } from "./requests.ts";

/** How long an answer is waited for, in milliseconds; none takes that long, unless it never comes. */
const GIVE_UP_MS = 20_000;

/** A connection that is kept for as long as the service keeps it. */
export class Wire implements Disposable {
  readonly #port: number;
  #connection: Deno.TcpConn | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /**
   * Sends a request and reads its answer.
   * @returns `undefined` where the service closed the connection without an answer
   */
  async exchange(request: FuzzRequest): Promise<RawAnswer | undefined> {
    // A connection that broken HTTP went over is of no use any more.
    const alone = request.framing === "short" || request.framing === "both";
    if (alone) this[Symbol.dispose]();
    const connection = this.#connection ??= await Deno.connect({
      hostname: "127.0.0.1",
      port: this.#port,
    });
    const late = Promise.withResolvers<never>();
    const guard = setTimeout(() => late.reject(new Error("There was no answer")), GIVE_UP_MS);
    try {
      const reading = readAnswer(connection, request.method === "HEAD");
      // The service may refuse, and close, before it has taken everything.
      const writing = write(connection, request).catch(() => {});
      const answer = await Promise.race([reading, late.promise]);
      const closes = !answer || alone || answer.status === 400 || answer.status === 413 ||
        /close/i.test(answer.headers.get("connection") ?? "");
      if (closes) this[Symbol.dispose]();
      await writing;
      return answer;
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    } finally {
      clearTimeout(guard);
    }
  }

  [Symbol.dispose](): void {
    try {
      this.#connection?.close();
    } catch {
      // The service was first.
    }
    this.#connection = undefined;
  }
}

async function write(connection: Deno.TcpConn, request: FuzzRequest): Promise<void> {
  const bytes = serialize(request);
  for (let offset = 0; offset < bytes.byteLength;) {
    offset += await connection.write(bytes.subarray(offset));
  }
  if (request.framing === "short") await connection.closeWrite();
}

/** The request's bytes. */
export function serialize({ method, target, headers, body, framing }: FuzzRequest): Uint8Array {
  const lines = [`${method} ${target} HTTP/1.1`];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  let bytes = body?.bytes ?? new Uint8Array();
  if (framing === "chunked" || framing === "both") lines.push("Transfer-Encoding: chunked");
  if (framing === "both") lines.push("Content-Length: 3");
  if (framing === "short") lines.push(`Content-Length: ${bytes.byteLength + 1}`);
  if (framing === "length" && body) lines.push(`Content-Length: ${bytes.byteLength}`);
  if (framing === "chunked" || framing === "both") bytes = chunked(bytes);
  const head = new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
  return concat(head, bytes);
}

function chunked(bytes: Uint8Array): Uint8Array {
  const encoder = new TextEncoder();
  const half = bytes.byteLength >> 1;
  const parts = [bytes.subarray(0, half), bytes.subarray(half)].filter((part) =>
    part.byteLength > 0
  )
    .map((part) =>
      concat(encoder.encode(`${part.byteLength.toString(16)}\r\n`), part, encoder.encode("\r\n"))
    );
  return concat(...parts, encoder.encode("0\r\n\r\n"));
}

function concat(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}
