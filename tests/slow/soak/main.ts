/**
 * `deno task soak`: mixed load at half of what a short calibration reaches, for thirty minutes unless told otherwise,
 * on a KV file or, with `--kv postgres`, on PostgreSQL. Prints the size of the store at the end of each sixth, and at the
 * end a line of figures for each third and one for the store; exits with 1 where a request failed, or where memory or
 * p99 went up or the throughput down after the first third. With `--people`, the store must stop growing, too.
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

/**
 * The most bytes that the store may have for each address. An address has a record, an entry in the list of everybody and
 * in that of its state, and one in the index of ids. They take up to twice their size, because pages of an index split.
 */
const BYTES_AN_ADDRESS = { file: 1_050, postgres: 1_500 };

/** What the store of a fixed number of people may grow by in the last third. */
const STORE_GROWTH = 1.05;

const options = new Command("deno task soak")
  .option("--minutes <n>", "how long", "30")
  .option("--rate <n>", "requests a second, in place of half of the maximum")
  .option("--people <n>", "how many people sign up, again and again, in place of new ones")
  .addOption(KV_OPTION)
  .parse(Deno.args, { from: "user" })
  .opts<{ minutes: string; rate?: string; people?: string; kv: StoreKind }>();
const seconds = Number(options.minutes) * 60;

await using store = await makeStore(options.kv);
const victim = startVictim({ ...store.variables, TRUSTED_PROXY_HOPS: "1", OPERATOR_KEY });
const figures = new Figures(seconds);
/** The size of the store at the end of each sixth, in bytes. */
const sizes: number[] = [];
let rate: number;
try {
  const service = await victim.serving;
  if (!service) throw new Error("The service did not start");
  const people = options.people === undefined ? undefined : Number(options.people);
  const sendNext = await createMix(service, await issueClient(service), people);
  rate = Number(options.rate) || await measureMaximum(sendNext, CALIBRATION_SECONDS) / 2;
  const start = performance.now();
  const sample = () => figures.addMemory(performance.now() - start, megabytes(victim.pid));
  const sampling = setInterval(sample, 1_000);
  const measuring = setInterval(() => sizes.length < 5 && measureStore(), seconds * 1000 / 6);
  await sendSteadily(sendNext, { rate, seconds, report: (each) => figures.add(each) });
  clearInterval(sampling);
  clearInterval(measuring);
  await measureStore();
} finally {
  await victim.end("SIGTERM");
}

const thirds = figures.thirds();
for (const [index, third] of thirds.entries()) console.log(describe(index + 1, third));
const file = await judgeFile();
console.log(
  `${seconds} s at ${rate.toFixed(0)} requests a second; the store has ` +
    `${(file.bytes / 1e6).toFixed(1)} MB, ${file.bytesAnAddress.toFixed(0)} bytes for each of ` +
    `${file.addresses} addresses`,
);
const findings = [...figures.failures, ...judgeThirds(thirds), ...file.findings];
for (const finding of findings) console.error(finding);
Deno.exitCode = findings.length > 0 ? 1 : 0;

async function measureStore(): Promise<void> {
  const bytes = await store.bytes();
  sizes.push(bytes);
  const minutes = (sizes.length * seconds / 6 / 60).toFixed(1);
  const dead = await store.deadRows();
  console.log(`${minutes} minutes: ${(bytes / 1e6).toFixed(2)} MB, ${dead} dead rows`);
}

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
  const findings = [];
  if (options.people !== undefined) {
    const [, , , earlier = 0, , last = Infinity] = sizes;
    if (last > earlier * STORE_GROWTH) {
      findings.push(`The store went from ${earlier} to ${last} bytes in the last third.`);
    }
  } else if (bytesAnAddress > BYTES_AN_ADDRESS[options.kv]) {
    findings.push(`The store has ${bytesAnAddress.toFixed(0)} bytes for each address.`);
  }
  return { bytes, addresses, bytesAnAddress, findings };
}
