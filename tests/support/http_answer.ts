/** Answers of HTTP/1.1 as they come over a connection. @module */
import { Buffer } from "node:buffer";
import type { Exchange } from "../../shared/contract.ts";
import type { TestRequestInit, TestService } from "./service.ts";

/** What came back; an answer without a head is a connection that was closed. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  /** A character is a byte, so that what is no UTF-8 stays as it is. */
  body: string;
}

/** Reads an answer; `undefined` where the service closes the connection without one. */
export async function readAnswer(
  connection: Deno.TcpConn,
  isHead: boolean,
): Promise<RawAnswer | undefined> {
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
function parseAnswer(text: string, isHead: boolean): RawAnswer | undefined {
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

/** Sends a request and reads the whole answer. */
export async function send(
  service: TestService,
  path: string,
  init: TestRequestInit = {},
): Promise<Exchange> {
  const response = await service.request(path, init);
  const { status, headers } = response;
  return { method: init.method ?? "GET", path, status, headers, body: await response.text() };
}
