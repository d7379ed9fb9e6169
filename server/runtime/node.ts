/**
 * The functions of {@linkcode Host} on Node. They make Node's HTTP server behave like that of Deno where the service
 * depends on the behaviour. The import of this file changes two globals: it replaces `Response`, and removes
 * `__proto__` from all objects. @module
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
// This is the first import of a module of the project, so that an old Node is refused before any other module of the
// project runs.
import "./node_version.js";
import type { Handler, Host, ServeOptions, Server } from "./host.ts";
import { NodeRequest } from "./node_request.ts";
import { CloneableResponse, sendResponse } from "./node_response.ts";
import { watchServerEnd } from "./node_server_end.ts";

globalThis.Response = CloneableResponse;

// `__proto__` is removed from objects, as in Deno, so that an assignment to this name stores a value and does not
// change the prototype of the object.
Reflect.deleteProperty(Object.prototype, "__proto__");

/** The host and port on which the server listens if the caller gives no address. Deno has the same defaults. */
const DEFAULT_ADDRESS = { hostname: "0.0.0.0", port: 8000 };

/**
 * How long a connection waits for its next request, in milliseconds. The time is longer than the time of usual proxies,
 * because a proxy, and not the service, should close an idle connection.
 */
const KEEP_ALIVE_MS = 75_000;

/** How long the rest of a request's body may take to arrive after the answer was sent, in milliseconds. */
const LINGER_MS = 1_000;

/** Serves HTTP by Node's server; see {@linkcode Host.serve}. */
async function serve(
  { address = DEFAULT_ADDRESS, handler, signal }: ServeOptions,
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
    endLateBody(incoming, outgoing);
    const bodyCut = registerBodyCutter(incoming, outgoing);
    await sendResponse(await answer(handler, incoming, bodyCut), incoming, outgoing);
  };
  // Without this handler, Node answers 417 to a request whose header `Expect` is not `100-continue`.
  const server = createServer(options, onRequest).on("checkExpectation", onRequest);
  server.on("clientError", refuseUnreadable);
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(address.port, address.hostname, resolve);
  await listening;
  server.off("error", reject);
  const { closed, finished } = watchServerEnd(server);
  signal.addEventListener("abort", () => server.closeAllConnections());
  // The cast holds, because the server listens on a host and a port, and not on a pipe.
  const bound = server.address() as AddressInfo;
  return {
    addr: { hostname: bound.address, port: bound.port },
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
 * For each connection, a function that makes the arriving body fail. The function returns false if no body is arriving,
 * or if the answer has begun. It is the function of the last request, because bodies arrive one after another.
 */
const bodyCutters = new WeakMap<Duplex, () => boolean>();

/**
 * Puts the function for the body of a request into {@linkcode bodyCutters}.
 * @returns a promise that rejects when the function makes the body fail
 */
function registerBodyCutter(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  // If nothing reads the body, nothing waits for the promise, and Node would end the process because of its rejection.
  promise.catch(() => {});
  bodyCutters.set(incoming.socket, () => {
    if (incoming.complete || outgoing.headersSent) return false;
    outgoing.shouldKeepAlive = false;
    reject(new Error("The body was cut"));
    return true;
  });
  return promise;
}

/** The status of the answer to a request that Node cannot read, by the code of Node's error. All others get 400. */
const STATUS_BY_ERROR: ReadonlyMap<string, string> = new Map([
  ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout"],
]);

/**
 * Refuses a request that Node cannot read, for example because its bytes are not HTTP. If the fault is in the middle
 * of a request's body, the body fails as if it was cut, and the handler answers the request.
 */
function refuseUnreadable({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  if (bodyCutters.get(socket)?.()) return;
  const status = STATUS_BY_ERROR.get(code ?? "") ?? "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

/** Answers a request by the handler; answers with status 500 if the handler throws an error. */
async function answer(handler: Handler, incoming: IncomingMessage, bodyCut: Promise<never>) {
  try {
    const { socket } = incoming;
    const remoteAddr = {
      get hostname() {
        return socket.remoteAddress ?? "";
      },
    };
    // The cast is needed because `NodeRequest` has only the members of a request that the service reads.
    const request = new NodeRequest(incoming, bodyCut) as unknown as Request;
    return await handler(request, { remoteAddr });
  } catch (error) {
    console.error(error);
    return new Response("Internal Server Error", { status: 500 });
  }
}

/** The functions of {@linkcode Host} on Node. */
export const NODE: Host = {
  serve,
  // The service does this work by its own timers on Node.
  everyMinute() {},
};
