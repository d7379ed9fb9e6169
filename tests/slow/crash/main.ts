/**
 * `deno task test:crash`: a client signs up from 64 connections, the process is killed at a random
 * moment and started again, and its file is held against what was acknowledged. Prints one line of
 * figures; exits with 1 where anything was lost.
 *
 * A kill ends a process, not its machine: what SQLite has handed to the operating system survives it.
 *
 * @module
 */
import { Command } from "commander";
import { join } from "node:path";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { makeTestFolder } from "../../support/process.ts";
import {
  issueClient,
  readStats,
  requestToken,
  type Serving,
} from "../../support/process_requests.ts";
import { startVictim, whileServing } from "../../support/victim.ts";
import { SignUpLoad } from "./sign_up_load.ts";
import { keptEntries, validate } from "./verdict.ts";

/** How long a process lives at the most, in milliseconds; some die before they listen. */
const LIFETIME_MS = 1_500;

const options = new Command("deno task test:crash")
  .option("--rounds <n>", "how often the process is killed", "100")
  .parse(Deno.args, { from: "user" })
  .opts<{ rounds: string }>();

await using folder = await makeTestFolder();
const variables = {
  KV_PATH: join(folder.path, "kv.sqlite3"),
  TRUSTED_PROXY_HOPS: "1",
  OPERATOR_KEY,
};
const credentials = await whileServing(variables, issueClient);
const kept = await keptEntries(variables.KV_PATH);

const load = new SignUpLoad("crash");
const findings: string[] = [];
let early = 0;
for (let round = 1; round <= Number(options.rounds); round++) {
  if (!await crash()) early++;
  const verdict = await validate(variables.KV_PATH, load.acknowledged);
  findings.push(
    ...[...verdict.findings, ...load.refusals.splice(0)].map((each) => `round ${round}: ${each}`),
  );
}
if (await keptEntries(variables.KV_PATH) !== kept) {
  findings.push("Clients and keys are not what they were before the crashes.");
}
const last = await validate(variables.KV_PATH, load.acknowledged);
findings.push(...await whileServing(variables, readTotal));

for (const finding of findings) console.error(finding);
console.log(
  `${options.rounds} kills, ${early} of them before it listened; ${load.acknowledged.size} ` +
    `acknowledged addresses, ${last.counts.total} stored; ${findings.length} findings`,
);
Deno.exitCode = findings.length > 0 || load.acknowledged.size === 0 ? 1 : 0;

/** Starts the process, loads it and kills it at a random moment; whether it came to listen. */
async function crash(): Promise<boolean> {
  const victim = startVictim(variables);
  const killed = new Promise((resolve) => setTimeout(resolve, Math.random() * LIFETIME_MS))
    .then(() => victim.end("SIGKILL"));
  const service = await victim.serving;
  if (service) await load.run(service.baseUrl);
  await killed;
  return service !== undefined;
}

/** Has the client, which is from before all crashes, read the statistics. */
async function readTotal(service: Serving): Promise<string[]> {
  const { total } = await readStats(service, await requestToken(service, credentials));
  if (total === last.counts.total) return [];
  return [`The statistics answer ${total}; ${last.counts.total} are stored.`];
}
