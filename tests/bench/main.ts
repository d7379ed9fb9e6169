/**
 * `deno task bench`: measures the service beside its peers, in interleaved rounds, and prints medians
 * and ratios as a table and, with `--json FILE`, as JSON. Exits with 1 where a floor does not hold.
 *
 * @module
 */
import { Command } from "commander";
import { type Comparison, comparisons, type Contender } from "./comparisons.ts";
import { memoryAfterSignUps } from "./memory.ts";
import { seed } from "./seed_process.ts";
import { measure, type Measurement } from "./wrk.ts";

interface Row {
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

const program = new Command("deno task bench")
  .option("--rounds <n>", "rounds, whose median counts", "5")
  .option("--seconds <n>", "seconds for each measurement", "3")
  .option("--sign-ups <n>", "sign-ups stored in the large file", "1000000")
  .option("--only <text>", "only work whose name contains this", "")
  .option("--json <file>", "write the figures to this file as well");
const options = program.parse(Deno.args, { from: "user" }).opts<
  { rounds: string; seconds: string; signUps: string; only: string; json?: string }
>();

const folder = await Deno.makeTempDir({ prefix: "waitlist-bench-" });
try {
  const rows: Row[] = [];
  const small = await seed(`${folder}/small.sqlite3`, 1_000);
  const large = await seed(`${folder}/large.sqlite3`, Number(options.signUps));
  for (const comparison of await comparisons({ folder, small, large })) {
    if (comparison.work.includes(options.only)) rows.push(...await compare(comparison));
  }
  printTable(rows);
  const memory = "memory".includes(options.only)
    ? await memoryAfterSignUps(`${folder}/memory.sqlite3`, Number(options.signUps))
    : undefined;
  if (memory) {
    console.log(
      `\n${memory.signUps} sign-ups through HTTP in ${memory.seconds.toFixed(0)} s; ` +
        `${memory.megabytes.toFixed(0)} MB resident afterwards (at most 200)`,
    );
  }
  if (options.json) {
    await Deno.writeTextFile(options.json, JSON.stringify({ rows, memory }, null, 2) + "\n");
  }
  const broken = rows.some((row) => row.holds === false) || (memory?.megabytes ?? 0) > 200;
  Deno.exitCode = broken ? 1 : 0;
} finally {
  await Deno.remove(folder, { recursive: true });
}

/** Measures a comparison: every contender once a round, each time in a fresh process. */
async function compare(comparison: Comparison): Promise<Row[]> {
  const contenders = [comparison.service, ...comparison.peers];
  const measured = new Map<Contender, Measurement[]>(contenders.map((each) => [each, []]));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const contender of contenders) {
      await using server = await contender.start();
      await measure(server.port, contender.request, 1);
      const measurement = await measure(server.port, contender.request, Number(options.seconds));
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

function printTable(rows: Row[]): void {
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
