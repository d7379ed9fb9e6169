/** A request of Node's HTTP server with the interface of a web `Request`. @module */
import type { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { createCommonEnd } from "./common_end.ts";

/**
 * A request with only those members of `Request` that the service reads. A real `Request` is not used, because it would
 * normalize the path of the URL.
 */
export class NodeRequest implements Partial<Request> {
  readonly method: string;
  readonly url: string;
  readonly #incoming: IncomingMessage;
  readonly #bodyCut: Promise<never>;
  #headers: Headers | undefined;
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;

  /** @param bodyCut rejects if the rest of the body is cut off, so that reading the body fails */
  constructor(incoming: IncomingMessage, bodyCut: Promise<never>) {
    const { method = "", url = "", headers: { host = "" } } = incoming;
    this.method = method;
    // The target of a request is a path, `*` (as in `OPTIONS *`), or a whole URL (RFC 9112, section 3.2). A whole URL
    // stays as it is.
    this.url = /^[/*]/.test(url) ? `http://${host}${url}` : url;
    this.#incoming = incoming;
    this.#bodyCut = bodyCut;
  }

  get headers(): Headers {
    if (this.#headers) return this.#headers;
    const { rawHeaders } = this.#incoming;
    const headers = this.#headers = new Headers();
    // In `rawHeaders`, each name is followed by its value.
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index]!, rawHeaders[index + 1]!);
    }
    return headers;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#body ??= streamOf(this.#incoming, this.#bodyCut);
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(this.body).arrayBuffer());
  }
}

/** Gives the body of a request as a stream. The stream fails when `bodyCut` rejects. */
function streamOf(incoming: IncomingMessage, bodyCut: Promise<never>) {
  const chunks: AsyncIterator<Buffer> = incoming.iterator({ destroyOnReturn: false });
  const { waitFor, end } = createCommonEnd();
  bodyCut.catch(end);
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const { done, value } = await waitFor(chunks.next());
      // The chunk is copied, because a stream takes over the memory of its chunks, but chunks of Node can share memory.
      if (!done) return controller.enqueue(new Uint8Array(value));
      controller.close();
      controller.byobRequest?.respond(0);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}
