/**
 * The functions of {@linkcode Host} on Node. They make Node's HTTP server behave like that of Deno where the service
 * depends on the behaviour. The import of this file changes two globals: it replaces `Response`, and removes
 * `__proto__` from all objects. @module
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
// This import comes first of those of the project, so that an old Node is refused before any other module of the
// program runs.
import "./node_version.js";
import type { Handler, Host, ServeOptions, Server } from "./host.ts";
import { NodeRequest } from "./node_request.ts";
import { CloneableResponse, sendResponse } from "./node_response.ts";
import { watchEnd } from "./node_server_end.ts";

globalThis.Response = CloneableResponse;

// `__proto__` is removed from objects, as in Deno, so that an assignment to this name stores a value and does not
// change the prototype of the object.
Reflect.deleteProperty(Object.prototype, "__proto__");

/** The host and port on which the server listens if the caller gives none, as in Deno. */
const DEFAULT_ADDRESS = { hostname: "0.0.0.0", port: 8000 };

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

async function serve({ at, handler, signal }: ServeOptions): Promise<Server> {
  const { hostname, port } = at ?? DEFAULT_ADDRESS;
  const options = {
    // Node's own time limit for a request is off, because the body of an import may take long to arrive. The service
    // itself limits the time for short bodies.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node must not refuse a request without `Host`, because the service itself checks `Host`.
    requireHostHeader: false,
  };
  const onRequest = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    endLateBody(incoming, outgoing);
    const cut = makeCut(incoming, outgoing);
    await sendResponse(await answer(handler, incoming, cut), incoming, outgoing);
  };
  // Without this handler, Node answers 417 to a request whose header `Expect` is not `100-continue`.
  const server = createServer(options, onRequest).on("checkExpectation", onRequest);
  server.on("clientError", refuse);
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(port, hostname, resolve);
  await listening;
  server.off("error", reject);
  const { closed, finished } = watchEnd(server);
  signal.addEventListener("abort", () => server.closeAllConnections());
  const { address, port: bound } = server.address() as AddressInfo;
  return {
    addr: { hostname: address, port: bound },
    finished,
    async shutdown() {
      server.close();
      await closed;
    },
  };
}

/** Closes the connection if a request's body has not arrived {@linkcode LINGER_MS} after its answer was sent. */
function endLateBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  let lingering: ReturnType<typeof setTimeout> | undefined;
  incoming.on("end", () => clearTimeout(lingering));
  outgoing.on("finish", () => {
    if (!incoming.complete) lingering = setTimeout(() => incoming.destroy(), LINGER_MS);
  });
}

/**
 * For each connection, the function that makes the arriving body fail. The function returns false if no body is
 * arriving. It belongs to the last request of the connection, because bodies arrive one after another.
 */
const cuts = new WeakMap<Duplex, () => boolean>();

/**
 * Enters the function for a request in {@linkcode cuts}.
 * @returns a promise that rejects when the function makes the body fail
 */
function makeCut(incoming: IncomingMessage, outgoing: ServerResponse): Promise<never> {
  const cut = Promise.withResolvers<never>();
  // If nothing reads the body, nothing waits for the promise, and Node would end the process because of its rejection.
  cut.promise.catch(() => {});
  cuts.set(incoming.socket, () => {
    if (incoming.complete || outgoing.headersSent) return false;
    outgoing.shouldKeepAlive = false;
    cut.reject(new Error("The body was cut"));
    return true;
  });
  return cut.promise;
}

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

export const NODE: Host = {
  serve,
  // Only Deno Deploy needs this work; see `host.ts`.
  everyMinute() {},
};
