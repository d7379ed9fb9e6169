/** A proxy in front of the service. */
export type Proxy = ReturnType<typeof startProxy>;

/**
 * Starts a proxy on a port of its own, so that the service is called by another address than its own.
 * @param options.from the address that the service takes the caller's to be
 * @param options.alter breaks an answer; by default it passes as it is
 */
export function startProxy(
  service: { url: string },
  { from, alter }: {
    from: string;
    alter?: (response: Response, request: Request) => Response | Promise<Response>;
  },
) {
  /** The calls that passed, such as `GET /api/v1/status`. */
  const calls: string[] = [];
  const server = serveLocally(async (request) => {
    calls.push(`${request.method} ${new URL(request.url).pathname}`);
    const headers = new Headers(request.headers);
    headers.set("x-forwarded-for", from);
    const response = await forward(request, service, { headers });
    const answer = await alter?.(response, request) ?? response;
    if (answer.body !== response.body && !response.bodyUsed) await response.body?.cancel();
    return answer;
  });
  return Object.assign(server, { calls });
}

/** Serves on a free port of this computer until it is disposed of. */
export function serveLocally(handler: Deno.ServeHandler): AsyncDisposable & { url: string } {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Passes a request on to a service as it is, unless told otherwise. */
export async function forward(
  request: Request,
  { url }: { url: string },
  { headers = request.headers, body }: { headers?: Headers; body?: BodyInit } = {},
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const whole = body ?? (request.body && await request.arrayBuffer());
  const { method } = request;
  return await fetch(url + pathname + search, { method, headers, body: whole, redirect: "manual" });
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
    if (body) afters.push(JSON.parse(body).after);
    const response = await forward(request, service, body ? { body } : {});
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

/** An answer whose body breaks off. */
export function cutAnswer(headers?: HeadersInit): Response {
  const body = ReadableStream.from(async function* () {
    yield new TextEncoder().encode("{");
    throw new Error("cut");
  }());
  return new Response(body, { ...headers && { headers } });
}
