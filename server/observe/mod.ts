/**
 * Observes requests and the work on KV: logs failed and slow requests, and gives what it observes to the summary
 * (`summary.ts`), the metrics (`metrics.ts`) and the traces. At the level `debug`, the log has a line for each request.
 * @module
 */
import { trace } from "@opentelemetry/api";
import type { Log } from "../runtime/mod.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { Summary } from "./summary.ts";
export { watchCollector } from "./collector.ts";
export type { Metrics, OutboxView } from "./metrics.ts";

/** The time above which a request is slow, in milliseconds. */
const SLOW_MS = 1_000;

/** The time between two summaries while there are requests, in milliseconds. */
const SUMMARY_MS = 60_000;

/** What the observer has to know about a request. */
export interface ObservedRequest {
  requestId: string;
  /** In the log, `label` names the operation or page. `template` is the path template, if the path is known. */
  routeInfo: { label: string; template?: string };
  method: string;
}

/** How long an answer took, in milliseconds, and the cause of a failed answer, which is only for the log. */
export interface Timing {
  ms: number;
  cause?: string;
}

/** Notes what requests and the work on KV did. */
export interface Observer {
  /** The metrics of the service. Absent if metrics are not exported. */
  metrics: Metrics | undefined;
  /** Writes the route of a request into the trace of the request. Absent if the process exports no traces. */
  traceRoute: ((method: string, route: string) => void) | undefined;
  /** Counts an answer of an API in the summary and in the metrics, and logs it if it failed or was slow. */
  noteAnswer: (request: ObservedRequest, status: number, timing: Timing) => void;
  /**
   * Counts the answer of a page in the summary, and logs it if it failed or was slow. The metrics already count pages,
   * by their routes (`app.ts`).
   */
  notePage: (request: ObservedRequest, status: number, timing: Timing) => void;
  /**
   * Makes the function that records a batch of one kind of work on KV. The function takes the number of items in the
   * batch and the time in milliseconds.
   */
  onBatch: (name: string) => (items: number, ms: number) => void;
  /** Logs the last summary. */
  close: () => void;
}

/** Makes the observer. Metrics and traces are off if the process exports none. */
export function createObserver(log: Log): Observer {
  const summary = new Summary();
  let summaryTimer: ReturnType<typeof setTimeout> | undefined;
  const metrics = createMetrics();

  function logSummary(): void {
    clearTimeout(summaryTimer);
    summaryTimer = undefined;
    const fields = summary.takeFields();
    if (fields) log.info("summary", fields);
  }

  /** Counts an answer in the summary, and logs it if it failed or was slow. */
  function summarizeAndLog(
    { requestId, routeInfo: { label: operation }, method }: ObservedRequest,
    status: number,
    { ms, cause: error }: Timing,
  ): void {
    summaryTimer ??= setTimeout(logSummary, SUMMARY_MS);
    summary.countAnswer(operation, status);
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
    traceRoute: createRouteTrace(),
    noteAnswer(request, status, timing) {
      metrics?.countRequest(request.method, request.routeInfo.template, status);
      summarizeAndLog(request, status, timing);
    },
    notePage: summarizeAndLog,
    onBatch: (name) => (items, ms) => {
      summary.countBatch(name, items, ms);
      metrics?.measureBatch(name, items);
    },
    close: logSummary,
  };
}

/**
 * Makes the function that writes the route into the spans of Deno's OpenTelemetry; `undefined` if the process exports
 * no traces.
 */
function createRouteTrace(): Observer["traceRoute"] {
  // This span only shows whether spans are recorded. It is never exported, because the code never ends it.
  const probe = trace.getTracer("waitlist").startSpan("probe");
  if (!probe.isRecording()) return undefined;
  return (method, route) => {
    const span = trace.getActiveSpan();
    span?.setAttribute("http.route", route);
    span?.updateName(`${method} ${route}`);
  };
}
