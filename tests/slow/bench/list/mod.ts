/**
 * The commands that handle the whole list, each measured with sign-ups going on beside it.
 *
 * @module
 */
import { beginRestoreOf } from "./begin_restore.ts";
import { writeListFile } from "./list_file.ts";
import { type CommandFigures, measureCommand, type Work } from "./measure_command.ts";

/** What the measurements need. */
export interface ListOptions {
  /** Where there is room for files. */
  folder: string;
  /** A KV file with that many sign-ups. */
  full: string;
  signUps: number;
}

/** Measures every command once. */
export async function measureList(options: ListOptions): Promise<CommandFigures[]> {
  await writeListFile(`${options.folder}/elsewhere.csv`, options.signUps);
  const figures: CommandFigures[] = [];
  for (const work of [...exports(options), ...importAndWhatFollows(options)]) {
    figures.push(await measureCommand(work));
  }
  return figures;
}

function exports({ folder, full }: ListOptions): Work[] {
  return ["csv", "ndjson"].map((format) => ({
    name: `signups export, ${format}`,
    kvPath: full,
    args: ["signups", "export", "--output", `${folder}/list.${format}`],
    atMost: 30,
  }));
}

/** The letters of the invitations stay in the outbox: no mail server listens there. */
const MAIL = { MAIL_URL: "smtp://127.0.0.1:9", MAIL_FROM: "Waitlist <hello@example.com>" };

const LINK = "https://app.example.com/welcome?code={code}";

/** Each works on what the one before has left. */
function importAndWhatFollows({ folder, signUps }: ListOptions): Work[] {
  const [list, backup] = [`${folder}/elsewhere.csv`, `${folder}/backup.ndjson`];
  const kvPath = `${folder}/imported.sqlite3`;
  return [
    { name: "signups import, csv", kvPath, args: ["signups", "import", list], atMost: 90 },
    { name: "counters verify", kvPath, args: ["counters", "verify"], atMost: 60 },
    {
      name: "signups invite, one in ten",
      kvPath,
      args: ["signups", "invite", "--next", String(signUps / 10), "--link", LINK, "--yes"],
      variables: MAIL,
      atMost: 30,
    },
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
