/** Requests as bytes on a connection, and the answers as they come back. @module */
import { Buffer } from "node:buffer";
import type { FuzzRequest } from "./requests.ts";

/** What came back; an answer without a head is a connection that was closed. */
export interface FuzzAnswer {
  status: number;
  headers: Headers;
  /** A character is a byte, so that what is no UTF-8 stays as it is. */
  body: string;
}

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
  async exchange(request: FuzzRequest): Promise<FuzzAnswer | undefined> {
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

async function readAnswer(
  connection: Deno.TcpConn,
  isHead: boolean,
): Promise<FuzzAnswer | undefined> {
  const buffer = new Uint8Array(65_536);
  let text = "";
  for (;;) {
    // A service that refuses and closes may reset what it was still being sent.
    const length = await connection.read(buffer).catch(() => null);
    if (length !== null) text += Buffer.from(buffer.subarray(0, length)).toString("latin1");
    text = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "");
    const answer = parseAnswer(text, isHead);
    if (answer) return answer;
    if (length !== null) continue;
    if (text !== "") {
      throw new Error(`The connection ended within an answer: ${text.slice(0, 300)}`);
    }
    return undefined;
  }
}

/** The answer at the start of a text, `undefined` while it is not whole. */
function parseAnswer(text: string, isHead: boolean): FuzzAnswer | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = new Headers(lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  }));
  const status = Number(statusLine.split(" ")[1]);
  const rest = text.slice(end + 4);
  if (isHead || status === 304) return { status, headers, body: "" };
  if (headers.get("transfer-encoding") === "chunked") {
    const body = parseChunks(rest);
    return body === undefined ? undefined : { status, headers, body };
  }
  const length = Number(headers.get("content-length") ?? NaN);
  if (Number.isNaN(length)) throw new Error(`An answer tells no length: ${text.slice(0, end)}`);
  return rest.length < length ? undefined : { status, headers, body: rest.slice(0, length) };
}

/** The body that chunks make up, `undefined` while the last one is missing. */
function parseChunks(text: string): string | undefined {
  let body = "";
  for (let at = 0;;) {
    const line = text.indexOf("\r\n", at);
    const size = Number(`0x${text.slice(at, line)}`);
    const next = line + 2 + size + 2;
    if (line < 0 || text.length < next) return undefined;
    if (size === 0) return body;
    body += text.slice(line + 2, line + 2 + size);
    at = next;
  }
}
