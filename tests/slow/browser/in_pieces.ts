/** A proxy that hands pages on line by line, as a slow network does. @module */

/** Milliseconds between two lines, in which a browser can paint what it has. */
const PAUSE = 20;

/** Starts a proxy in front of `baseUrl` for GET: HTML comes line by line, all else as it is. */
export function serveInPieces(baseUrl: string) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const response = await fetch(baseUrl + pathname + search, { headers: request.headers });
    if (!response.headers.get("Content-Type")?.startsWith("text/html")) return response;
    const lines = (await response.text()).split(/(?<=\n)/);
    const body = ReadableStream.from(slowly(lines)).pipeThrough(new TextEncoderStream());
    const headers = new Headers(response.headers);
    headers.delete("Content-Length");
    headers.delete("Content-Encoding");
    return new Response(body, { status: response.status, headers });
  });
  return {
    baseUrl: `http://localhost:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function* slowly(lines: string[]): AsyncGenerator<string> {
  for (const line of lines) {
    yield line;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
