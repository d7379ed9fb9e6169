/** What Node does in its own way; see `Host`. @module */
import { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
// Before anything else of the program runs, where the command does not name it.
import "./node_version.js";
import type { Handler, Host, ServeOptions, Server } from "./host.ts";

/** In milliseconds, the wait for a connection's next request, longer than proxies', and for an answered body's rest. */
const KEEP_ALIVE_MS = 75_000, LINGER_MS = 1_000;

async function serve(
  { at: { hostname, port } = { hostname: "0.0.0.0", port: 8000 }, handler, signal }: ServeOptions,
): Promise<Server> {
  const options = {
    // An import may take longer than any time limit; what is short has one of its own.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
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
  // Node would refuse another expectation than `100-continue` with 417.
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

/** Ends the body that is arriving on a connection with an error; false where none is. */
const cuts = new WeakMap<Duplex, () => boolean>();

/** Answers what is no HTTP. Where that comes within a body, the handler answers, to which the body is cut. */
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
    // The service reads no more of a request than `NodeRequest` has.
    return await handler(new NodeRequest(incoming, cut) as unknown as Request, { remoteAddr });
  } catch (error) {
    console.error(error);
    return new Response("Internal Server Error", { status: 500 });
  }
}

/** As much of a `Request` as the service reads. A real one would change the URL, whose path counts byte for byte. */
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
    for (let at = 0; at < rawHeaders.length; at += 2) {
      headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
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
      // A stream takes the memory of its chunks over, and Node's chunks share theirs.
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
 * Keeps a body that is whole already. Node would share it between a response and its clone by a pair of streams, so
 * that each further clone of a prepared response made a longer chain.
 */
class KeptResponse extends Response {
  readonly kept: string | Uint8Array<ArrayBuffer> | undefined;
  /** Node copies bytes into each response, unless they come in a blob. */
  readonly #blob: Blob | undefined;

  constructor(body?: BodyInit | null, init?: ResponseInit, original?: KeptResponse) {
    const bytes = body instanceof Uint8Array ? body as Uint8Array<ArrayBuffer> : undefined;
    const blob = original ? original.#blob : bytes && new Blob([bytes]);
    super(blob ?? body, init);
    this.#blob = blob;
    this.kept = typeof body === "string" ? body : bytes;
  }

  override clone(): Response {
    if (this.kept === undefined) return super.clone();
    return new KeptResponse(this.kept, this, this);
  }
}

globalThis.Response = KeptResponse;

// As on Deno: a key of a record is data, whatever its name.
Reflect.deleteProperty(Object.prototype, "__proto__");

async function send(response: Response, { method }: IncomingMessage, outgoing: ServerResponse) {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  const kept = response instanceof KeptResponse ? response.kept : undefined;
  if (method === "HEAD" || response.body === null) return void outgoing.end();
  if (kept !== undefined) {
    outgoing.setHeader("content-length", Buffer.byteLength(kept));
    return void outgoing.end(kept);
  }
  // A body that fails, or a client that has gone, ends both.
  await pipeline(response.body, outgoing).catch(() => outgoing.destroy());
}

export const NODE: Host = { serve, everyMinute() {} };
