/**
 * `deno task bench:limiter`: prints, as tables in Markdown, how many requests of one address pass
 * beyond the limit of 30 when 100 processes share it. Exits with 1 where that breaks the bound.
 *
 * @module
 */
import { bound, overshoot, type Scenario } from "./limiter_model.ts";

const PROCESSES = 100;
const LOADS = [1, 5, 10, 100, 1_000, 10_000];
const SEEDS = [1, 2];

let broken = false;

/** The worst of some simulations, and the bound; `!` where it breaks. */
function cell(scenario: Omit<Scenario, "seed" | "processes">): string {
  const scenarios = SEEDS.map((seed) => ({ ...scenario, processes: PROCESSES, seed }));
  const worst = Math.max(...scenarios.map(overshoot));
  const promised = bound({ ...scenario, processes: PROCESSES, seed: 0 });
  if (worst > promised) broken = true;
  return `${worst} (${promised})${worst > promised ? " !" : ""}`;
}

function printTable(heads: string[], row: (load: number) => string[]): void {
  const line = (cells: string[]) => console.log(`| ${cells.join(" | ")} |`);
  line(["Requests/s", ...heads]);
  line(["---:", ...heads.map(() => "---:")]);
  for (const load of LOADS) line([load.toLocaleString("en"), ...row(load)]);
  console.log();
}

const beats = [100, 250, 500, 1_000];
for (const busy of [true, false]) {
  console.log(`${busy ? "Busy" : "Quiet"} processes, an exchange of 20 ms, by the beat:\n`);
  printTable(
    beats.map((beat) => `${beat} ms`),
    (load) => beats.map((beat) => cell({ load, beat, exchange: 20, busy })),
  );
}

const exchanges = [4, 20, 100, 400, 2_000];
console.log("Busy processes, a beat of 250 ms, by the exchange:\n");
printTable(
  exchanges.map((exchange) => `${exchange} ms`),
  (load) => exchanges.map((exchange) => cell({ load, beat: 250, exchange, busy: true })),
);

Deno.exitCode = broken ? 1 : 0;
