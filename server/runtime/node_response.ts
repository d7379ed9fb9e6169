/** Responses on Node: a `Response` that can be cloned cheaply, and sending a response by Node's HTTP server. @module */
import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/**
 * A response that stores its body, so that it can be cloned many times. Without this class, Node would connect each
 * clone to the body by a pair of streams, and this chain of streams would grow with each clone.
 */
export class CloneableResponse extends Response {
  /** The given body, if it was a text or bytes; otherwise `undefined`, as for a stream. */
  readonly stored: string | Uint8Array<ArrayBuffer> | undefined;
  /**
   * The bytes of the body as a blob. All clones share the blob, because Node would copy plain bytes for each response.
   */
  readonly #blob: Blob | undefined;

  constructor(body?: BodyInit | null, init?: ResponseInit, original?: CloneableResponse) {
    const bytes = body instanceof Uint8Array ? body as Uint8Array<ArrayBuffer> : undefined;
    const blob = original ? original.#blob : bytes && new Blob([bytes]);
    super(blob ?? body, init);
    this.#blob = blob;
    this.stored = typeof body === "string" ? body : bytes;
  }

  override clone(): Response {
    if (this.stored === undefined) return super.clone();
    return new CloneableResponse(this.stored, this, this);
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
  const stored = response instanceof CloneableResponse ? response.stored : undefined;
  if (method === "HEAD" || response.body === null) return void outgoing.end();
  if (stored !== undefined) {
    outgoing.setHeader("content-length", Buffer.byteLength(stored));
    return void outgoing.end(stored);
  }
  // If the body fails or the client is gone, the connection is closed too.
  await pipeline(response.body, outgoing).catch(() => outgoing.destroy());
}
