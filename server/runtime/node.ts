/** What Node does in its own way; see `Host`. @module */
import type { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Handler, Host, ServeOptions, Server } from "./host.ts";

/** How long a connection waits for its next request, in milliseconds: longer than proxies keep one for their next. */
const KEEP_ALIVE_MS = 75_000;

/** How long the rest of a body may come in behind its answer, in milliseconds, before the connection is cut. */
const LINGER_MS = 1_000;

async function serve(
  { at: { hostname, port } = { hostname: "0.0.0.0", port: 8000 }, handler, signal }: ServeOptions,
): Promise<Server> {
  const options = {
    // An import may take longer than any time limit; what is short has one of its own.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
  };
  const server = createServer(options, async (incoming, outgoing) => {
    incoming.on("end", () => clearTimeout(lingering));
    let lingering: ReturnType<typeof setTimeout> | undefined;
    outgoing.on("finish", () => {
      if (incoming.complete) return;
      lingering = setTimeout(() => incoming.destroy(), LINGER_MS);
    });
    await send(await answer(handler, incoming), incoming, outgoing);
  });
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

async function answer(handler: Handler, incoming: IncomingMessage): Promise<Response> {
  try {
    const { socket } = incoming;
    const remoteAddr = {
      get hostname() {
        return socket.remoteAddress ?? "";
      },
    };
    return await handler(new NodeRequest(incoming) as unknown as Request, { remoteAddr });
  } catch {
    return new Response("Internal Server Error", { status: 500 });
  }
}

/** As much of a `Request` as the service reads. A real one would change the URL, whose path counts byte for byte. */
class NodeRequest implements Partial<Request> {
  readonly method: string;
  readonly url: string;
  readonly #incoming: IncomingMessage;
  #headers: Headers | undefined;
  #body: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;

  constructor(incoming: IncomingMessage) {
    const { method = "", url = "", headers: { host = "" } } = incoming;
    this.method = method;
    this.url = /^[/*]/.test(url) ? `http://${host}${url}` : url;
    this.#incoming = incoming;
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
    return this.#body ??= streamOf(this.#incoming);
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await new Response(this.body).arrayBuffer());
  }
}

function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks: AsyncIterator<Buffer> = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const { done, value } = await chunks.next();
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
 * Keeps a body that is whole already. Node would share it between a response and its clone by a pair of streams, so that
 * each further clone of a prepared response made a longer chain.
 */
class KeptResponse extends Response {
  readonly kept: string | Uint8Array | undefined;

  constructor(body?: BodyInit | null, init?: ResponseInit) {
    super(body, init);
    if (typeof body === "string" || body instanceof Uint8Array) this.kept = body;
  }

  override clone(): Response {
    return this.kept === undefined ? super.clone() : new KeptResponse(this.kept as BodyInit, this);
  }
}

globalThis.Response = KeptResponse;

async function send(
  response: Response,
  { method }: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.statusCode = response.status;
  for (const [name, value] of response.headers) outgoing.appendHeader(name, value);
  const kept = response instanceof KeptResponse ? response.kept : undefined;
  if (method === "HEAD" || response.body === null) return void outgoing.end();
  if (kept !== undefined) return void outgoing.end(kept);
  try {
    for await (const chunk of response.body) {
      if (!outgoing.write(chunk)) await drained(outgoing);
      if (outgoing.destroyed) return;
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

function drained(outgoing: ServerResponse): Promise<unknown> {
  return new Promise((resolve) => outgoing.once("drain", resolve).once("close", resolve));
}

export const NODE: Host = {
  serve,
  everyMinute() {},
  // Node has no locks on files.
  takeFileLock: () => Promise.resolve({ [Symbol.dispose]() {} }),
};
