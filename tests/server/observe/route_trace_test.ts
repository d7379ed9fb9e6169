import assert from "node:assert/strict";
import { startService } from "../../support/process.ts";

// Deno 2.5 has the same spans, and no exporter that prints them.
const ignore = Deno.version.deno.startsWith("2.5.");
const name = "createRouteTrace() gives Deno's spans their route when traces are on";

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
