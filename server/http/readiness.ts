/**
 * The readiness probe of a proxy or supervisor: whether this process can do its work now. It reads only
 * memory, and no limit counts it (decisions, "Readiness, schema").
 *
 * @module
 */

/** The path of the probe. */
export const READY_PATH = "/ready";

/**
 * Answers GET and HEAD with 200, or with 503 and what is missing.
 *
 * @param missing names of what the process needs and does not have; empty where it is ready
 */
export function answerReadiness(request: Request, missing: string[]): Response {
  const allowed = request.method === "GET" || request.method === "HEAD";
  const ready = missing.length === 0;
  const body = JSON.stringify(
    allowed ? ready ? { ready } : { ready, missing } : {
      error: "method_not_allowed",
      message: "This method is not accepted here; use GET or HEAD.",
    },
  );
  return new Response(request.method === "HEAD" ? null : body, {
    status: allowed ? ready ? 200 : 503 : 405,
    headers: {
      "Content-Type": "application/json",
      "Content-Length": String(body.length),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...(!allowed && { Allow: "GET, HEAD" }),
    },
  });
}
