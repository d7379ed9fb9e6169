/** The commands that handle the whole list, each measured with sign-ups going on beside it. @module */
import { writeListFile } from "./list_file.ts";
import { MAIL } from "../mail/letters.ts";
import type { CommandFigures, OperatorAccess, Work } from "./measure_command.ts";
import { measureCommand } from "./measure_command.ts";

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
      args: [
        "signups",
        "invite",
        "--next",
        String(signUps / 10),
        "--link",
        LINK,
        "--wave",
        "bench",
        "--yes",
      ],
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

/** How many bytes the last line of a backup may have. */
const LAST_LINE_BYTES = 1_000;

/** Begins to restore a backup, which gives the store to it; its lines are sent by the command. */
async function beginRestoreOf(path: string, { baseUrl, key }: OperatorAccess): Promise<void> {
  using file = await Deno.open(path);
  await file.seek(-LAST_LINE_BYTES, Deno.SeekMode.End);
  const end = await new Response(file.readable).text();
  const { counts, sha256 } = JSON.parse(end.trimEnd().split("\n").at(-1)!);
  const response = await fetch(`${baseUrl}/operator/v1/restores`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ checksum: sha256, counts }),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.body?.cancel();
}
