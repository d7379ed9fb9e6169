import assert from "node:assert/strict";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { Hono } from "@hono/hono";
import { type AppOptions, createApp, type HandleRequest } from "../../server/app.ts";
import { createSandbox, type Environment } from "../../server/api/environment.ts";
import { KeyRing } from "../../server/oauth/key_ring.ts";
import { createObserver } from "../../server/observe/mod.ts";
import { assertError } from "../support/answers.ts";
import { recordLog } from "../support/log.ts";
import type { Log } from "../../server/runtime/mod.ts";
import { json, START } from "../support/service.ts";

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
      showRefusedForm: () => () => ({ html: "" }),
    },
    countRequest: (limit) => ({ allowed: true, limit, remaining: 0, reset: 60 }),
    trustedProxyHops: 0,
    sandboxClient: "sandbox-public-client",
    contact: "mailto:hello@waitlist.test",
    missing: () => [],
    runtime,
    prioritize: (answer) => answer,
    ...others,
  });
}

const REMOTE = { remoteAddr: { transport: "tcp", hostname: "192.0.2.1", port: 50_000 } } as const;

Deno.test("createApp() answers 500 without detail and logs no address when a page fails", async () => {
  const { log, lines } = recordLog();
  const routes = new Hono().get("/broken/", () => {
    throw new Error("a detail of the inside");
  });
  const answer = createSmallApp({ log, observer: createObserver(log), routes });
  const request = new Request("https://waitlist.test/broken/?email=ada@example.com");
  const response = await answer(request, REMOTE);
  assert.equal(response.status, 500);
  assert.equal(await response.text(), "Something went wrong on our side; try again later.");
  assert.equal(lines.length, 1);
  const line = JSON.stringify(lines[0]);
  assert.match(line, /"level":"error".*a detail of the inside/);
  assert.doesNotMatch(line, /ada|192\.0\.2\.1/);
});

/** A sign-up in the sandbox. */
function signUp(): Request {
  const body = json({ email: "ada@example.com", consent: true });
  return new Request("https://waitlist.test/sandbox/api/v1/waitlist", body);
}

Deno.test("createApp() answers 500 with Retry-After when too many sign-ups wait for KV", async () => {
  const { log, lines } = recordLog();
  const observer = createObserver(log);
  const answer = createSmallApp({ log, observer, join: () => "overloaded" });
  const refused = await answer(signUp(), REMOTE);
  assert.equal(refused.headers.get("retry-after"), "1");
  await assertError(refused, 500, "internal_error");
  assert.deepEqual(lines.map(({ level, error }) => [level, error]), [
    ["error", "too many wait for KV"],
  ]);
  observer.close();
  await endOfTurn();
});

Deno.test("createApp() prioritizes the answers of the public API, and not the operator's", async () => {
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
