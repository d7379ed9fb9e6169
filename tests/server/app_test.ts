import assert from "node:assert/strict";
import { Hono } from "@hono/hono";
import { createApp } from "../../server/app.ts";
import { createSandbox } from "../../server/environment.ts";
import { KeyRing } from "../../server/oauth/key_ring.ts";
import { createLog } from "../../server/log.ts";
import { createObserver } from "../../server/observe/mod.ts";
import { START } from "../support/service.ts";

// Decisions, "Logs": answers of 500 and above, and never what a request says of its sender.
Deno.test("createApp() answers 500 without detail and logs no address when a page fails", async () => {
  const sandbox = createSandbox("sandbox-public-client", {
    baseUrl: "https://waitlist.test",
    serviceName: "waitlist",
    credentials: {
      keyRing: new KeyRing([{ keyId: "1", secret: new Uint8Array(32), signsFrom: 0 }], () => START),
      findClient: () => undefined,
      lookAgain: () => Promise.resolve(),
    },
    now: () => START,
    monotonic: () => START,
    random: (length) => new Uint8Array(length),
    onBatch: () => () => {},
  });
  const lines: string[] = [];
  const log = createLog({ level: "info", now: () => START, write: (line) => lines.push(line) });
  const routes = new Hono().get("/broken/", () => {
    throw new Error("a detail of the inside");
  });
  const answer = createApp({
    production: sandbox,
    sandbox,
    site: { pages: [], routes, notFound: () => new Response(null, { status: 404 }) },
    countRequest: (limit) => ({ allowed: true, limit, remaining: 0, reset: 60 }),
    trustedProxyHops: 0,
    sandboxClient: "sandbox-public-client",
    contact: "mailto:hello@waitlist.test",
    siteName: "Example Company",
    log,
    observer: createObserver(log),
    monotonic: () => START,
    nextRequestId: () => "abc123",
  });
  const request = new Request("https://waitlist.test/broken/?email=ada@example.com");
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 50_000 } as const;
  const response = await answer(request, { remoteAddr });
  assert.equal(response.status, 500);
  assert.equal(
    await response.text(),
    "Something went wrong on our side; try again later.",
  );
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? "", /"level":"error".*a detail of the inside/);
  assert.doesNotMatch(lines[0] ?? "", /ada|192\.0\.2\.1/);
});
