/**
 * `deno task fuzz`: prints one line of figures; exits with 1 and the request where an answer or a record is not as it
 * must be. @module
 */
import { Command } from "commander";
import { fuzz } from "./fuzz.ts";

const options = new Command("deno task fuzz")
  .option("--cases <n>", "requests to send", "100000")
  .option("--seed <n>", "makes the requests of an earlier run again", String(Date.now() % 2 ** 31))
  .parse(Deno.args, { from: "user" })
  .opts<{ cases: string; seed: string }>();

const { cases, statuses, records, findings } = await fuzz(
  Number(options.cases),
  Number(options.seed),
);
for (const finding of findings) console.error(finding);
const counted = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`).join(", ");
console.log(
  `${cases} requests with seed ${options.seed} (${counted}); ${records} sign-ups stored; ` +
    `${findings.length} findings`,
);
Deno.exitCode = findings.length > 0 ? 1 : 0;
