/** The exit code and the message of each command when no healthy service answers. @module */
import assert from "node:assert/strict";
import { assertRefused, runCli } from "./support/cli.ts";
import { serveLocally } from "./support/proxy.ts";

const COMMANDS = [
  ["status"],
  ["token"],
  ["stats"],
  ["join", "ada@example.com", "--consent"],
  ["validate"],
  ["smoke"],
];

type Server = AsyncDisposable & { url: string };

const HTML = { "Content-Type": "text/html" };
const HALF = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{";

/** An error of a service, which may say when to try again. */
function failure(status: number, error: string, message: string, retryAfter?: string): Response {
  const headers = retryAfter ? { "Retry-After": retryAfter } : {};
  return Response.json({ error, message }, { status, headers });
}

/**
 * What may answer at a base URL, with the exit code and the line that it gets; what else the client knows is in
 * `tests/shared/api_client_test.ts`.
 */
const ANSWERS: [is: string, code: number, line: RegExp, answer: () => Response][] = [
  [
    "another service",
    1,
    /^waitlist: The answer does not come from a waitlist service \(404 from \S+\); check that --base-url is/,
    () => Response.json({ detail: "Not Found" }, { status: 404 }),
  ],
  [
    "a web page",
    1,
    /The answer is not JSON but text\/html \(200 from \S+\); check that --base-url is/,
    () => new Response("<h1>Hi", { headers: HTML }),
  ],
  [
    "JSON that does not follow the contract",
    1,
    /(is missing or not valid|lacks 'x-sandbox-client'|document at \S+ is not usable: ).*; check/,
    () => Response.json({ status: "great", openapi: 3 }),
  ],
  [
    "a failing service",
    1,
    /^waitlist: Something went wrong \(500 from \S+\); try again later/,
    () => failure(500, "internal_error", "Something went wrong."),
  ],
  [
    "a gateway without a service",
    1,
    /The answer is an error without a message \(502 from \S+\); try again later/,
    () => new Response("<h1>Bad Gateway", { status: 502 }),
  ],
  [
    "a gateway with a web page",
    1,
    /The answer is an HTML page \(502 from \S+\); try again later/,
    () => new Response("<h1>Bad Gateway", { status: 502, headers: HTML }),
  ],
  [
    "a limit with Retry-After",
    5,
    /^waitlist: Too many \(429 from \S+\); try again in 42 s\./,
    () => failure(429, "rate_limited", "Too many.", "42"),
  ],
  [
    "a limit whose message says when",
    5,
    /^waitlist: Too many; try again in 42 s \(429 from \S+\)\.\n$/,
    () => failure(429, "rate_limited", "Too many; try again in 42 s.", "42"),
  ],
  [
    "a limit without Retry-After",
    5,
    /The answer is an error without a message \(429 from \S+\); try again in a minute\./,
    () => new Response("Slow down", { status: 429 }),
  ],
];

/** Connections that end without an answer, with the line that they get; their exit code is 3. */
const CONNECTIONS: [is: string, line: RegExp, start: () => Server, ...flags: string[]][] = [
  [
    "a service that never answers",
    /No whole answer came from \S+ within 0\.1 s; run the command again, or give it more time with --timeout/,
    () => serveRaw(() => new Promise(() => {})),
    ...["--timeout", "0.1"],
  ],
  [
    "a connection that ends half way",
    /the connection was closed before the answer was complete; check that --base-url is right/,
    () => serveRaw((connection) => connection.write(new TextEncoder().encode(HALF))),
  ],
  [
    "a connection that ends at once",
    /Cannot get an answer from \S+: .+; check that --base-url is right, and that the service runs/,
    () => serveRaw(() => Promise.resolve()),
  ],
  [
    "a closed port",
    /the connection was refused; check that --base-url is right, and that the service runs/,
    () => {
      using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
      return nothingAt(`http://127.0.0.1:${listener.addr.port}`);
    },
  ],
  [
    "a name that nobody has",
    /DNS does not know the host name; check that --base-url is right, and that the service runs/,
    () => nothingAt("http://waitlist.invalid"),
  ],
];

const nothingAt = (url: string): Server => ({ url, [Symbol.asyncDispose]: async () => {} });

/** A server below HTTP: it reads the request, does as it is told and closes the connection. */
function serveRaw(answer: (connection: Deno.TcpConn) => Promise<unknown>): Server {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const open = new Set<Deno.TcpConn>();
  const served = (async () => {
    for await (const connection of listener) {
      open.add(connection);
      (async () => {
        await connection.read(new Uint8Array(65_536));
        await answer(connection);
        open.delete(connection);
        connection.close();
      })().catch(() => {});
    }
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) connection.close();
      await served;
    },
  };
}

const SERVICES = [
  ...ANSWERS.map(([is, code, line, answer]) => {
    return { is, code, line, start: () => serveLocally(answer), flags: [] };
  }),
  ...CONNECTIONS.map(([is, line, start, ...flags]) => ({ is, code: 3, line, start, flags })),
];

for (const { is, start, code, line, flags } of SERVICES) {
  Deno.test(`Each command that calls the public API exits with code ${code} and prints one line when the base URL leads to ${is}`, async () => {
    await using server = start();
    await Promise.all(COMMANDS.map(async ([command, ...args]) => {
      const target = ["--sandbox", "--base-url", server.url];
      const finished = await runCli([command!, ...args, ...target, ...flags]);
      // `smoke` waits for one window before it ends.
      const stderr = finished.stderr.replace(
        /^The request limit is used up; the checks continue in \d+ s\.\n/,
        "",
      );
      assert.match(stderr, line, command);
      assert.match(stderr, /^waitlist: [^\n]+\.\n$/, `${command}: one line`);
      assert.doesNotMatch(finished.stderr, /\bat .+:\d+:\d+|Error:/, "no stack trace");
      assert.equal(finished.code, code, command);
    }));
  });
}

Deno.test("'status' exits with code 2 and prints one line when the base URL is malformed", async () => {
  await assertRefused((args) => runCli(["status", "--base-url", ...args]), [
    [
      ["no url"],
      /--base-url is 'no url', which is not an http: or https: URL; give a URL such as http:/,
    ],
    [
      ["ftp://a.example"],
      /--base-url is 'ftp:\/\/a\.example', which is not an http: or https: URL/,
    ],
    [
      ["https://a.example/api/v1"],
      /which is more than scheme, host and port; give https:\/\/a\.example/,
    ],
    [["https://a.example/sandbox"], /give https:\/\/a\.example and add --sandbox/],
    [["https://id:s3cret-value@a.example"], /--base-url has a user name or a password/],
  ]);
  const env = { WAITLIST_BASE_URL: "localhost:8000" };
  await assertRefused((args) => runCli(args, { env }), [
    [
      ["status"],
      /^waitlist: WAITLIST_BASE_URL is 'localhost:8000', which is not an http: or https: URL/,
    ],
  ]);
});
