import type { Comparison, Contender } from "./comparisons.ts";
import { measure, type Measurement } from "./wrk.ts";

/** How often and how long to measure. */
export interface Effort {
  /** Rounds, whose median counts. */
  rounds: number;
  /** Seconds for each measurement. */
  seconds: number;
}

/** How long a server works before it is measured, in seconds: by then V8 has optimized its code. */
const WARM_UP_SECONDS = 2;

/** What one contender did; p50 and p99 are in milliseconds. */
export interface Row {
  work: string;
  contender: string;
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** The service's rate over this one's, and what it must be at the least. */
  ratio?: number;
  floor?: number;
  holds?: boolean;
}

/** Measures a comparison: every contender once a round, each time in a fresh process. */
export async function compare(
  comparison: Comparison,
  { rounds, seconds }: Effort,
): Promise<Row[]> {
  const contenders = [comparison.service, ...comparison.peers];
  const measured = new Map<Contender, Measurement[]>(contenders.map((each) => [each, []]));
  for (let round = 0; round < rounds; round++) {
    for (const contender of contenders) {
      await using server = await contender.start();
      await measure(server.port, contender.request, WARM_UP_SECONDS);
      const measurement = await measure(server.port, contender.request, seconds);
      const refused = measurement.refused > 0;
      if (measurement.failed > 0 || refused !== (comparison.refused ?? false)) {
        throw new Error(`${contender.name} answered wrongly: ${JSON.stringify(measurement)}`);
      }
      measured.get(contender)?.push(measurement);
    }
  }
  const rowOf = (contender: Contender): Row => {
    const runs = measured.get(contender) ?? [];
    const medianOf = (key: "requestsPerSecond" | "p50" | "p99") =>
      median(runs.map((run) => run[key]));
    return {
      work: comparison.work,
      contender: contender.name,
      requestsPerSecond: medianOf("requestsPerSecond"),
      p50: medianOf("p50"),
      p99: medianOf("p99"),
    };
  };
  const own = rowOf(comparison.service);
  const ownRuns = measured.get(comparison.service) ?? [];
  const peers = comparison.peers.map((peer): Row => {
    const row = rowOf(peer);
    const ratios = (measured.get(peer) ?? []).map((run, round) =>
      (ownRuns[round]?.requestsPerSecond ?? 0) / run.requestsPerSecond
    );
    const ratio = median(ratios);
    if (peer.floor === undefined) return { ...row, ratio };
    const inTime = !comparison.holdLatency || own.p99 <= row.p99;
    return { ...row, ratio, floor: peer.floor, holds: ratio >= peer.floor && inTime };
  });
  return [own, ...peers];
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

/** Prints rows as a table. */
export function printRows(rows: Row[]): void {
  console.log("| Work | Server | Requests/s | p50 ms | p99 ms | Ratio | Floor |");
  console.log("|---|---|---:|---:|---:|---:|---:|");
  for (const { work, contender, requestsPerSecond, p50, p99, ratio, floor, holds } of rows) {
    const cells = [
      work,
      contender,
      Math.round(requestsPerSecond).toLocaleString("en"),
      p50.toFixed(2),
      p99.toFixed(2),
      ratio?.toFixed(2) ?? "",
      floor === undefined ? "" : `${floor} ${holds ? "✓" : "✗"}`,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
