/** What each command does when it meets something else than a healthy service. */
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

/** What may be found at a base URL, with the exit code and the line that it gets. */
const SERVICES: {
  is: string;
  start: () => Server;
  code: number;
  line: RegExp;
  flags?: string[];
}[] = [
  {
    is: "another service",
    start: () => serveLocally(() => Response.json({ detail: "Not Found" }, { status: 404 })),
    code: 1,
    line: /^waitlist: The answer is not one of this API \(404 from \S+\); check that --base-url is/,
  },
  {
    is: "a web page",
    start: () =>
      serveLocally(() => new Response("<h1>Hi", { headers: { "Content-Type": "text/html" } })),
    code: 1,
    line: /The answer is text\/html where JSON belongs \(200 from \S+\); check that --base-url is/,
  },
  {
    is: "a redirect",
    start: () => serveLocally(() => Response.redirect("https://elsewhere.example/")),
    code: 1,
    line:
      /The answer is a redirect to https:\/\/elsewhere\.example\/ \(30\d from \S+\); check that --base-url is/,
  },
  {
    is: "invalid JSON",
    start: () =>
      serveLocally(() => new Response("{", { headers: { "Content-Type": "application/json" } })),
    code: 1,
    line: /The answer is JSON that is not valid \(200 from \S+\); check that --base-url is/,
  },
  {
    is: "JSON off the contract",
    start: () => serveLocally(() => Response.json({ status: "great", openapi: 3 })),
    code: 1,
    line: /(is missing or not valid|has no 'x-sandbox-client'|is not usable).*; check|not usable/,
  },
  {
    is: "a failing service",
    start: () =>
      serveLocally(() =>
        Response.json({ error: "internal_error", message: "Something went wrong." }, {
          status: 500,
        })
      ),
    code: 1,
    line: /^waitlist: Something went wrong \(500 from \S+\); try again later/,
  },
  {
    is: "a gateway without a service",
    start: () => serveLocally(() => new Response("<h1>Bad Gateway", { status: 502 })),
    code: 1,
    line: /An error came without a message \(502 from \S+\); try again later/,
  },
  {
    is: "a limit with Retry-After",
    start: () =>
      serveLocally(() =>
        Response.json({ error: "rate_limited", message: "Too many." }, {
          status: 429,
          headers: { "Retry-After": "42" },
        })
      ),
    code: 5,
    line: /^waitlist: Too many \(429 from \S+\); try again in 42 s\./,
  },
  {
    is: "a limit whose message says when",
    start: () =>
      serveLocally(() =>
        Response.json({ error: "rate_limited", message: "Too many; try again in 42 s." }, {
          status: 429,
          headers: { "Retry-After": "42" },
        })
      ),
    code: 5,
    line: /^waitlist: Too many; try again in 42 s \(429 from \S+\)\.\n$/,
  },
  {
    is: "a limit without Retry-After",
    start: () => serveLocally(() => new Response("Slow down", { status: 429 })),
    code: 5,
    line: /An error came without a message \(429 from \S+\); try again in a minute\./,
  },
  {
    is: "a service that never answers",
    start: () => serveRaw(() => new Promise(() => {})),
    code: 3,
    flags: ["--timeout", "0.1"],
    line: /No whole answer came from \S+ within 0\.1 s; try again, or raise --timeout/,
  },
  {
    is: "a connection that ends half way",
    start: () =>
      serveRaw(async (connection) => {
        const half =
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{";
        await connection.write(new TextEncoder().encode(half));
      }),
    code: 3,
    line: /the connection was closed before the answer was complete; check --base-url/,
  },
  {
    is: "a connection that ends at once",
    start: () => serveRaw(() => Promise.resolve()),
    code: 3,
    line: /Cannot get an answer from \S+: .+; check --base-url and that the service runs/,
  },
  {
    is: "a closed port",
    start: () => {
      const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
      listener.close();
      return {
        url: `http://127.0.0.1:${listener.addr.port}`,
        [Symbol.asyncDispose]: async () => {},
      };
    },
    code: 3,
    line: /connection refused; check --base-url and that the service runs/,
  },
  {
    is: "a name that nobody has",
    start: () => ({ url: "http://waitlist.invalid", [Symbol.asyncDispose]: async () => {} }),
    code: 3,
    line: /its name is not known; check --base-url and that the service runs/,
  },
];

/** A server below HTTP: it reads the request, does as it is told and closes the connection. */
function serveRaw(answer: (connection: Deno.TcpConn) => Promise<void>): Server {
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

for (const { is, start, code, line, flags = [] } of SERVICES) {
  Deno.test(`every command ends with ${code} and one line when the base URL is ${is}`, async () => {
    await using server = start();
    await Promise.all(COMMANDS.map(async ([command, ...args]) => {
      const target = ["--sandbox", "--base-url", server.url];
      const finished = await runCli([command!, ...args, ...target, ...flags]);
      // `smoke` waits for one window before it ends.
      const stderr = finished.stderr.replace(/^The limit is used up; going on in \d+ s.+\n/, "");
      assert.match(stderr, line, command);
      assert.match(stderr, /^waitlist: [^\n]+\.\n$/, `${command}: one line`);
      assert.doesNotMatch(finished.stderr, /\bat .+:\d+:\d+|Error:/, "no stack trace");
      assert.equal(finished.code, code, command);
    }));
  });
}

Deno.test("every command ends with 2 and one line when the base URL is none", async () => {
  await assertRefused((args) => runCli(["status", "--base-url", ...args]), [
    [
      ["no url"],
      /--base-url is 'no url', which is not an http: or https: URL; give one such as http:/,
    ],
    [
      ["ftp://a.example"],
      /--base-url is 'ftp:\/\/a\.example', which is not an http: or https: URL/,
    ],
    [
      ["https://a.example/api/v1"],
      /which is more than an origin; give https:\/\/a\.example/,
    ],
    [["https://a.example/sandbox"], /give https:\/\/a\.example and add --sandbox/],
    [["https://id:s3cret-value@a.example"], /--base-url has a user part/],
  ]);
  const env = { WAITLIST_BASE_URL: "localhost:8000" };
  await assertRefused((args) => runCli(args, { env }), [
    [
      ["status"],
      /^waitlist: WAITLIST_BASE_URL is 'localhost:8000', which is not an http: or https: URL/,
    ],
  ]);
});
