/** Asks the collector whether it takes metrics, by an empty export: Deno tells of a refusal only at `debug`. @module */
import { ownMember } from "../../shared/own_member.ts";
import { MINUTE, type Repeating, type Runtime } from "../runtime/mod.ts";

/** An export without a metric (OTLP, "OTLP/HTTP"), by the protocols whose address is an HTTP one. */
const EMPTY: Record<string, { type: string; body: string }> = {
  "http/protobuf": { type: "application/x-protobuf", body: "" },
  "http/json": { type: "application/json", body: "{}" },
};

export type CollectorVariables = Partial<Record<`OTEL_${string}`, string>>;

interface Dependencies extends Pick<Runtime, "log" | "repeat"> {
  /** Posts a body; throws where no answer comes. */
  post: (
    url: string,
    init: { headers: Record<string, string>; body: string },
  ) => Promise<{ status: number }>;
}

/** Asks at once and each minute, and logs changes; `undefined` where Deno exports no metrics, or in another way. */
export function watchCollector(
  env: CollectorVariables,
  { log, repeat, post }: Dependencies,
): Repeating | undefined {
  const read = (name: string) =>
    env[`OTEL_EXPORTER_OTLP_METRICS_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`];
  const empty = ownMember(EMPTY, read("PROTOCOL") ?? "http/protobuf");
  const isOff = env.OTEL_SDK_DISABLED === "true" || env.OTEL_DENO_METRICS === "false";
  // Certificates of their own are read by Deno's exporter alone.
  if (!empty || isOff || read("CERTIFICATE") || read("CLIENT_CERTIFICATE")) return undefined;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT || "http://localhost:4318";
  const url = env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT || `${base.replace(/\/$/, "")}/v1/metrics`;

  async function findFault(): Promise<string | undefined> {
    if (!URL.canParse(url)) return "the address is no URL";
    try {
      const headers = { ...headersOf(read("HEADERS")), "Content-Type": empty!.type };
      const { status } = await post(url, { headers, body: empty!.body });
      return status >= 200 && status < 300 ? undefined : `HTTP ${status}`;
    } catch (error) {
      return (error as Error).message;
    }
  }

  let isTaken = true;
  async function look(): Promise<void> {
    const error = await findFault();
    if (isTaken === (error === undefined)) return;
    isTaken = !isTaken;
    if (error === undefined) log.info("metrics are taken again");
    else log.warn("metrics are not taken", { error, advice: "check OTEL_EXPORTER_OTLP_ENDPOINT" });
  }
  void look();
  return repeat(MINUTE, look);
}

/** The headers that the variable lists as `name=value,…`, values percent-encoded. */
function headersOf(text = ""): Record<string, string> {
  return Object.fromEntries(
    text.split(",").filter((pair) => pair.includes("=")).map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
    }),
  );
}
