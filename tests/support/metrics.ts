import {
  type Attributes,
  createNoopMeter,
  type Meter,
  metrics,
  type ObservableCallback,
} from "@opentelemetry/api";

/** A value that a counter or histogram was given, or that a gauge has. */
type Recorded = [value: number, attributes: Attributes];

/** Records the metrics of the services that are started from now on, until it is disposed of. */
export function recordMetrics() {
  const records = new Map<string, Recorded[]>();
  const callbacks = new Map<string, ObservableCallback>();
  /** What a counter or histogram was given, in order. */
  const recorded = (name: string) => records.get(name) ?? [];
  const record = (name: string) => (value: number, attributes: Attributes = {}) => {
    records.set(name, [...recorded(name), [value, attributes]]);
  };
  const meter: Meter = Object.assign(Object.create(createNoopMeter()), {
    createCounter: (name: string) => ({ add: record(name) }),
    createHistogram: (name: string) => ({ record: record(name) }),
    createObservableGauge: (name: string) => ({
      addCallback: (callback: ObservableCallback) => callbacks.set(name, callback),
    }),
  });
  metrics.setGlobalMeterProvider({ getMeter: () => meter });
  return {
    recorded,
    /** What a gauge observes now. */
    observed(name: string) {
      const values: Recorded[] = [];
      callbacks.get(name)?.({
        observe: (value: number, attributes: Attributes = {}) => values.push([value, attributes]),
      });
      return values;
    },
    [Symbol.dispose]: () => metrics.disable(),
  };
}

/** Receives what a process exports through OpenTelemetry, over HTTP as JSON. @module */

/** One value of a metric. */
interface Point {
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
