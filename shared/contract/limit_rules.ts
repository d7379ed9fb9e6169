import type { ApiPlace } from "./description.ts";

/** A response whose headers are valid each by itself. */
export interface LimitedResponse {
  method: string;
  place: ApiPlace;
  status: number;
  headers: Headers;
}

/**
 * Holds a response against the rules on limits that the document states in words (its "Limits", and the
 * contract's): which limit counts where, and how the headers about it agree.
 */
export function limitFindings({ method, place, status, headers }: LimitedResponse): string[] {
  // The 303 says nothing of the limit.
  if (!headers.has("RateLimit-Limit")) return [];
  const limit = Number(headers.get("RateLimit-Limit"));
  const remaining = Number(headers.get("RateLimit-Remaining"));
  const policy = headers.get("RateLimit-Policy");
  const reset = headers.get("RateLimit-Reset");
  const retryAfter = headers.get("Retry-After");

  const isProbe = place.path === "/api/v1/status" && ["GET", "HEAD"].includes(method);
  const expected = place.prefix === "/sandbox" || isProbe ? 120 : 30;

  const findings: string[] = [];
  if (limit !== expected) {
    findings.push(`header RateLimit-Limit must be ${expected} here, not ${limit}`);
  }
  if (policy !== `${limit};w=60`) {
    findings.push(
      `header RateLimit-Policy must be ${limit};w=60 as the limit is ${limit}, not ${policy}`,
    );
  }
  if (remaining > limit) {
    findings.push(
      `header RateLimit-Remaining must be at most ${limit} as the limit is, not ${remaining}`,
    );
  }
  if (status === 429 && remaining !== 0) {
    findings.push(`header RateLimit-Remaining must be 0 on a refusal, not ${remaining}`);
  }
  if (status === 429 && retryAfter !== reset) {
    findings.push(`header Retry-After must be ${reset} as RateLimit-Reset is, not ${retryAfter}`);
  }
  return findings;
}
