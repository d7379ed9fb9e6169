import assert from "node:assert/strict";
import { OPERATOR_KEY } from "../support/operator.ts";
import { storedSignUps } from "../support/records.ts";
import { type ListeningService, startListeningService } from "../support/socket.ts";
import { json, START, test, type TestRequestInit, type TestService } from "../support/service.ts";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { Hono } from "@hono/hono";
import { type AppOptions, createApp, type HandleRequest } from "../../server/app.ts";
import { createSandbox, type Environment } from "../../server/api/environment.ts";
import { KeyRing } from "../../server/oauth/key_ring.ts";
import { createObserver } from "../../server/observe/mod.ts";
import { assertError } from "../support/answers.ts";
import { recordLog } from "../support/log.ts";
import type { Log } from "../../server/runtime/mod.ts";

// Over a socket, as `Request` would tidy the paths up.
Deno.test("createApp() answers 404 when a request's path leads to a file that is neither a page nor an asset", async (t) => {
  await using service = await startListeningService();
  for (
    const path of [
      ...["/../../../../etc/passwd", "/assets/../../deno.json", "/assets/..%2f..%2fdeno.json"],
      ...["/assets/%2e%2e/%2e%2e/deno.json", "/assets/..\\..\\deno.json"],
      ...["/assets/%252e%252e%252fdeno.json", "/assets/%c0%ae%c0%ae/deno.json"],
      ...["/assets/site.css%00.html", "//etc/passwd", "/file:///etc/passwd", "/README.png"],
      ...["/content/en/index.md", "/en/index.md", "/content/README.md", "/README.md", "/README/"],
      ...["/assets/README.png", "/person.png", "/.git/config", "/data/waitlist.sqlite3"],
    ]
  ) {
    await t.step(path, async () => {
      const response = await service.exchange(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      assert.equal(response.status, 404);
      assert.doesNotMatch(await response.text(), /root:|"tasks"|repositoryformatversion/);
    });
  }
});

Deno.test("createApp() writes no line break from a request's path into a header of its answer", async (t) => {
  await using service = await startListeningService();
  const injected = "%0d%0aX-Injected:%20yes%0d%0a%0d%0a%3Cscript%3E";
  for (
    const [path, status] of [
      [`/privacy?${injected}`, 308],
      [`/privacy?\rX-Injected: yes`, 400],
      [`/${injected}`, 404],
      [`/api/${injected}`, 404],
    ] as const
  ) {
    await t.step(JSON.stringify(path), async () => {
      const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
      const response = await service.exchange(request);
      assert.equal(response.status, status);
      assert.equal(response.headers.get("x-injected"), null);
      if (status === 308) assert.equal(response.headers.get("location"), `/privacy/?${injected}`);
    });
  }
});

/** A request as it is sent; over a socket, as `Request` would tidy its URL up. */
function send(
  service: ListeningService,
  [method, path, host]: readonly [method: string, path: string, host: string],
): Promise<Response> {
  const body = method === "POST" ? '{"email":"ada@example.com","consent":true}' : "";
  return service.exchange(
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${OPERATOR_KEY}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}

// Deno builds the URL out of the Host and the path, so that a slash, a question mark or
// a number sign in the Host moves the path.
Deno.test("createApp() answers 400 to requests for any path when the Host header contains more than a host and a port", async (t) => {
  await using service = await startListeningService({ OPERATOR_KEY });
  for (
    const request of [
      ["POST", "/api/v1/waitlist", "x/sandbox"],
      ["POST", "/v1/waitlist", "x/api"],
      ["GET", "/v1/status", "x/api"],
      ["HEAD", "/v1/status", "x/api"],
      ["GET", "/api/v1/status", "x?"],
      ["GET", "/api/v1/status", "x#"],
      ["GET", "/api/v1/status", "x\\"],
      ["GET", "/api/v1/status", "user@x"],
      ["GET", "/api/v1/status", "x:80:80"],
      ["GET", "/api/v1/status", "x:port"],
      ["GET", "/api/v1/status", "[::1"],
      ["GET", "/api/v1/status", "\xff"],
      ["GET", "/", "x/operator/v1/clients?"],
      ["GET", "/v1/clients", "x/operator"],
      ["GET", "/operator/v1/clients", "user@x"],
      ["GET", "/", "x/"],
      ["GET", "/privacy", "x/de"],
      ["GET", "/openapi.json", "x/sandbox"],
      ["GET", "/nothing", "x?"],
      ["OPTIONS", "*", "x/"],
    ] as const
  ) {
    await t.step(request.join(" "), async () => {
      const response = await send(service, request);

      assert.equal(response.status, 400);
      assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
      assert.equal(response.headers.get("x-content-type-options"), "nosniff");
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.equal(response.headers.get("x-api-version"), null);
      assert.equal(response.headers.get("ratelimit-limit"), null);
      const text = request[0] === "HEAD" ? "" : "The Host header is more than a host and a port.\n";
      assert.equal(await response.text(), text);
    });
  }
  // Deno itself refuses a second Host.
  const twice = await send(service, ["GET", "/api/v1/status", "x\r\nHost: y"]);
  assert.equal(twice.status, 400);
  assert.deepEqual(await storedSignUps(service.kv), {});
  const status = await send(service, ["GET", "/api/v1/status", "x"]);
  assert.equal(status.headers.get("ratelimit-remaining"), "119", "what is refused is not counted");
});

Deno.test("createApp() answers requests whose Host header is empty, is absent, or has a host with or without a port", async (t) => {
  await using service = await startListeningService({ OPERATOR_KEY });
  for (
    const host of [
      ...["x", "x:8000", "x:", "127.0.0.1:80", "[::1]", "[::1]:8000", "waitlist_1.example.com"],
      ...["xn--exmple-cua.com", "EXAMPLE.com.", "x:99999", ""],
    ]
  ) {
    for (const path of ["/api/v1/status", "/operator/v1/clients", "/robots.txt"]) {
      await t.step(`${host} ${path}`, async () => {
        const response = await send(service, ["GET", path, host]);
        assert.equal(response.status, 200);
      });
    }
  }
  const response = await service.exchange("GET /api/v1/status HTTP/1.0\r\n\r\n");
  assert.equal(response.status, 200);
});

// RFC 9112 §3.2: no target has a fragment; a proxy that reads on behind a number sign sees another path.
// Deno 2.5 cuts the target there itself, and no application sees the rest.
Deno.test("createApp() answers 404 when the request target contains '#'", {
  ignore: Deno.version.deno.startsWith("2.5."),
}, async (t) => {
  await using service = await startListeningService({ OPERATOR_KEY });
  for (const path of ["/operator/v1/clients#/../../../x", "/api/v1/status#", "/#/privacy/"]) {
    await t.step(path, async () => {
      assert.equal((await send(service, ["GET", path, "x"])).status, 404);
    });
  }
});

const MINUTE_END = Date.parse("2026-11-21T12:01:00.000Z");

/** Requests that are let through in a minute, for each source address. */
const PAGES_LIMIT = 1_200;

/** What is neither of the APIs: pages, documents, and paths that nothing is at. */
const PATHS = [
  ...["/", "/de/", "/privacy", "/developers/", "/assets/site.css", "/assets/none", "/nothing"],
  ...["/openapi.json", "/sandbox/openapi.json", "/openapi.json.md", "/robots.txt", "/sitemap.xml"],
  ...["/llms.txt", "/.well-known/security.txt", "/.well-known/api-catalog", "/operator/v1/clients"],
  ...["/.well-known/oauth-authorization-server", "/apis", "/API/v1"],
  ...["/place/", "/place/?t=x", "/de/platz/", "/place/leave?t=x", "/place/confirm", "/place/data"],
];

async function statusOf(
  service: TestService,
  path: string,
  init?: TestRequestInit,
): Promise<number> {
  const response = await service.request(path, init);
  await response.body?.cancel();
  return response.status;
}

async function usePagesUp(service: TestService): Promise<void> {
  for (let call = 0; call < PAGES_LIMIT; call++) {
    assert.notEqual(await statusOf(service, PATHS[call % PATHS.length] ?? "/"), 429, `${call}`);
  }
}

test(
  "createApp() allows 1,200 requests a minute to pages and documents, and refuses the next request with 429",
  async (service, t) => {
    await usePagesUp(service);
    service.clock.now = MINUTE_END - 2_500;
    for (const path of PATHS) {
      await t.step(path, async () => {
        const refused = await service.request(path);
        assert.equal(refused.status, 429);
        assert.equal(refused.headers.get("content-type"), "text/plain; charset=utf-8");
        assert.equal(refused.headers.get("retry-after"), "3");
        assert.equal(refused.headers.get("cache-control"), "no-store");
        assert.match(await refused.text(), /^Too many requests from this address; .+ 3 s\.\n$/);
      });
    }
    const head = await service.request("/", { method: "HEAD" });
    assert.equal(head.status, 429);
    assert.equal(await head.text(), "");
    assert.equal(await statusOf(service, "/", { method: "POST" }), 429);
    assert.equal(await statusOf(service, "/", { from: "192.0.2.2" }), 200, "another address");
    // The APIs are counted apart.
    for (const [path, limit] of [["/api/v1/status", 120], ["/api/v1", 30]] as const) {
      await t.step(path, async () => {
        const { status, headers } = await service.request(path);
        assert.equal(status, 200);
        assert.equal(headers.get("ratelimit-remaining"), String(limit - 1));
      });
    }

    service.clock.now = MINUTE_END;
    assert.equal(await statusOf(service, "/"), 200);
  },
);

test("createApp() sends pages and documents without RateLimit headers", async (service, t) => {
  for (const path of PATHS) {
    await t.step(path, async () => {
      const { headers, body } = await service.request(path);
      await body?.cancel();
      const names = [...headers.keys()].filter((name) => name.startsWith("ratelimit-"));
      assert.deepEqual(names, []);
    });
  }
});

/** Makes an app of the sandbox alone. */
function createSmallApp(
  given:
    & Pick<AppOptions, "observer">
    & { log: Log }
    & Partial<Pick<AppOptions, "prioritize" | "operator">>
    & { routes?: Hono; join?: Environment["join"] },
): HandleRequest {
  const { routes = new Hono(), join, log, ...others } = given;
  const runtime = {
    now: () => START,
    monotonic: () => START,
    random: (length: number) => new Uint8Array(length),
    log,
  };
  const made = createSandbox({
    sandboxClient: "sandbox-public-client",
    baseUrl: "https://waitlist.test",
    serviceName: "waitlist",
    credentials: {
      keyRing: new KeyRing([{ keyId: "1", secret: "A".repeat(43), signsFrom: 0 }], {
        now: () => START,
      }),
      reload: () => Promise.resolve(),
    },
    runtime,
  });
  const sandbox = { ...made, ...join && { join } };
  return createApp({
    production: sandbox,
    sandbox,
    embedOrigins: [],
    selfServiceRoutes: new Hono(),
    site: {
      pages: [],
      siteName: "Example Company",
      routes,
      notFound: () => new Response(null, { status: 404 }),
      showRefusedForm: () => () => ({ kind: "page", html: "" }),
    },
    countRequest: (limit) => ({ allowed: true, limit, remaining: 0, reset: 60 }),
    trustedProxyHops: 0,
    sandboxClient: "sandbox-public-client",
    contact: "mailto:hello@waitlist.test",
    listMissing: () => [],
    runtime,
    prioritize: (answer) => answer,
    ...others,
  });
}

const REMOTE = { remoteAddr: { transport: "tcp", hostname: "192.0.2.1", port: 50_000 } } as const;

Deno.test("createApp() answers 500 when a page fails, and logs the route without the values in the URL", async () => {
  const { log, lines } = recordLog();
  const routes = new Hono().get("/broken/:token/", () => {
    throw new Error("a detail of the inside");
  });
  const answer = createSmallApp({ log, observer: createObserver(log), routes });
  const request = new Request("https://waitlist.test/broken/ada/?email=ada@example.com");
  const response = await answer(request, REMOTE);
  assert.equal(response.status, 500);
  assert.equal(await response.text(), "Something went wrong on our side; try again later.");
  assert.equal(lines.length, 1);
  const line = JSON.stringify(lines[0]);
  assert.match(
    line,
    /"level":"error".*"method":"GET","route":"\/broken\/:token\/".*a detail of the inside/,
  );
  assert.doesNotMatch(line, /ada|192\.0\.2\.1/);
});

/** A sign-up in the sandbox. */
function signUp(): Request {
  const body = json({ email: "ada@example.com", consent: true });
  return new Request("https://waitlist.test/sandbox/api/v1/waitlist", body);
}

Deno.test("createApp() answers 500 with Retry-After to a sign-up when too many other sign-ups wait for KV", async () => {
  const { log, lines } = recordLog();
  const observer = createObserver(log);
  const answer = createSmallApp({ log, observer, join: () => "overloaded" });
  const refused = await answer(signUp(), REMOTE);
  assert.equal(refused.headers.get("retry-after"), "1");
  await assertError(refused, 500, "internal_error");
  assert.deepEqual(lines.map(({ level, error }) => [level, error]), [
    ["error", "too many sign-ups wait for KV"],
  ]);
  observer.close();
  await endOfTurn();
});

Deno.test("createApp() gives calls of the public API priority over background work, but gives calls of the operator surface no priority", async () => {
  const { log } = recordLog();
  const observer = createObserver(log);
  let first = 0;
  const answer = createSmallApp({
    log,
    observer,
    operator: {
      owns: (path) => path.startsWith("/operator/v1"),
      answer: () => Promise.resolve(new Response()),
    },
    prioritize(answer) {
      first++;
      return answer;
    },
  });
  const joined = await answer(signUp(), REMOTE);
  assert.deepEqual([joined.status, first], [200, 1]);
  await answer(new Request("https://waitlist.test/operator/v1/overview"), REMOTE);
  assert.equal(first, 1);
  observer.close();
  // The reading of the body may have left a callback for the end of the event loop's turn.
  await endOfTurn();
});
