import { trace } from "@opentelemetry/api";

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
