import assert from "node:assert/strict";
import { type CollectorVariables, watchCollector } from "../../../server/observe/collector.ts";
import { createCaller } from "../../../server/http/caller.ts";
import { freePort } from "../../support/free_port.ts";
import { recordLog } from "../../support/log.ts";
import { listenTo } from "../../support/receiver.ts";

/** Watches a collector; `look` asks it again, as each minute does, and gives what the log says then. */
function watch(env: CollectorVariables) {
  const { log, lines } = recordLog();
  let work: (() => Promise<void>) | undefined;
  const repeat = (ms: number, repeated: () => Promise<void>) => {
    assert.equal(ms, 60_000);
    work = repeated;
    return { close: () => Promise.resolve() };
  };
  const isWatching = watchCollector(env, { log, repeat, post: createCaller(5_000).post });
  return {
    isWatching: isWatching !== undefined,
    async look() {
      await work?.();
      return lines.splice(0).map(({ level, event, error }) => ({ level, event, error }));
    },
  };
}

const refused = (error: string) => ({
  level: "warn",
  event: "the OpenTelemetry collector does not accept metrics",
  error,
});

Deno.test("watchCollector() logs one message when the collector refuses metrics, and one message when the collector accepts metrics again", async () => {
  let status = 200;
  await using collector = listenTo(() => new Response(null, { status }));
  const { look } = watch({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20token=,x-tenant=a",
  });
  assert.deepEqual(await look(), []);
  status = 404;
  // The look at the start may still be under way, and see the same.
  assert.deepEqual(await look(), [refused("HTTP 404")]);
  status = 503;
  assert.deepEqual(await look(), []);
  status = 202;
  const again = {
    level: "info",
    event: "the OpenTelemetry collector accepts metrics again",
    error: undefined,
  };
  assert.deepEqual(await look(), [again]);
  assert.deepEqual(await look(), []);

  const [{ method, path, headers, body } = assert.fail()] = collector.received;
  assert.deepEqual([method, path, body], ["POST", "/otlp/v1/metrics", ""]);
  assert.equal(headers["content-type"], "application/x-protobuf");
  assert.equal(headers["authorization"], "Bearer token=");
  assert.equal(headers["x-tenant"], "a");
});

Deno.test("watchCollector() posts JSON to OTEL_EXPORTER_OTLP_METRICS_ENDPOINT when the protocol is http/json", async () => {
  await using collector = listenTo(() => Response.json({}));
  const { look } = watch({
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/metrics`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  });
  assert.deepEqual(await look(), []);
  const [{ path, headers, body } = assert.fail()] = collector.received;
  assert.deepEqual([path, headers["content-type"], body], ["/metrics", "application/json", "{}"]);
});

Deno.test("watchCollector() uses the protocol http/protobuf when OTEL_EXPORTER_OTLP_PROTOCOL is empty", async () => {
  await using collector = listenTo(() => new Response(null));
  const { look } = watch({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "",
  });
  assert.deepEqual(await look(), []);
  assert.equal(collector.received[0]?.headers["content-type"], "application/x-protobuf");
});

Deno.test("watchCollector() logs a warning without the URL when the collector cannot be reached or the URL is malformed", async (t) => {
  const secret = `http://user:secret@127.0.0.1:${freePort()}`;
  for (const OTEL_EXPORTER_OTLP_ENDPOINT of [secret, "no address: secret"]) {
    await t.step(`the URL is ${OTEL_EXPORTER_OTLP_ENDPOINT}`, async () => {
      const [line, ...others] = await watch({ OTEL_EXPORTER_OTLP_ENDPOINT }).look();
      assert.equal(line?.event, "the OpenTelemetry collector does not accept metrics");
      assert.doesNotMatch(String(line.error), /secret/);
      assert.deepEqual(others, []);
    });
  }
});

Deno.test("watchCollector() sends no request when metrics are off, printed to the console, sent by gRPC or sent with a certificate", async (t) => {
  for (
    const env of [
      { OTEL_DENO_METRICS: "false" },
      { OTEL_SDK_DISABLED: "true" },
      { OTEL_EXPORTER_OTLP_PROTOCOL: "console" },
      { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      { OTEL_EXPORTER_OTLP_CERTIFICATE: "ca.pem" },
    ]
  ) {
    await t.step(`the variables are ${JSON.stringify(env)}`, () => {
      assert.equal(watch(env).isWatching, false);
    });
  }
});

Deno.test("watchCollector() sends no request when the protocol has the name of a member of Object.prototype", () => {
  assert.equal(watch({ OTEL_EXPORTER_OTLP_PROTOCOL: "constructor" }).isWatching, false);
});
