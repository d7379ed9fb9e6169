/**
 * A KV Connect server whose answers tests make up.
 *
 * @module
 */

/** The token that the tests' clients send. */
export const ACCESS_TOKEN = "the-access-token";

/** Short where a test waits for a bound, long where it must not come to bear. */
export const BOUNDS = { readyMs: 30_000, callMs: 30_000 };

const METADATA = {
  version: 3,
  databaseId: "00000000-0000-0000-0000-000000000000",
  endpoints: [{ url: "/v2", consistency: "strong" }],
  token: ACCESS_TOKEN,
  expiresAt: "2100-01-01T00:00:00.000Z",
};

/** A KV Connect server whose answers a test makes up, in the order of the requests. */
export function serveAnswers(answers: ((request: Request) => Response | Promise<Response>)[]) {
  const paths: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    paths.push(new URL(request.url).pathname);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer?.(request) ?? new Response(null, { status: 404 });
  });
  return {
    paths,
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Answers as a server that is ready. */
export const ready = () => Response.json(METADATA);
