/**
 * Writes the log about requests (decisions, "Logs"): 500 and above, slower than a second, a summary each minute,
 * and at `debug` each one. Deno makes the traces and exports the metrics (`metrics.ts`). @module
 */
import { trace } from "@opentelemetry/api";
import type { Log, LogFields } from "../runtime/mod.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
export type { Metrics, OutboxView } from "./metrics.ts";

const SLOW_MS = 1_000;

/** The time between two summaries while there are requests, in milliseconds. */
const SUMMARY_MS = 60_000;

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

export interface Observer {
  metrics: Metrics | undefined;
  /** Reports the route of a request to the trace; absent where nothing is traced. */
  routed: ((method: string, route: string) => void) | undefined;
  answered: (request: ObservedRequest, status: number, timing: Timing) => void;
  /** Returns the function that reports runs of a kind of work on KV: their items and milliseconds. */
  onBatch: (name: string) => (items: number, ms: number) => void;
  /** Writes the last summary and ends the timer. */
  close: () => void;
}

export function createObserver(log: Log): Observer {
  const summary = new Summary();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const metrics = createMetrics();
  const writeSummary = () => {
    clearTimeout(timer);
    timer = undefined;
    const fields = summary.take();
    if (fields) log.info("summary", fields);
  };
  return {
    metrics,
    routed: createRouteTrace(),
    answered(request, status, timing) {
      timer ??= setTimeout(writeSummary, SUMMARY_MS);
      summary.countRequest(request.routeInfo.label, status);
      metrics?.countRequest(request.method, request.routeInfo.template, status);
      // Most requests are not logged one by one.
      if (status < 500 && timing.ms <= SLOW_MS && log.level !== "debug") return;
      const fields = describe(request, status, timing);
      if (status >= 500) log.error("request failed", fields);
      else if (timing.ms > SLOW_MS) log.info("slow request", fields);
      else log.debug("request", fields);
    },
    onBatch: (name) => (items, ms) => {
      summary.countBatch(name, items, ms);
      metrics?.measureBatch(name, items);
    },
    close: writeSummary,
  };
}

function describe(
  { requestId, routeInfo, method }: ObservedRequest,
  status: number,
  { ms, cause }: Timing,
): LogFields {
  const fields = { requestId, operation: routeInfo.label, method, status, ms: Math.round(ms) };
  return cause === undefined ? fields : { ...fields, error: cause };
}

class Summary {
  readonly #requests = new Map<string, Map<number, number>>();
  readonly #batches = new Map<string, ReturnType<typeof addBatch>>();

  countRequest(operation: string, status: number): void {
    const statuses = this.#requests.get(operation) ?? new Map<number, number>();
    if (statuses.size === 0) this.#requests.set(operation, statuses);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }

  countBatch(name: string, items: number, ms: number): void {
    this.#batches.set(name, addBatch(this.#batches.get(name), items, ms));
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

/** Adds a run to those of its kind: how many items shared them, and how long they took. */
function addBatch(
  { runs, items, largest, ms, slowest } = { runs: 0, items: 0, largest: 0, ms: 0, slowest: 0 },
  added: number,
  took: number,
) {
  return {
    runs: runs + 1,
    items: items + added,
    largest: Math.max(largest, added),
    ms: ms + took,
    slowest: Math.max(slowest, took),
  };
}

/** Sets `http.route` on the spans of Deno's own OpenTelemetry; `undefined` without traces (`OTEL_DENO=true`). */
function createRouteTrace(): Observer["routed"] {
  // This span never ends, so that it is never exported.
  const probe = trace.getTracer("waitlist").startSpan("probe");
  if (!probe.isRecording()) return undefined;
  return (method, route) => {
    const span = trace.getActiveSpan();
    span?.setAttribute("http.route", route);
    span?.updateName(`${method} ${route}`);
  };
}
