/**
 * `deno task bench:list`: measures the commands that handle the whole list, on a million sign-ups, each
 * with sign-ups going on beside it. Exits with 1 where a bound does not hold.
 *
 * @module
 */
import { Command } from "commander";
import { seed } from "../seed_process.ts";
import { measureCommand, printCommands } from "./measure_command.ts";

const { signUps } = new Command("deno task bench:list")
  .option("--sign-ups <n>", "sign-ups on the list", "1000000")
  .parse(Deno.args, { from: "user" }).opts<{ signUps: string }>();

const folder = await Deno.makeTempDir({ prefix: "waitlist-bench-" });
try {
  const { path } = await seed(`${folder}/full.sqlite3`, Number(signUps));
  const rows = [];
  for (const format of ["csv", "ndjson"]) {
    rows.push(
      await measureCommand({
        name: `signups export, ${format}`,
        kvPath: path,
        args: ["signups", "export", "--output", `${folder}/list.${format}`],
        atMost: 30,
      }),
    );
  }
  printCommands(rows);
  Deno.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}
