/**
 * `deno task soak`: mixed load at half of what a short calibration reaches, for thirty minutes unless told otherwise,
 * on a KV file or, with `--kv postgres`, on PostgreSQL. Prints a line of figures for each third and one for the store;
 * exits with 1 where a request failed, or where memory or p99 went up or the throughput down after the first third.
 * @module
 */
import { Command } from "commander";
import { KV_OPTION, makeStore, type StoreKind } from "../../support/kv_stores.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { issueClient } from "../../support/process_requests.ts";
import { recount } from "../../support/records.ts";
import { megabytes, startVictim } from "../../support/victim.ts";
import { Figures, type Third } from "./figures.ts";
import { createMix } from "./mix.ts";
import { measureMaximum, sendSteadily } from "./pace.ts";

const CALIBRATION_SECONDS = 10;

/** What memory may grow by from the second third to the last: what the collector leaves lying about. */
const MEMORY_GROWTH = 1.25;

/** What p99 may grow by; below the floor, in milliseconds, it is the machine's noise. */
const P99_GROWTH = 3;
const P99_FLOOR = 100;

/** The share of the second third's requests that the last one must have: the rate falls with the answers. */
const LEAST_REQUESTS = 0.9;

/** What the store may grow by for each address, in bytes: its record and list entries, twice as an index page splits. */
const BYTES_AN_ADDRESS = { file: 600, postgres: 1_500 };

const options = new Command("deno task soak")
  .option("--minutes <n>", "how long", "30")
  .addOption(KV_OPTION)
  .parse(Deno.args, { from: "user" })
  .opts<{ minutes: string; kv: StoreKind }>();
const seconds = Number(options.minutes) * 60;

await using store = await makeStore(options.kv);
const victim = startVictim({ ...store.variables, TRUSTED_PROXY_HOPS: "1", OPERATOR_KEY });
const figures = new Figures(seconds);
let rate: number;
try {
  const service = await victim.serving;
  if (!service) throw new Error("The service did not start");
  const sendNext = await createMix(service, await issueClient(service));
  rate = await measureMaximum(sendNext, CALIBRATION_SECONDS) / 2;
  const start = performance.now();
  const sample = () => figures.addMemory(performance.now() - start, megabytes(victim.pid));
  const sampling = setInterval(sample, 1_000);
  await sendSteadily(sendNext, { rate, seconds, report: (each) => figures.add(each) });
  clearInterval(sampling);
} finally {
  await victim.end("SIGTERM");
}

const thirds = figures.thirds();
for (const [index, third] of thirds.entries()) console.log(describe(index + 1, third));
const file = await judgeFile();
console.log(
  `${seconds} s at ${rate.toFixed(0)} requests a second, half of the maximum; the store has ` +
    `${(file.bytes / 1e6).toFixed(1)} MB, ${file.bytesAnAddress.toFixed(0)} bytes for each of ` +
    `${file.addresses} addresses`,
);
const findings = [...figures.failures, ...judgeThirds(thirds), ...file.findings];
for (const finding of findings) console.error(finding);
Deno.exitCode = findings.length > 0 ? 1 : 0;

function describe(number: number, { requests, failed, p50, p99, megabytes }: Third): string {
  return `third ${number}: ${requests} requests, ${failed} failed, p50 ${p50} ms, p99 ${p99} ms, ` +
    `${megabytes.toFixed(0)} MB resident`;
}

/** Holds the last third against the second; the first warms up. */
function judgeThirds([, second, last]: [Third, Third, Third]): string[] {
  const findings = [];
  if (last.megabytes > second.megabytes * MEMORY_GROWTH) {
    findings.push(`Memory went from ${second.megabytes} to ${last.megabytes} MB.`);
  }
  if (last.requests < second.requests * LEAST_REQUESTS) {
    findings.push(`Requests went from ${second.requests} to ${last.requests}.`);
  }
  if (last.p99 > Math.max(second.p99 * P99_GROWTH, P99_FLOOR)) {
    findings.push(`p99 went from ${second.p99} to ${last.p99} ms.`);
  }
  return findings;
}

/** The store once the service has ended: the addresses' records, and little else. */
async function judgeFile() {
  using opened = await store.open();
  const { total: addresses } = await recount(opened.kv, Date.now());
  const bytes = await store.bytes();
  const bytesAnAddress = bytes / addresses;
  const findings = bytesAnAddress > BYTES_AN_ADDRESS[options.kv]
    ? [`The store has ${bytesAnAddress.toFixed(0)} bytes for each address.`]
    : [];
  return { bytes, addresses, bytesAnAddress, findings };
}
