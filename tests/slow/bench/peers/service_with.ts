/**
 * Production's API with one part done the plain way, named by the first argument; the second is a KV
 * file:
 *
 * - `one-commit-per-request`: every sign-up commits on its own;
 * - `kv-limiter`: every request is counted by a KV operation;
 * - `hono-rate-limiter`: that middleware counts in memory. @module
 */
import { Hono } from "@hono/hono";
import { rateLimiter } from "hono-rate-limiter";
import { createApi } from "../../../../server/api/mod.ts";
import { createProduction, type Environment } from "../../../../server/api/environment.ts";
import type { ConnectionInfo } from "../../../../server/http/client_address.ts";
import type { CountRequest } from "../../../../server/limits/limiter.ts";
import { createObserver } from "../../../../server/observe/mod.ts";
import { createLog, repeatByTimer } from "../../../../server/runtime/mod.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { openKv } from "../../../../server/store/kv/open.ts";
import { startCredentials } from "../../../../server/store/credentials/mod.ts";
import { NO_OUTBOX } from "../../../../server/store/outbox/changes.ts";
import { storeSignUps } from "../../../../server/store/people/sign_ups.ts";
import { recordId } from "../../../support/records.ts";

const [variant = "", path = ""] = Deno.args;
const { kv } = await openKv({ kind: "file", path });
const now = Date.now;
const monotonic = () => performance.now();
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const allowAll: CountRequest = (limit) => ({ allowed: true, limit, remaining: 1, reset: 1 });
const log = createLog({ level: "info", now, write: console.error });
const runtime = { now, monotonic, random, repeat: repeatByTimer, log };
const observer = createObserver(log);
const production = createProduction({
  kv,
  baseUrl: "http://localhost",
  serviceName: "waitlist",
  credentials: {
    ...await startCredentials({ kv, runtime }),
    noteUse: () => {},
  },
  runtime,
  outbox: NO_OUTBOX,
  referrals: false,
  onBatch: observer.onBatch,
  passedOnAddress: undefined,
});

const app = new Hono<{ Bindings: ConnectionInfo }>();
let environment: Environment = production;
switch (variant) {
  case "one-commit-per-request":
    environment = {
      ...production,
      join: async (signUp) => {
        await storeSignUps(kv, [{ signUp, at: new Date(now()).toISOString(), id: recordId() }]);
      },
    };
    break;
  case "kv-limiter":
    app.use(async (context, next) => {
      const window = Math.floor(now() / 60_000);
      const source = context.req.header("x-forwarded-for") ?? "";
      await kv.commit(new Commit().add(["requests", window, source], 1));
      await next();
    });
    break;
  case "hono-rate-limiter":
    app.use(rateLimiter({
      windowMs: 60_000,
      limit: 120,
      standardHeaders: "draft-6",
      keyGenerator: (context) => context.req.header("x-forwarded-for") ?? "",
    }));
    break;
  default:
    throw new Error(`There is no variant '${variant}'`);
}
const api = createApi({
  environment,
  runtime,
  countRequest: allowAll,
  trustedProxyHops: 1,
  observer,
  embedOrigins: [],
  showRefusedForm: () => () => ({ kind: "page", html: "" }),
});
app.all("*", (context) => api.answer(context.req.path, context.req.raw, context.env));
const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, app.fetch);
console.log(`listening ${server.addr.port}`);
Deno.addSignalListener("SIGTERM", () => Deno.exit());
