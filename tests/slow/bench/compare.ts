import type { Comparison, Contender } from "./comparisons.ts";
import { measure, type Measurement } from "./wrk.ts";

/** How often and how long to measure. */
export interface Timing {
  /** Rounds, in each of which every contender is measured twice. */
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

/** What each contender did: its two measurements in each round. */
type Rounds = Map<Contender, Measurement[][]>;

/** Measures a comparison, and sums it up: rates and latencies by their medians, and so the rounds' ratios. */
export async function compare(comparison: Comparison, timing: Timing): Promise<Row[]> {
  const { work, service, peers } = comparison;
  const rounds = await measureRounds(comparison, timing);
  const rowOf = (contender: Contender): Row => {
    const runs = rounds.get(contender)?.flat() ?? [];
    const medianOf = (key: "requestsPerSecond" | "p50" | "p99") =>
      median(runs.map((run) => run[key]));
    return {
      work,
      contender: contender.name,
      requestsPerSecond: medianOf("requestsPerSecond"),
      p50: medianOf("p50"),
      p99: medianOf("p99"),
    };
  };
  const ratesOf = (contender: Contender) =>
    (rounds.get(contender) ?? []).map(([there, back]) =>
      ((there?.requestsPerSecond ?? NaN) + (back?.requestsPerSecond ?? NaN)) / 2
    );

  const own = rowOf(service);
  const ownRates = ratesOf(service);
  const others = peers.map((peer): Row => {
    const row = rowOf(peer);
    const ratio = median(ratesOf(peer).map((rate, round) => (ownRates[round] ?? NaN) / rate));
    if (peer.floor === undefined) return { ...row, ratio };
    const inTime = !comparison.holdLatency || own.p99 <= row.p99;
    return { ...row, ratio, floor: peer.floor, holds: ratio >= peer.floor && inTime };
  });
  return [own, ...others];
}

/**
 * Measures every contender in a fresh process each round: in turn, and then once more in the opposite
 * order, so that a steady drift of the machine's speed weighs on all alike. Each round begins with
 * another one, so that none always waits the longest.
 */
async function measureRounds(
  { service, peers, refused: toBeRefused = false }: Comparison,
  { rounds, seconds }: Timing,
): Promise<Rounds> {
  const contenders = [service, ...peers];
  const measured: Rounds = new Map(contenders.map((each) => [each, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % contenders.length;
    await using servers = new AsyncDisposableStack();
    const running: { contender: Contender; port: number; runs: Measurement[] }[] = [];
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const { port } = servers.use(await contender.start());
      await measure(port, contender.request, WARM_UP_SECONDS);
      const runs: Measurement[] = [];
      measured.get(contender)?.push(runs);
      running.push({ contender, port, runs });
    }
    for (const { contender, port, runs } of [...running, ...running.toReversed()]) {
      const measurement = await measure(port, contender.request, seconds);
      const { failed, refused } = measurement;
      if (failed > 0 || (refused > 0) !== toBeRefused) {
        throw new Error(`${contender.name} answered wrongly: ${JSON.stringify(measurement)}`);
      }
      runs.push(measurement);
    }
  }
  return measured;
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
