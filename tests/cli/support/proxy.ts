/** What a proxy does with the answers that pass through it. */
export interface ProxyOptions {
  /** The address that the service takes the caller's to be. */
  from: string;
  /** Breaks an answer; by default it passes as it is. */
  alter?: (response: Response, request: Request) => Response | Promise<Response>;
}

/** A proxy in front of the service. */
export interface Proxy extends AsyncDisposable {
  url: string;
  /** The calls that passed, such as `GET /api/v1/status`. */
  calls: string[];
}

/** Starts a proxy on a port of its own, so that the service is called by another address than its own. */
export function startProxy(service: { url: string }, { from, alter }: ProxyOptions): Proxy {
  const calls: string[] = [];
  return Object.assign(
    serveLocally(async (request) => {
      const { pathname } = new URL(request.url);
      calls.push(`${request.method} ${pathname}`);
      const headers = new Headers(request.headers);
      headers.set("x-forwarded-for", from);
      const response = await fetch(service.url + pathname, {
        method: request.method,
        headers,
        body: request.body && await request.arrayBuffer(),
        redirect: "manual",
      });
      const answer = await alter?.(response, request) ?? response;
      if (answer.body !== response.body && !response.bodyUsed) await response.body?.cancel();
      return answer;
    }),
    { calls },
  );
}

/** Serves on a free port of this computer until it is disposed of. */
export function serveLocally(handler: Deno.ServeHandler): AsyncDisposable & { url: string } {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A copy of an answer with other headers. */
export function withHeaders(response: Response, change: (headers: Headers) => void): Response {
  const headers = new Headers(response.headers);
  change(headers);
  return new Response(response.body, { status: response.status, headers });
}
