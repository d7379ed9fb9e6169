import type { Comparison, Contender } from "./comparisons.ts";
import type { RunningServer } from "./server_process.ts";
import { measureServer, type ServerMeasurement } from "./wrk.ts";

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
  /** CPU time for each request, in microseconds: of the service, and with what it needs besides. */
  cpuMicros: number;
  allCpuMicros: number;
  /** The service's rate over this one's, and what it must be at the least. */
  ratio?: number;
  floor?: number;
  /** What the service itself must keep, in words. */
  bounds?: string;
  /** Whether the floor, or the bounds, hold. */
  holds?: boolean;
}

/** What each contender did: its two measurements in each round. */
type Rounds = Map<Contender, ServerMeasurement[][]>;

/** Measures a comparison, and sums it up: rates and latencies by their medians, and so the rounds' ratios. */
export async function compare(comparison: Comparison, timing: Timing): Promise<Row[]> {
  const { work, service, peers, bounds } = comparison;
  const rounds = await measureRounds(comparison, timing);
  const rowOf = (contender: Contender): Row => {
    const runs = rounds.get(contender)?.flat() ?? [];
    const medianOf = (
      key: "requestsPerSecond" | "p50" | "p99" | "cpuMicros" | "allCpuMicros",
    ) => median(runs.map((run) => run[key]));
    return {
      work,
      contender: contender.name,
      requestsPerSecond: medianOf("requestsPerSecond"),
      p50: medianOf("p50"),
      p99: medianOf("p99"),
      cpuMicros: medianOf("cpuMicros"),
      allCpuMicros: medianOf("allCpuMicros"),
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
  if (bounds) {
    const [first] = others;
    own.bounds = `p99 × ${bounds.p99}, CPU × ${bounds.cpu}`;
    own.holds = own.p99 <= bounds.p99 * (first?.p99 ?? 0) &&
      own.cpuMicros <= bounds.cpu * (first?.cpuMicros ?? 0);
  }
  return [own, ...others];
}

/**
 * Measures every contender in a fresh process each round: in turn, and then once more in the opposite order, so that a
 * steady drift of the machine's speed weighs on all alike. Each round begins with another one, so that none always
 * waits the longest.
 */
async function measureRounds(
  { service, peers, refused: toBeRefused = false, connections }: Comparison,
  { rounds, seconds }: Timing,
): Promise<Rounds> {
  const contenders = [service, ...peers];
  const measured: Rounds = new Map(contenders.map((each) => [each, []]));
  for (let round = 0; round < rounds; round++) {
    const first = round % contenders.length;
    await using servers = new AsyncDisposableStack();
    const running: [Contender, RunningServer, ServerMeasurement[]][] = [];
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const server = servers.use(await contender.start());
      await measureServer(server, contender.request, WARM_UP_SECONDS, connections);
      const runs: ServerMeasurement[] = [];
      measured.get(contender)?.push(runs);
      running.push([contender, server, runs]);
    }
    for (const [contender, server, runs] of [...running, ...running.toReversed()]) {
      const measurement = await measureServer(server, contender.request, seconds, connections);
      const { failed, refused } = measurement;
      if (failed > 0 || (refused > 0) !== toBeRefused) {
        throw new Error(`${contender.name} answered wrongly: ${JSON.stringify(measurement)}`);
      }
      runs.push(measurement);
    }
  }
  return measured;
}

/** The median. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

/** Prints a table. @param head the names of the columns, with a colon after those of numbers */
export function printTable(head: string, rows: unknown[][]): void {
  const names = head.split(" | ");
  const widths = names.map((name) => name.endsWith(":") ? "---:" : "---");
  for (const cells of [names.map((name) => name.replace(/:$/, "")), widths, ...rows]) {
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/** Says whether a floor or a bound holds. */
export const mark = (holds = false): string => holds ? "✓" : "✗";

/** Prints rows as a table. */
export function printRows(rows: Row[]): void {
  printTable(
    "Work | Server | Requests/s: | p50 ms: | p99 ms: | CPU µs: | All CPU µs: | Ratio: | Floor:",
    rows.map((row) => {
      const limit = row.bounds ?? row.floor;
      return [
        row.work,
        row.contender,
        Math.round(row.requestsPerSecond).toLocaleString("en"),
        row.p50.toFixed(2),
        row.p99.toFixed(2),
        row.cpuMicros.toFixed(0),
        row.allCpuMicros.toFixed(0),
        row.ratio?.toFixed(2) ?? "",
        limit === undefined ? "" : `${limit} ${mark(row.holds)}`,
      ];
    }),
  );
}
