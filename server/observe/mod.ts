/** Writes the log about requests: 500 and above, slow ones, a summary each minute, and at `debug` all. @module */
import { trace } from "@opentelemetry/api";
import type { Log, LogFields } from "../runtime/mod.ts";
import { createMetrics } from "./metrics.ts";
export { watchCollector } from "./collector.ts";
export type { Metrics, OutboxView } from "./metrics.ts";

/** In milliseconds: what a slow request takes, and the time between two summaries while there are requests. */
const SLOW_MS = 1_000, SUMMARY_MS = 60_000;

interface ObservedRequest {
  requestId: string;
  routeInfo: { label: string; template?: string };
  method: string;
}

/** How long an answer took in milliseconds, and the error, if any, that no response reports. */
export interface Timing {
  ms: number;
  cause?: string;
}

export type Observer = ReturnType<typeof createObserver>;

export function createObserver(log: Log) {
  const summary = new Summary();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const metrics = createMetrics();
  const writeSummary = () => {
    clearTimeout(timer);
    timer = undefined;
    const fields = summary.take();
    if (fields) log.info("summary", fields);
  };
  function note(
    { requestId, routeInfo: { label: operation }, method }: ObservedRequest,
    status: number,
    { ms, cause: error }: Timing,
  ): void {
    timer ??= setTimeout(writeSummary, SUMMARY_MS);
    summary.countRequest(operation, status);
    // Most requests are not logged one by one.
    if (status < 500 && ms <= SLOW_MS && log.level !== "debug") return;
    const fields = {
      requestId,
      operation,
      method,
      status,
      ms: Math.round(ms),
      ...error && { error },
    };
    if (status >= 500) log.error("request failed", fields);
    else if (ms > SLOW_MS) log.info("slow request", fields);
    else log.debug("request", fields);
  }

  return {
    metrics,
    /** Reports the route of a request to the trace; `undefined` where nothing is traced. */
    routed: createRouteTrace(),
    /** Counts a request of an API for the log and the metrics. */
    answered(request: ObservedRequest, status: number, timing: Timing) {
      metrics?.countRequest(request.method, request.routeInfo.template, status);
      note(request, status, timing);
    },
    /** Counts a request for the log alone, because the metrics count pages by their routes. */
    pageAnswered: note,
    /** Returns the function that reports runs of a kind of work on KV: their items and milliseconds. */
    onBatch: (name: string) => (items: number, ms: number) => {
      summary.countBatch(name, items, ms);
      metrics?.measureBatch(name, items);
    },
    close: writeSummary,
  };
}

/** Of a kind of work on KV: the items that shared its runs, the most in one, and their milliseconds. */
const NO_RUNS = { runs: 0, items: 0, largest: 0, ms: 0, slowest: 0 };

class Summary {
  readonly #requests = new Map<string, Map<number, number>>();
  readonly #batches = new Map<string, typeof NO_RUNS>();

  countRequest(operation: string, status: number): void {
    const statuses = this.#requests.get(operation) ?? new Map<number, number>();
    if (statuses.size === 0) this.#requests.set(operation, statuses);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }

  countBatch(name: string, items: number, ms: number): void {
    const batch = this.#batches.get(name) ?? { ...NO_RUNS };
    if (batch.runs++ === 0) this.#batches.set(name, batch);
    batch.items += items;
    batch.ms += ms;
    batch.largest = Math.max(batch.largest, items);
    batch.slowest = Math.max(batch.slowest, ms);
  }

  /** The counts since the last call; `undefined` if there was no request. */
  take(): LogFields | undefined {
    if (this.#requests.size === 0) return undefined;
    const requests: Record<string, number> = {};
    for (const [operation, statuses] of this.#requests) {
      for (const [status, count] of statuses) requests[`${operation} ${status}`] = count;
    }
    const fields: LogFields = { requests };
    const round = (value: number) => Math.round(10 * value) / 10;
    for (const [name, { runs, items, largest, ms, slowest }] of this.#batches) {
      fields[name] = {
        runs,
        meanItems: round(items / runs),
        largest,
        meanMs: round(ms / runs),
        slowestMs: round(slowest),
      };
    }
    this.#requests.clear();
    this.#batches.clear();
    return fields;
  }
}

/** Sets `http.route` on the spans of Deno's own OpenTelemetry; `undefined` without traces (`OTEL_DENO=true`). */
function createRouteTrace() {
  // This span never ends, so that it is never exported.
  const probe = trace.getTracer("waitlist").startSpan("probe");
  if (!probe.isRecording()) return undefined;
  return (method: string, route: string) => {
    const span = trace.getActiveSpan();
    span?.setAttribute("http.route", route);
    span?.updateName(`${method} ${route}`);
  };
}
