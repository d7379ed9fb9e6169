/**
 * What the log says of requests (decisions, "Logs"): one line for an answer of 500 and one for a request
 * slower than a second, a summary a minute, and at `debug` a line for each request. Traces are Deno's own
 * (`OTEL_DENO=true`); they are only told the route.
 *
 * @module
 */
import { trace } from "@opentelemetry/api";
import type { Log, LogFields } from "../log.ts";
import { MinuteSummary } from "./minute_summary.ts";

/** A request whose answer takes longer is logged, in milliseconds. */
const SLOW_MS = 1_000;

/** How often the summary is written while there are requests, in milliseconds. */
const SUMMARY_MS = 60_000;

/** A request, as the log names it. */
export interface ObservedRequest {
  /** The value of `X-Request-Id`. */
  requestId: string;
  place: { label: string };
  method: string;
}

/** How the answer to a request came about. */
export interface Timing {
  /** How long it took, in milliseconds. */
  ms: number;
  /** The error that is nobody's answer. */
  cause?: string;
}

/** Is told what happens and writes the log about it. */
export interface Observer {
  /** A request's route is known; absent where nobody traces. */
  routed: TraceRoute | undefined;
  /** A request was answered. */
  answered: (request: ObservedRequest, status: number, timing: Timing) => void;
  /** Names work on KV that requests share; what it returns is told how many, and in how many milliseconds. */
  onBatch: (name: string) => (items: number, ms: number) => void;
  /** Writes the last summary. */
  close: () => void;
}

/** Makes an observer that writes to a log. */
export function createObserver(log: Log): Observer {
  const summary = new MinuteSummary();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const writeSummary = () => {
    clearTimeout(timer);
    timer = undefined;
    const fields = summary.take();
    if (fields) log.info("summary", fields);
  };
  return {
    routed: createRouteTrace(),
    answered(request, status, timing) {
      timer ??= setTimeout(writeSummary, SUMMARY_MS);
      summary.countRequest(request.place.label, status);
      // Most requests end here.
      if (status < 500 && timing.ms <= SLOW_MS && log.level !== "debug") return;
      const fields = describe(request, status, timing);
      if (status >= 500) log.error("request failed", fields);
      else if (timing.ms > SLOW_MS) log.info("slow request", fields);
      else log.debug("request", fields);
    },
    onBatch: (name) => (items, ms) => summary.countBatch(name, items, ms),
    close: writeSummary,
  };
}

function describe(
  { requestId, place, method }: ObservedRequest,
  status: number,
  { ms, cause }: Timing,
): LogFields {
  const fields = {
    requestId,
    operation: place.label,
    method,
    status,
    ms: Math.round(ms),
  };
  return cause === undefined ? fields : { ...fields, error: cause };
}

/** Names the route of the request that is being answered. */
export type TraceRoute = (method: string, route: string) => void;

/**
 * Makes the function that gives the spans and metrics of Deno's built-in OpenTelemetry their `http.route`
 * (semantic conventions for HTTP); `undefined` where nothing is traced, which is unless `OTEL_DENO=true`.
 */
export function createRouteTrace(): TraceRoute | undefined {
  // A span that is never ended is never exported.
  const probe = trace.getTracer("waitlist").startSpan("probe");
  if (!probe.isRecording()) return undefined;
  return (method, route) => {
    const span = trace.getActiveSpan();
    span?.setAttribute("http.route", route);
    span?.updateName(`${method} ${route}`);
  };
}
