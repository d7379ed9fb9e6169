/**
 * Checks whether the collector accepts metrics, by sending an export without metrics. The check exists because Deno
 * logs a refusal only at its own level `debug`, where operators do not see it. @module
 */
import { ownMember } from "../../shared/own_member.ts";
import { MINUTE, type Repeating, type Runtime } from "../runtime/mod.ts";

/**
 * The media type and the body of an export without metrics, by the value of `OTEL_EXPORTER_OTLP_PROTOCOL`
 * (specification of OTLP, section "OTLP/HTTP").
 */
const EMPTY_EXPORTS: Record<string, { type: string; body: string }> = {
  "http/protobuf": { type: "application/x-protobuf", body: "" },
  "http/json": { type: "application/json", body: "{}" },
};

/** The environment variables of OpenTelemetry (`OTEL_…`). */
export type CollectorVariables = Partial<Record<`OTEL_${string}`, string>>;

/** What {@linkcode watchCollector} needs besides the variables. */
export interface CollectorOptions extends Pick<Runtime, "log" | "repeat"> {
  /** Posts a body to a URL. Rejects if no answer comes. */
  post: (
    url: string,
    request: { headers: Record<string, string>; body: string },
  ) => Promise<{ status: number }>;
}

/**
 * Checks the collector at once and then every minute. Logs when the collector does not accept metrics, and when it
 * accepts them again. Gives `undefined` if there is nothing to check: Deno exports no metrics, or exports them in a
 * way that this check cannot imitate.
 */
export function watchCollector(
  env: CollectorVariables,
  { log, repeat, post }: CollectorOptions,
): Repeating | undefined {
  /**
   * Gives a setting of the exporter. The variable for metrics alone has precedence over the variable for all exports.
   */
  const settingOf = (name: string) =>
    env[`OTEL_EXPORTER_OTLP_METRICS_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`];
  const emptyExport = ownMember(EMPTY_EXPORTS, settingOf("PROTOCOL") || "http/protobuf");
  const isOff = env.OTEL_SDK_DISABLED === "true" || env.OTEL_DENO_METRICS === "false";
  // The collector is not checked if certificates are set for it, because only Deno's exporter can use them.
  const hasCertificate = settingOf("CERTIFICATE") || settingOf("CLIENT_CERTIFICATE");
  if (!emptyExport || isOff || hasCertificate) return undefined;
  const { type, body } = emptyExport;
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT || "http://localhost:4318";
  const url = env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT ||
    `${endpoint.replace(/\/$/, "")}/v1/metrics`;

  /** Gives the reason why the collector does not accept metrics; `undefined` if it accepts them. */
  async function findFault(): Promise<string | undefined> {
    if (!URL.canParse(url)) return "the address is no URL";
    try {
      const headers = { ...parseHeaders(settingOf("HEADERS")), "Content-Type": type };
      const { status } = await post(url, { headers, body });
      return status >= 200 && status < 300 ? undefined : `HTTP ${status}`;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** The fault that the last check found; `undefined` if that check found none, and before the first check. */
  let lastFault: string | undefined;

  async function check(): Promise<void> {
    const fault = await findFault();
    if (fault !== undefined && lastFault === undefined) {
      log.warn("the OpenTelemetry collector does not accept metrics", {
        error: fault,
        advice: "check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS",
      });
    }
    if (fault === undefined && lastFault !== undefined) {
      log.info("the OpenTelemetry collector accepts metrics again");
    }
    lastFault = fault;
  }
  void check();
  return repeat(MINUTE, check);
}

/** Reads headers from the text of a variable, `name=value,…`, with percent-encoded values. */
function parseHeaders(text = ""): Record<string, string> {
  const pairs = text.split(",").filter((pair) => pair.includes("="));
  return Object.fromEntries(pairs.map((pair) => {
    const equals = pair.indexOf("=");
    const value = pair.slice(equals + 1).trim();
    return [pair.slice(0, equals).trim(), decodeURIComponent(value)];
  }));
}
