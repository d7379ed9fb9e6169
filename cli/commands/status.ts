import { quotable } from "../../shared/api_failure.ts";
import type { Status } from "../../shared/schemas.ts";
import { CliError } from "../cli_error.ts";
import { defineCommand } from "../command.ts";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit_codes.ts";
import { toCliError } from "../failures.ts";
import { formatDuration } from "../output/duration.ts";
import { formatFields } from "../output/fields.ts";
import { createStyle } from "../output/style.ts";
import { readSettings } from "../settings.ts";

/** `waitlist status`: asks the status probe. */
export default defineCommand({
  examples: [
    ["waitlist status", "look at the service at http://localhost:8000"],
    ["waitlist status --base-url https://waitlist.example --json", "for programs"],
    ["waitlist status --sandbox --quiet && echo up", "by the exit code alone"],
  ],
  parse: ({ flags, variables }) => readSettings(flags, variables),
  async run(settings, context) {
    const client = connect(settings, context);
    const sent = context.clock.now();
    const { data, headers, error } = await client.status();
    if (error) throw toCliError(error);
    const received = context.clock.now();

    if (data.environment !== settings.environment) {
      throw new CliError(
        `The ${settings.environment} at ${settings.baseUrl} says that it is ${data.environment}; ` +
          "check what stands in front of the service",
        EXIT.failedCheck,
      );
    }
    const report = {
      ...data,
      latencyMs: received - sent,
      // Against the middle of the call, when the service most likely looked at its clock.
      clockDifferenceMs: Math.round(Date.parse(data.time) - (sent + received) / 2),
      rateLimit: {
        limit: numberOf(headers, "ratelimit-limit"),
        remaining: numberOf(headers, "ratelimit-remaining"),
        reset: numberOf(headers, "ratelimit-reset"),
        policy: headers.get("ratelimit-policy"),
      },
    };
    if (settings.json) context.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    else if (!settings.quiet) context.stdout.write(format(report, settings.baseUrl, context));
    return EXIT.fine;
  },
});

interface Report extends Status {
  latencyMs: number;
  /** How far the service's clock is ahead of this computer's. */
  clockDifferenceMs: number;
  rateLimit: Record<"limit" | "remaining" | "reset", number | null> & { policy: string | null };
}

function format(report: Report, baseUrl: string, { stdout, variables }: Context): string {
  const style = createStyle(stdout, variables);
  const { limit, remaining, reset, policy } = report.rateLimit;
  const title = `${style.bold(quotable(report.service))} is ${style.green(report.status)}`;
  return `${title}\n` + formatFields([
    ["Address", baseUrl],
    ["Environment", report.environment],
    ["API version", report.apiVersion],
    ["Latency", formatDuration(report.latencyMs)],
    ["Clock", describeClock(report.clockDifferenceMs)],
    [
      "Limit",
      `${remaining ?? "?"} of ${limit ?? "?"} requests left, all again in ${reset ?? "?"} s`,
    ],
    ["Policy", policy === null ? "(no RateLimit-Policy header)" : quotable(policy)],
    ["OpenAPI", quotable(report.openapi)],
    ["Docs", quotable(report.docs)],
  ], style);
}

function describeClock(difference: number): string {
  const direction = difference < 0 ? "behind" : "ahead of";
  return `${formatDuration(Math.abs(difference))} ${direction} this computer`;
}

function numberOf(headers: Headers, name: string): number | null {
  const value = headers.get(name);
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}
