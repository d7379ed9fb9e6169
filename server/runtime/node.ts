/**
 * The functions of {@linkcode Host} on Node. They make Node's HTTP server behave like that of Deno where the service
 * depends on the behaviour. @module
 */
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
// This import comes first, so that an old Node is refused before any other module of the program runs.
import "./node_version.js";
import type { Handler, Host, ServeOptions, Server } from "./host.ts";

/**
 * How long a connection waits for its next request, in milliseconds. A proxy should close its idle connections first,
 * so the time is longer than that of usual proxies.
 */
const KEEP_ALIVE_MS = 75_000;

/**
 * If the answer is sent before the request's body has arrived, how long the rest of the body may still take, in
 * milliseconds.
 */
const LINGER_MS = 1_000;

async function serve(
  { at: { hostname, port } = { hostname: "0.0.0.0", port: 8000 }, handler, signal }: ServeOptions,
): Promise<Server> {
  const options = {
    // Node's own time limit for a request is off, because the body of an import may take long to arrive. The service
    // itself limits the time for short bodies.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node must not refuse a request without `Host`, because the service itself checks `Host`.
    requireHostHeader: false,
  };
  const onRequest = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    let lingering: ReturnType<typeof setTimeout> | undefined;
    incoming.on("end", () => clearTimeout(lingering));
    outgoing.on("finish", () => {
      if (!incoming.complete) lingering = setTimeout(() => incoming.destroy(), LINGER_MS);
    });
    const cut = Promise.withResolvers<never>();
    cut.promise.catch(() => {});
    const { socket } = incoming;
    cuts.set(socket, () => {
      if (incoming.complete || outgoing.headersSent) return false;
      outgoing.shouldKeepAlive = false;
      cut.reject(new Error("The body was cut"));
      return true;
    });
    await send(await answer(handler, incoming, cut.promise), incoming, outgoing);
  };
  // Without this handler, Node answers 417 to a request whose header `Expect` is not `100-continue`.
  const server = createServer(options, onRequest).on("checkExpectation", onRequest);
  server.on("clientError", refuse);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(port, hostname, resolve);
  await promise;
  const finished = new Promise<void>((resolve) => server.once("close", resolve));
  signal.addEventListener("abort", () => server.closeAllConnections());
  const { address, port: bound } = server.address() as AddressInfo;
  return {
    addr: { hostname: address, port: bound },
    finished,
    async shutdown() {
      server.close();
      await finished;
    },
  };
}

/**
 * For each connection, the function that makes the arriving body fail. The function returns false if no body is
 * arriving.
 */
const cuts = new WeakMap<Duplex, () => boolean>();

/**
 * Refuses bytes that are not HTTP. If the bytes come in the middle of a request's body, the body fails as if it was
 * cut, and the handler answers the request.
 */
function refuse({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  if (cuts.get(socket)?.()) return;
  const status = code === "HPE_HEADER_OVERFLOW"
    ? "431 Request Header Fields Too Large"
    : code === "ERR_HTTP_REQUEST_TIMEOUT"
    ? "408 Request Timeout"
    : "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

async function answer(handler: Handler, incoming: IncomingMessage, cut: Promise<never>) {
  try {
    const { socket } = incoming;
    const remoteAddr = {
      get hostname() {
        return socket.remoteAddress ?? "";
      },
    };
    // The cast is needed because `NodeRequest` has only the members of a request that the service reads.
    return await handler(new NodeRequest(incoming, cut) as unknown as Request, { remoteAddr });
  } catch (error) {
    console.error(error);
    return new Response("Internal Server Error", { status: 500 });
  }
}

/**
 * A request with only those members of `Request` that the service reads. A real `Request` is not used, because it would
 * normalize the path of the URL.
 */
class NodeRequest implements Partial<Request> {
  readonly method: string;
  readonly url: string;
  readonly #incoming: IncomingMessage;
  readonly #cut: Promise<never>;
  #headers: Headers | undefined;
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;

  constructor(incoming: IncomingMessage, cut: Promise<never>) {
    const { method = "", url = "", headers: { host = "" } } = incoming;
    this.method = method;
    this.url = /^[/*]/.test(url) ? `http://${host}${url}` : url;
    this.#incoming = incoming;
    this.#cut = cut;
  }

  get headers(): Headers {
    if (this.#headers) return this.#headers;
    const { rawHeaders } = this.#incoming;
    const headers = this.#headers = new Headers();
    // Node gives names and values in turn.
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index]!, rawHeaders[index + 1]!);
    }
    return headers;
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#body ??= streamOf(this.#incoming, this.#cut);
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(this.body).arrayBuffer());
  }
}

function streamOf(incoming: IncomingMessage, cut: Promise<never>) {
  const chunks: AsyncIterator<Buffer> = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const { done, value } = await Promise.race([chunks.next(), cut]);
      // The chunk is copied, because a stream takes over the memory of a chunk, and several chunks of Node can share
      // memory.
      if (!done) return controller.enqueue(new Uint8Array(value));
      controller.close();
      controller.byobRequest?.respond(0);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}

/**
 * A response that stores its body, so that it can be cloned many times. Without this class, Node would connect each
 * clone to the body by a pair of streams, and this chain of streams would grow with each clone.
 */
class CloneableResponse extends Response {
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

globalThis.Response = CloneableResponse;

// `__proto__` is removed from objects, as in Deno, so that an assignment to this name stores a value and does not
// change the prototype of the object.
Reflect.deleteProperty(Object.prototype, "__proto__");

async function send(response: Response, { method }: IncomingMessage, outgoing: ServerResponse) {
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

export const NODE: Host = { serve, everyMinute() {} };
