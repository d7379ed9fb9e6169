/**
 * `waitlist status`: calls the status probe, and shows latency, clock difference and request limit.
 *
 * @module
 */
import { quotable } from "../../shared/api_failure.ts";
import type { Status } from "../../shared/schemas.ts";
import { PUBLIC_ACCESS } from "../api_access.ts";
import { defineCommand, parseNoOptions } from "../command.ts";
import { CliError, EXIT, toCliError } from "../errors.ts";
import { formatDuration, formatFields } from "../format.ts";
import type { Style } from "../print.ts";

export default defineCommand({
  access: PUBLIC_ACCESS,
  examples: [
    ["waitlist status", "the service at http://localhost:8000"],
    ["waitlist status --base-url https://waitlist.example --json", "for programs"],
    ["waitlist status --sandbox --quiet && echo up", "prints nothing; sets the exit code"],
  ],
  parse: parseNoOptions,
  async run(_options, { settings, context: { clock }, connect, print }) {
    const client = await connect();
    const sentAt = clock.now();
    const { data, headers, error } = await client.status();
    if (error) throw toCliError(error);
    const receivedAt = clock.now();

    if (data.environment !== settings.environment) {
      throw new CliError(
        `The call was for the environment '${settings.environment}', but the service at ${settings.baseUrl} answered ` +
          `for the environment '${data.environment}'; check the proxy in front of the service`,
        EXIT.failedCheck,
      );
    }
    const report: StatusReport = {
      ...data,
      latencyMs: receivedAt - sentAt,
      // The best guess is that the service read its clock in the middle of the call.
      clockDifferenceMs: Math.round(Date.parse(data.time) - (sentAt + receivedAt) / 2),
      rateLimit: {
        limit: readNumber(headers, "ratelimit-limit"),
        remaining: readNumber(headers, "ratelimit-remaining"),
        reset: readNumber(headers, "ratelimit-reset"),
        policy: headers.get("ratelimit-policy"),
      },
    };
    return print({ json: report, text: (style) => formatReport(report, settings.baseUrl, style) });
  },
});

/** What the command prints: the answer of the status probe, and what the call shows about the service. */
interface StatusReport extends Status {
  /** The time from the request to the response, in milliseconds. */
  latencyMs: number;
  /** By how many milliseconds the service's clock is ahead of this computer's clock. */
  clockDifferenceMs: number;
  rateLimit: Record<"limit" | "remaining" | "reset", number | null> & { policy: string | null };
}

function formatReport(report: StatusReport, baseUrl: string, style: Style): string {
  const { limit, remaining, reset, policy } = report.rateLimit;
  const requestsLeft = `${remaining ?? "?"} of ${limit ?? "?"} requests left`;
  const title = `${style.bold(quotable(report.service))} is ${style.green(report.status)}`;
  return `${title}\n` + formatFields([
    ["Address", baseUrl],
    ["Environment", report.environment],
    ["API version", report.apiVersion],
    ["Latency", formatDuration(report.latencyMs)],
    ["Clock", describeClock(report.clockDifferenceMs)],
    ["Limit", `${requestsLeft}; the limit starts anew in ${reset ?? "?"} s`],
    ["Policy", policy === null ? "(no RateLimit-Policy header)" : quotable(policy)],
    ["OpenAPI", quotable(report.openapi)],
    ["Docs", quotable(report.docs)],
  ], style);
}

function describeClock(differenceMs: number): string {
  const direction = differenceMs < 0 ? "behind" : "ahead of";
  return `${formatDuration(Math.abs(differenceMs))} ${direction} this computer`;
}

/** Reads a header with a whole number; null if the header is missing or has another form. */
function readNumber(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}
