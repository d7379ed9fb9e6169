/**
 * `deno task bench:list`: measures the commands that handle the whole list, on a million sign-ups, each
 * with sign-ups going on beside it. Exits with 1 where a bound does not hold.
 *
 * @module
 */
import { Command } from "commander";
import { seed } from "../seed_process.ts";
import { writeListFile } from "./list_file.ts";
import {
  type CommandFigures,
  measureCommand,
  printCommands,
  type Work,
} from "./measure_command.ts";
import { beginRestoreOf } from "./begin_restore.ts";

const { signUps, only } = new Command("deno task bench:list")
  .option("--sign-ups <n>", "sign-ups on the list", "1000000")
  .option("--only <name>", "only 'export', or only 'import' and what follows it", "")
  .parse(Deno.args, { from: "user" }).opts<{ signUps: string; only: string }>();

const folder = await Deno.makeTempDir({ prefix: "waitlist-bench-" });
try {
  const works = [
    ...("export".includes(only) ? await exports() : []),
    ...("import".includes(only) ? await importAndWhatFollows() : []),
  ];
  const rows: CommandFigures[] = [];
  for (const work of works) {
    rows.push(await measureCommand(work));
    console.error(`${work.name}: ${rows.at(-1)?.seconds.toFixed(1)} s`);
  }
  printCommands(rows);
  Deno.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function exports(): Promise<Work[]> {
  const { path: kvPath } = await seed(`${folder}/full.sqlite3`, Number(signUps));
  return ["csv", "ndjson"].map((format) => ({
    name: `signups export, ${format}`,
    kvPath,
    args: ["signups", "export", "--output", `${folder}/list.${format}`],
    atMost: 30,
  }));
}

/** Each works on what the one before has left. */
async function importAndWhatFollows(): Promise<Work[]> {
  const [list, backup] = [`${folder}/elsewhere.csv`, `${folder}/backup.ndjson`];
  await writeListFile(list, Number(signUps));
  const kvPath = `${folder}/imported.sqlite3`;
  return [
    { name: "signups import, csv", kvPath, args: ["signups", "import", list], atMost: 90 },
    { name: "counters verify", kvPath, args: ["counters", "verify"], atMost: 60 },
    { name: "backup", kvPath, args: ["backup", backup], atMost: 40 },
    {
      name: "restore",
      kvPath: `${folder}/restored.sqlite3`,
      // Sign-ups beside it would keep a store from being empty, so the restore has begun before them.
      prepare: (operator) => beginRestoreOf(backup, operator),
      args: ["restore", backup, "--resume"],
      atMost: 90,
    },
  ];
}
