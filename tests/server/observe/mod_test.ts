import assert from "node:assert/strict";
import { createLog, type LogLevel } from "../../../server/runtime/mod.ts";
import { createObserver } from "../../../server/observe/mod.ts";
import { START } from "../../support/service.ts";
import { startService } from "../../support/process.ts";

const REQUEST = {
  requestId: "abc123",
  routeInfo: { label: "production.getStatus" },
  method: "GET",
};

/** An observer whose log lines are kept; disposing of it ends its minute. */
function observe(level: LogLevel) {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  const observer = createObserver(createLog({ level, now: () => START, write }));
  return { observer, lines, [Symbol.dispose]: observer.close };
}

const line = (level: string, event: string, fields: Record<string, unknown>) => ({
  time: new Date(START).toISOString(),
  level,
  event,
  ...fields,
});

Deno.test("Observer.noteAnswer() logs a request at level info when the status is 500 or the answer took over a second", () => {
  using seen = observe("info");
  seen.observer.noteAnswer(REQUEST, 200, { ms: 1_000 });
  seen.observer.noteAnswer(REQUEST, 499, { ms: 0 });
  assert.deepEqual(seen.lines, []);
  const fields = { requestId: "abc123", operation: "production.getStatus", method: "GET" };
  seen.observer.noteAnswer(REQUEST, 200, { ms: 1_001 });
  seen.observer.noteAnswer(REQUEST, 500, { ms: 2, cause: "Error: no" });
  assert.deepEqual(seen.lines, [
    line("info", "slow request", { ...fields, status: 200, ms: 1_001 }),
    line("error", "request failed", { ...fields, status: 500, ms: 2, error: "Error: no" }),
  ]);
});

Deno.test("Observer.noteAnswer() logs each request when the level is debug", () => {
  using seen = observe("debug");
  seen.observer.noteAnswer(REQUEST, 200, { ms: 0 });
  assert.deepEqual(seen.lines.map(({ level, event, status }) => [level, event, status]), [
    ["debug", "request", 200],
  ]);
});

Deno.test("Observer.close() logs a summary of the requests and batches since the last summary", () => {
  const { observer, lines } = observe("info");
  observer.noteAnswer(REQUEST, 200, { ms: 0 });
  observer.noteAnswer(REQUEST, 200, { ms: 0 });
  observer.noteAnswer(REQUEST, 429, { ms: 0 });
  observer.onBatch("sign_ups")(90, 2);
  observer.onBatch("sign_ups")(10, 1);
  observer.close();
  assert.deepEqual(lines, [
    line("info", "summary", {
      requests: { "production.getStatus 200": 2, "production.getStatus 429": 1 },
      sign_ups: { runs: 2, meanItems: 50, largest: 90, meanMs: 1.5, slowestMs: 2 },
    }),
  ]);
  observer.close();
  assert.equal(lines.length, 1, "nothing happened since");
});

// Deno 2.5 has the same spans, and no exporter that prints them.
const ignore = Deno.version.deno.startsWith("2.5.");
const name = "createRouteTrace() adds the route to Deno's spans when traces are on";

Deno.test({ name, ignore }, async () => {
  await using service = await startService({
    OTEL_DENO: "true",
    OTEL_DENO_TRACING: "true",
    OTEL_EXPORTER_OTLP_PROTOCOL: "console",
  });
  const paths = ["/sandbox/api/v1/status", "/developers/", "/.well-known/api-catalog", "/nowhere"];
  for (const path of paths) await (await service.request(`${path}?visitor=1`)).body?.cancel();
  service.signal("SIGTERM");
  const { stdout, stderr } = await service.end();
  const output = stdout + stderr;
  const routes = [...output.matchAll(/^ +http\.route: (\S+)$/gm)].map(([, route]) => route);
  assert.deepEqual(routes.toSorted(), [
    "/.well-known/api-catalog",
    "/developers/",
    "/sandbox/api/v1/status",
  ]);
  assert.match(output, /SPAN.* GET \/developers\/ /);
});
