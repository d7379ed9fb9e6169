/** Responses on Node: a `Response` that can be cloned cheaply, and sending a response by Node's HTTP server. @module */
import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/**
 * A response that stores a body of text or bytes, so that it can be cloned many times. Without this class, Node would
 * connect each clone to the body by a pair of streams, and this chain of streams would grow with each clone.
 */
export class CloneableResponse extends Response {
  /** The body, if it was given as a text or as bytes; `undefined` for any other body, such as a stream. */
  readonly storedBody: string | Uint8Array<ArrayBuffer> | undefined;
  /** The bytes of the body as a blob, which all clones share, because Node would copy plain bytes for each clone. */
  readonly #blob: Blob | undefined;

  /** @param original the response of which this response is a clone */
  constructor(body?: BodyInit | null, init?: ResponseInit, original?: CloneableResponse) {
    const bytes = body instanceof Uint8Array ? body as Uint8Array<ArrayBuffer> : undefined;
    const blob = original ? original.#blob : bytes && new Blob([bytes]);
    super(blob ?? body, init);
    this.#blob = blob;
    this.storedBody = typeof body === "string" ? body : bytes;
  }

  override clone(): Response {
    if (this.storedBody === undefined) return super.clone();
    return new CloneableResponse(this.storedBody, this, this);
  }
}

/** Sends a response as the answer to a request of Node's HTTP server. */
export async function sendResponse(
  response: Response,
  { method }: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  const storedBody = response instanceof CloneableResponse ? response.storedBody : undefined;
  if (method === "HEAD" || response.body === null) return void outgoing.end();
  if (storedBody !== undefined) {
    outgoing.setHeader("content-length", Buffer.byteLength(storedBody));
    return void outgoing.end(storedBody);
  }
  // If the body fails or the client is gone, the connection is closed too.
  await pipeline(response.body, outgoing).catch(() => outgoing.destroy());
}
