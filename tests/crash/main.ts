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
import { makeTestFolder } from "../support/process.ts";
import { createClient } from "../support/process_requests.ts";
import { basic } from "../support/service.ts";
import type { Credentials } from "../support/tokens.ts";
import { startVictim } from "../support/victim.ts";
import { SignUpLoad } from "./sign_up_load.ts";
import { judge, keptEntries } from "./verdict.ts";

/** How long a process lives at the most, in milliseconds; some die before they listen. */
const LIFETIME_MS = 1_500;

const options = new Command("deno task test:crash")
  .option("--rounds <n>", "how often the process is killed", "100")
  .parse(Deno.args, { from: "user" })
  .opts<{ rounds: string }>();

await using folder = await makeTestFolder();
const variables = {
  KV_PATH: join(folder.path, "kv.sqlite3"),
  // Every start has the same one, so that a token of one is valid in the next.
  BASE_URL: "http://localhost:8000",
  TRUSTED_PROXY_HOPS: "1",
};
const credentials = await createClient(variables);
const token = await whileServing((baseUrl) => requestToken(baseUrl, credentials));
const kept = await keptEntries(variables.KV_PATH);

const load = new SignUpLoad("crash");
const findings: string[] = [];
let early = 0;
for (let round = 1; round <= Number(options.rounds); round++) {
  if (!await crash()) early++;
  const verdict = await judge(variables.KV_PATH, { acknowledged: load.acknowledged, kept });
  findings.push(
    ...[...verdict.findings, ...load.refusals.splice(0)].map((each) => `round ${round}: ${each}`),
  );
}
const last = await judge(variables.KV_PATH, { acknowledged: load.acknowledged, kept });
findings.push(...await whileServing((baseUrl) => readFigures(baseUrl, last.counts.total)));

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
  const baseUrl = await victim.baseUrl;
  if (baseUrl) await load.run(baseUrl);
  await killed;
  return baseUrl !== undefined;
}

async function whileServing<T>(use: (baseUrl: string) => Promise<T>): Promise<T> {
  const victim = startVictim(variables);
  try {
    const baseUrl = await victim.baseUrl;
    if (!baseUrl) throw new Error("The service did not start");
    return await use(baseUrl);
  } finally {
    await victim.end("SIGTERM");
  }
}

async function requestToken(baseUrl: string, credentials: Credentials): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v1/oauth/token`, {
    method: "POST",
    headers: { Authorization: basic(credentials.clientId, credentials.clientSecret) },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  const { access_token } = await response.json();
  if (!access_token) throw new Error(`The client got no token, but ${response.status}`);
  return access_token;
}

/** Uses the client, and the token from before all crashes, and compares what the statistics say. */
async function readFigures(baseUrl: string, total: number): Promise<string[]> {
  const findings = [];
  for (const each of [token, await requestToken(baseUrl, credentials)]) {
    const response = await fetch(`${baseUrl}/api/v1/waitlist/stats`, {
      headers: { Authorization: `Bearer ${each}` },
    });
    const stats = await response.json();
    if (stats.total !== total) {
      findings.push(`The statistics answer ${response.status} and ${stats.total}, not ${total}.`);
    }
  }
  return findings;
}
