/** Receives what a process exports through OpenTelemetry, over HTTP as JSON. @module */

/** One value of a metric. */
export interface Point {
  attributes: Record<string, string | number>;
  /** A counter's or gauge's value, or how many values a histogram has. */
  value: number;
}

/** The parts of an export that tests read (opentelemetry-proto, `metrics.proto`). */
interface ExportedMetrics {
  resourceMetrics?: { scopeMetrics: { metrics: ExportedMetric[] }[] }[];
}

interface ExportedMetric {
  name: string;
  unit: string;
  sum?: { dataPoints: ExportedPoint[] };
  gauge?: { dataPoints: ExportedPoint[] };
  histogram?: { dataPoints: ExportedPoint[] };
}

interface ExportedPoint {
  attributes: {
    key: string;
    value: { stringValue?: string; intValue?: string; doubleValue?: number };
  }[];
  asInt?: number;
  asDouble?: number;
  count?: string;
}

/** A receiver; disposing of it ends it. */
export type OtlpReceiver = ReturnType<typeof receiveOtlp>;

/** Starts a receiver on any free port. */
export function receiveOtlp() {
  const latest = new Map<string, { unit: string; points: Point[] }>();
  /** The paths and bodies of all exports. */
  const exports: { path: string; body: string }[] = [];
  let received = Promise.withResolvers<void>();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const body = await request.text();
    exports.push({ path: new URL(request.url).pathname, body });
    const { resourceMetrics = [] }: ExportedMetrics = JSON.parse(body);
    for (const { name, unit, ...metric } of resourceMetrics.flatMap(metricsOf)) {
      const { dataPoints = [] } = metric.sum ?? metric.gauge ?? metric.histogram ?? {};
      latest.set(name, { unit, points: dataPoints.map(toPoint) });
    }
    received.resolve();
    received = Promise.withResolvers();
    return Response.json({});
  });
  /** The latest values of a metric. */
  const points = (name: string) => latest.get(name)?.points ?? [];
  return {
    /**
     * The variables that make a process export its metrics here, once a second. A process should be stopped right after
     * an export: one that begins while the process ends keeps Deno 2.9 from ending.
     */
    variables: {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
    },
    points,
    /** The units of all metrics by their names. */
    units: (): Record<string, string> =>
      Object.fromEntries(Array.from(latest, ([name, { unit }]) => [name, unit])),
    exports,
    /** Waits for an export after which a metric has a value. */
    async until(name: string, holds: (points: Point[]) => boolean): Promise<void> {
      while (!holds(points(name))) await received.promise;
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function metricsOf(
  { scopeMetrics }: NonNullable<ExportedMetrics["resourceMetrics"]>[number],
): ExportedMetric[] {
  return scopeMetrics.flatMap(({ metrics }) => metrics);
}

function toPoint({ attributes, asInt, asDouble, count }: ExportedPoint): Point {
  return {
    attributes: Object.fromEntries(attributes.map(({ key, value }) => {
      return [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)];
    })),
    value: Number(count ?? asInt ?? asDouble),
  };
}
