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

/** A proxy that cuts, or holds, each of the first so many answers of an export after so many bytes. */
export function cutAnswers(
  service: { url: string },
  { bytes, times, how = "cut" }: { bytes: number; times: number; how?: "cut" | "stall" },
) {
  const afters: (string | undefined)[] = [];
  const held = Promise.withResolvers<void>();
  let left = times;
  const server = serveLocally(async (request) => {
    const body = await request.text();
    afters.push(JSON.parse(body).after);
    const { method, headers } = request;
    const path = new URL(request.url).pathname;
    const response = await fetch(service.url + path, { method, headers, body });
    if (left-- <= 0) return response;
    let passed = 0;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        passed += chunk.byteLength;
        if (passed < bytes) return controller.enqueue(chunk);
        controller.enqueue(chunk.subarray(0, chunk.byteLength - 10));
        if (how === "stall") await held.promise;
        controller.terminate();
      },
    });
    return new Response(response.body!.pipeThrough(cut), { headers: response.headers });
  });
  return Object.assign(server, {
    afters,
    /** Lets everything pass from now on. */
    open() {
      left = 0;
      held.resolve();
    },
  });
}

/** A body that breaks off. */
export async function* cutStream(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode("{");
  throw new Error("cut");
}
