/**
 * `deno task test:crash`: a client signs up from 64 connections, the process is killed at a random
 * moment and started again, and its store is held against what was acknowledged. With `--kv denokv`, the KV
 * server is killed with the process. Then the same with letters. Prints two lines of figures; exits with 1 where
 * anything was lost.
 *
 * A kill ends a process, not its machine: what SQLite has handed to the operating system survives it.
 *
 * @module
 */
import { Command, Option } from "commander";
import { makeStore, STORE_KINDS } from "../../support/kv_stores.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { issueClient, readStats, type Serving } from "../../support/process_requests.ts";
import { getAccessToken } from "../../support/service.ts";
import { startVictim, whileServing } from "../../support/victim.ts";
import { crashLetters } from "./letters.ts";
import { SignUpLoad } from "./sign_up_load.ts";
import { keptEntries, validate } from "./verdict.ts";

/** How long a process lives at the most, in milliseconds; some die before they listen. */
const LIFETIME_MS = 1_500;

const options = new Command("deno task test:crash")
  .option("--rounds <n>", "how often the process is killed", "100")
  .addOption(new Option("--kv <kind>", "where the store is").choices(STORE_KINDS).default("file"))
  .parse(Deno.args, { from: "user" })
  .opts<{ rounds: string; kv: typeof STORE_KINDS[number] }>();

await using store = await makeStore(options.kv);
const variables = { ...store.variables, TRUSTED_PROXY_HOPS: "1", OPERATOR_KEY };
const credentials = await whileServing(variables, issueClient);
const kept = await look(keptEntries);

const load = new SignUpLoad("crash");
const findings: string[] = [];
let early = 0;
for (let round = 1; round <= Number(options.rounds); round++) {
  if (!await crash()) early++;
  const verdict = await look((kv) => validate(kv, load.acknowledged));
  findings.push(
    ...[...verdict.findings, ...load.refusals.splice(0)].map((each) => `round ${round}: ${each}`),
  );
}
if (await look(keptEntries) !== kept) {
  findings.push("Clients and keys are not what they were before the crashes.");
}
const last = await look((kv) => validate(kv, load.acknowledged));
findings.push(...await whileServing(variables, readTotal));

const letters = await crashLetters(Number(options.rounds), options.kv);
findings.push(...letters.findings.map((each) => `letters: ${each}`));

for (const finding of findings) console.error(finding);
console.log(
  `${options.rounds} kills, ${early} of them before it listened; ${load.acknowledged.size} ` +
    `acknowledged addresses, ${last.counts.total} stored; ${findings.length} findings`,
);
console.log(
  `${options.rounds} kills with mail; ${letters.addresses} acknowledged addresses, ${letters.letters} ` +
    `letters, ${letters.cut} of them cut by a kill, ${letters.twice} taken twice`,
);
const nothingDone = load.acknowledged.size === 0 || letters.addresses === 0;
Deno.exitCode = findings.length > 0 || nothingDone ? 1 : 0;

/** Starts the process, loads it and kills it at a random moment; whether it came to listen. */
async function crash(): Promise<boolean> {
  const victim = startVictim(variables);
  const killed = new Promise((resolve) => setTimeout(resolve, Math.random() * LIFETIME_MS))
    .then(() => Promise.all([store.kill(), victim.end("SIGKILL")]));
  const service = await victim.serving;
  if (service) await load.run(service.baseUrl);
  await killed;
  store.startAgain();
  return service !== undefined;
}

/** Opens the store while no process of the service runs. */
async function look<T>(at: (kv: Deno.Kv) => Promise<T>): Promise<T> {
  using opened = await store.open();
  return await at(opened.kv);
}

/** Has the client, which is from before all crashes, read the statistics. */
async function readTotal(service: Serving): Promise<string[]> {
  const { total } = await readStats(service, await getAccessToken(service, credentials));
  if (total === last.counts.total) return [];
  return [`The statistics answer ${total}; ${last.counts.total} are stored.`];
}
