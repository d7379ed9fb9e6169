/** A KV Connect server whose answers tests make up. @module */

/** The token that the tests' clients send; the client reads it from the environment. */
export const KV_ACCESS_TOKEN = "token-of-the-tests";
Deno.env.set("DENO_KV_ACCESS_TOKEN", KV_ACCESS_TOKEN);

const METADATA = {
  version: 3,
  databaseId: "00000000-0000-0000-0000-000000000000",
  endpoints: [{ url: "/v2", consistency: "strong" }],
  token: KV_ACCESS_TOKEN,
  expiresAt: "2100-01-01T00:00:00.000Z",
};

/** A read of one range, which is empty and strongly consistent, in the format of Protocol Buffers. */
const NO_ENTRIES = new Uint8Array([0x0a, 0x00, 0x20, 0x01, 0x40, 0x01]);

/** Answers as a server whose store is empty. */
export function answerEmpty(request: Request): Response {
  return new URL(request.url).pathname === "/"
    ? Response.json(METADATA)
    : new Response(NO_ENTRIES, { headers: { "Content-Type": "application/x-protobuf" } });
}

/** Serves made-up answers, and notes the paths and tokens of the requests. */
export function serveAnswers(answer: (request: Request) => Response, port = 0) {
  const paths: string[] = [];
  const tokens = new Set<string | null>();
  const server = Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, (request) => {
    paths.push(new URL(request.url).pathname);
    tokens.add(request.headers.get("authorization"));
    return answer(request);
  });
  return {
    paths,
    tokens,
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
