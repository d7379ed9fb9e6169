/**
 * `deno task test:crash`: a client signs up from 64 connections, the process is killed at a random moment and started
 * again, and its store is held against what was acknowledged. With `--kv postgres`, the server is killed with the
 * process. With `--node`, each second process runs on Node, so that the file moves between it and Deno. The same follows
 * with letters, with waves of invitations, with schedules of waves, with referrals, and with jobs, imports and notes (on
 * Node, a quarter as often). With `--kv postgres`, one of two processes, or their server, is killed as well.
 * Prints lines of figures; exits with 1 where anything was lost, or where a trial has shown nothing.
 *
 * A kill ends a process, not its machine: what SQLite has handed to the operating system survives it. @module
 */
import { Command } from "commander";
import { KV_OPTION, makeStore, type StoreKind } from "../../support/kv_stores.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import type { RuntimeName } from "../../support/process.ts";
import { issueClient, readStats } from "../../support/process_requests.ts";
import { recount } from "../../support/records.ts";
import { getAccessToken } from "../../support/service.ts";
import { whileServing } from "../../support/victim.ts";
import { crashJobs } from "./jobs.ts";
import { crashLetters } from "./letters.ts";
import { crashOneOfSeveral } from "./one_of_several.ts";
import { crashReferrals } from "./referrals.ts";
import { crashRounds, createLoad } from "./rounds.ts";
import { crashSchedules } from "./schedules.ts";
import { crashWaves } from "./waves.ts";
import type { Kv, MaybeEntry } from "../../../server/store/kv/engine.ts";
import { readOne } from "../../../server/store/kv/calls.ts";
import { listAll } from "../../support/memory_kv.ts";

const LIFETIME_MS = 1_500;

const options = new Command("deno task test:crash")
  .option("--rounds <n>", "how often the process is killed", "100")
  .addOption(KV_OPTION)
  .option("--node", "run each second process on Node 26, whose program the variable NODE names")
  .parse(Deno.args, { from: "user" })
  .opts<{ rounds: string; kv: StoreKind; node?: true }>();
const rounds = Number(options.rounds);
const runtimes: RuntimeName[] = options.node ? ["deno", "node"] : ["deno"];
/** Kills with letters, and with waves: on Node, CI waits for them. */
const roundsOfWork = options.node ? Math.ceil(rounds / 4) : rounds;

await using store = await makeStore(options.kv);
const variables = { ...store.variables, TRUSTED_PROXY_HOPS: "1", OPERATOR_KEY };
const credentials = await whileServing(variables, issueClient);
const kept = await look(keptEntries);

const load = createLoad("crash");
const findings: string[] = [];
const early = { deno: 0, node: 0 };
const trial = { store, variables, load, lifetimeMs: LIFETIME_MS, runtimes };
for await (const round of crashRounds(trial, rounds)) {
  if (!round.hasListened) early[round.runtime]++;
  findings.push(...round.findings);
}
if (await look(keptEntries) !== kept) {
  findings.push("Clients and keys are not what they were before the crashes.");
}
const { total: stored } = await look((kv) => recount(kv, Date.now()));
// The client is from before all crashes.
const { total } = await whileServing(variables, async (service) => {
  return await readStats(service, await getAccessToken(service, credentials));
});
if (total !== stored) findings.push(`The statistics answer ${total}; ${stored} are stored.`);

const letters = await crashLetters(roundsOfWork, options.kv, runtimes);
findings.push(...letters.findings.map((each) => `letters: ${each}`));

if (options.kv === "postgres") {
  const kills = { processes: rounds, servers: Math.round(rounds * 0.4) };
  const several = await crashOneOfSeveral(kills);
  findings.push(...several.findings.map((each) => `one of several: ${each}`));
  console.log(
    `${kills.processes} kills of one of two processes, ${kills.servers} of their server; ` +
      `${several.addresses} acknowledged addresses, ${several.refused} requests refused`,
  );
}
const waves = await crashWaves(roundsOfWork, options.kv, runtimes);
findings.push(...waves.findings.map((each) => `waves: ${each}`));

const schedules = await crashSchedules(roundsOfWork, options.kv, runtimes);
findings.push(...schedules.findings.map((each) => `schedules: ${each}`));
const referrals = await crashReferrals(roundsOfWork, options.kv, runtimes);
findings.push(...referrals.findings.map((each) => `referrals: ${each}`));
const jobs = await crashJobs(roundsOfWork, options.kv, runtimes);
findings.push(...jobs.findings.map((each) => `jobs: ${each}`));

for (const finding of findings) console.error(finding);
console.log(
  `${rounds} kills, ${
    early.deno + early.node
  } of them before it listened; ${load.acknowledged.size} ` +
    `acknowledged addresses, ${stored} stored; ${findings.length} findings`,
);
console.log(
  `${roundsOfWork} kills with mail; ${letters.addresses} acknowledged addresses, ${letters.letters} ` +
    `letters, ${letters.cut} of them cut by a kill, ${letters.twice} taken twice, ${letters.reports} ` +
    "acknowledged reports of bounces and complaints",
);
console.log(
  `${roundsOfWork} kills while waves run, ${waves.underWay} of them before a wave was done; ` +
    `${waves.waves} waves, ${waves.invited} people, ${waves.letters} letters, ${waves.twice} taken twice`,
);
console.log(
  `${roundsOfWork} kills with jumps of the clock, ${schedules.underWay} of them before the wave of a schedule was ` +
    `done; ${schedules.waves} runs that started a wave, ${schedules.missed} that a clock has passed`,
);
console.log(
  `${roundsOfWork} kills with referrals; ${referrals.confirmed} acknowledged confirmations, ` +
    `${referrals.erased} erasures, at most ${referrals.referrals} referrals that counted`,
);
console.log(
  `${roundsOfWork} kills while jobs run, ${jobs.underWay} of them before a job was done; ${jobs.jobs} jobs on ` +
    `${jobs.people} people, ${jobs.lines} acknowledged lines of imports, ${jobs.notes} people with notes`,
);
/** What each trial must have at least once, because a trial without it can find nothing. */
const evidence = {
  "acknowledged addresses": load.acknowledged.size,
  "acknowledged addresses with mail": letters.addresses,
  "letters": letters.letters,
  "runs that started a wave": schedules.waves,
  "acknowledged confirmations": referrals.confirmed,
};
const missing = Object.entries(evidence).filter(([, count]) => count === 0).map(([name]) => name);
for (const name of missing) console.error(`There were no ${name}, so their trial shows nothing.`);
if (letters.reports === 0) {
  // On a slow machine, each process may be killed before a report of its first letters is answered. The trial of the
  // letters counts nevertheless, because the letters themselves are its evidence.
  console.error(
    "No report of a bounce or a complaint was acknowledged; nothing is known about them.",
  );
}
Deno.exitCode = findings.length > 0 || missing.length > 0 ? 1 : 0;

/** Opens the store while no process of the service runs. */
async function look<T>(at: (kv: Kv) => Promise<T>): Promise<T> {
  using opened = await store.open();
  return await at(opened.kv);
}

/**
 * What no crash may change, in a text that can be compared: clients, signing keys, and the key that hashes source
 * addresses.
 */
async function keptEntries(kv: Kv): Promise<string> {
  const entries: MaybeEntry<unknown>[] = [
    ...await listAll(kv, { prefix: ["client"] }),
    ...await listAll(kv, { prefix: ["root_key"] }),
    await readOne(kv, ["address_key"]),
  ];
  return entries.map((entry) => Deno.inspect(entry, { depth: 9, iterableLimit: 99 })).join("\n");
}
