/**
 * `deno task bench:list`: measures the commands that handle the whole list, on a million sign-ups, each
 * with sign-ups going on beside it. Exits with 1 where a bound does not hold.
 *
 * @module
 */
import { Command } from "commander";
import { seed } from "../seed_process.ts";
import { writeListFile } from "./list_file.ts";
import { type CommandFigures, measureCommand, printCommands } from "./measure_command.ts";
import { beginRestoreOf } from "./begin_restore.ts";

const { signUps } = new Command("deno task bench:list")
  .option("--sign-ups <n>", "sign-ups on the list", "1000000")
  .parse(Deno.args, { from: "user" }).opts<{ signUps: string }>();

const folder = await Deno.makeTempDir({ prefix: "waitlist-bench-" });
try {
  const rows: CommandFigures[] = [];
  const { path } = await seed(`${folder}/full.sqlite3`, Number(signUps));
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
  const [list, backup] = [`${folder}/elsewhere.csv`, `${folder}/backup.ndjson`];
  await writeListFile(list, Number(signUps));
  const kvPath = `${folder}/imported.sqlite3`;
  rows.push(
    await measureCommand({
      name: "signups import, csv",
      kvPath,
      args: ["signups", "import", list],
      atMost: 90,
    }),
    await measureCommand({
      name: "counters verify",
      kvPath,
      args: ["counters", "verify"],
      atMost: 60,
    }),
    await measureCommand({ name: "backup", kvPath, args: ["backup", backup], atMost: 40 }),
    await measureCommand({
      name: "restore",
      kvPath: `${folder}/restored.sqlite3`,
      // Sign-ups beside it would keep a store from being empty, so the restore has begun before them.
      prepare: (operator) => beginRestoreOf(backup, operator),
      args: ["restore", backup, "--resume"],
      atMost: 90,
    }),
  );
  printCommands(rows);
  Deno.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}
