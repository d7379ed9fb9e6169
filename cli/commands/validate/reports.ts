/**
 * Writes the reports of `validate` and `smoke` as JUnit XML or JSON.
 *
 * @module
 */
import type { Command } from "commander";
import type { EnvironmentName } from "../../../shared/environments.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { cannotWrite } from "../../file_errors.ts";
import type { FlagValues } from "../../flag_values.ts";
import { formatJson } from "../../print.ts";

/** The result of a check. */
export interface Check {
  /** The `operationId`, or another part of the service. */
  operation: string;
  /** What the operation must do, as in "getStatus says that the service is up". */
  does: string;
  /** The call; absent if the check made no call. */
  call?: { method: string; path: string; status: number | undefined; milliseconds: number };
  /** A sentence for each fault; empty if the check passed. */
  faults: string[];
}

/** The results of a run. */
export interface ValidationReport {
  baseUrl: string;
  environment: EnvironmentName;
  /** The beginning of the run, a date-time in UTC. */
  startedAt: string;
  durationMs: number;
  /** The number of requests. */
  calls: number;
  /** The number of checks that failed. */
  failed: number;
  checks: Check[];
}

/** The format and the file of a report. */
export interface ReportTarget {
  format: "junit" | "json";
  path: string;
}

/** Declares `--report`. */
export function addReportFlag(command: Command): void {
  command.option(
    "--report <format=file...>",
    "also write a report: junit=FILE, json=FILE, or both",
  );
}

/** Reads `--report`, such as `junit=validate.xml`. */
export function readReportTargets({ report }: FlagValues): ReportTarget[] {
  return (report as string[] | undefined ?? []).map((text) => {
    const [, format, path] = /^(junit|json)=(.+)$/.exec(text) ?? [];
    if (!format || !path) {
      throw new UsageError(
        `--report is '${text}'; give junit=FILE or json=FILE, such as junit=a.xml`,
      );
    }
    return { format: format as ReportTarget["format"], path };
  });
}

/** Writes the results of a run to each target. @throws {UsageError} if a file cannot be written */
export async function writeReports(
  report: ValidationReport,
  targets: ReportTarget[],
  { files }: Context,
): Promise<void> {
  for (const { format, path } of targets) {
    try {
      await files.writeText(path, format === "junit" ? toJunit(report) : formatJson(report));
    } catch (error) {
      throw new UsageError(
        cannotWrite(`the report '${path}'`, error, { nextStep: "check the path" }),
      );
    }
  }
}

/** Formats a report as JUnit XML, which CI systems show as a list of tests. */
export function toJunit(report: ValidationReport): string {
  const { checks, failed, startedAt, durationMs, environment } = report;
  const cases = checks.map(({ operation, does, call, faults }) => {
    const start = startTag("testcase", {
      classname: operation,
      name: does,
      time: formatSeconds(call?.milliseconds ?? 0),
    });
    if (faults.length === 0) return `    ${start}</testcase>`;
    const failure = startTag("failure", { message: faults.join("; ") });
    return `    ${start}\n      ${failure}</failure>\n    </testcase>`;
  });
  const totals = {
    tests: String(checks.length),
    failures: String(failed),
    time: formatSeconds(durationMs),
  };
  const suite = startTag("testsuite", {
    name: environment,
    timestamp: startedAt,
    hostname: report.baseUrl,
    ...totals,
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    startTag("testsuites", { name: "waitlist validate", ...totals }),
    `  ${suite}`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** Formats a time in seconds, as JUnit XML has it. */
function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

/** Makes a start tag. */
function startTag(name: string, attributes: Record<string, string>): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${pairs.join("")}>`;
}

/** Escapes text for an attribute, and replaces the characters that XML 1.0 does not allow. */
function escapeXml(text: string): string {
  return text.toWellFormed()
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/[<>&"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
