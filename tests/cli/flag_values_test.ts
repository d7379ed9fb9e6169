/** Every flag that takes a day or a moment. */
import assert from "node:assert/strict";
import { Command } from "commander";
import { COMMANDS } from "../../cli/command_tree.ts";
import { assertRefused } from "./support/cli.ts";
import { runOperator } from "./support/service.ts";
import type { TreeEntry } from "../../cli/tree_entry.ts";

/** Flags that take a UTC day or a moment, on command lines that need nothing else. */
const FLAGS: [command: string[], flag: string][] = [
  [["overview"], "--since"],
  [["audit"], "--since"],
  [["audit"], "--before"],
  [["letters", "list"], "--since"],
  [["letters", "list"], "--before"],
  [["signups", "list"], "--since"],
  [["signups", "list"], "--before"],
  [["signups", "export"], "--since"],
  [["signups", "export"], "--before"],
  [["jobs", "start", "remind"], "--since"],
  [["jobs", "start", "remind"], "--before"],
  [["signups", "erase", "--state", "waiting", "--yes"], "--before"],
  [["signups", "invite", "--next", "1", "--dry-run"], "--expires"],
  [["invitations", "renew", "ada@example.com"], "--expires"],
  [["invitations", "test", "ada@example.com"], "--expires"],
  [
    [
      ...["waves", "schedule", "weekly", "--next", "1", "--every", "day"],
      ...["--at", "09:00", "--zone", "UTC"],
    ],
    "--until",
  ],
];

Deno.test("Each flag for a date or a date-time refuses other texts, and refuses days that the calendar does not have", async (t) => {
  // Nothing listens here, so that a value which is let through ends with another code.
  const run = (args: string[]) => runOperator("http://127.0.0.1:9", args);
  for (const [command, flag] of FLAGS) {
    for (
      const value of [
        "May",
        "2026-02-30",
        "2027-02-29",
        "2026-04-31",
        "2026-00-10",
        "2026-02-30T00:00:00Z",
        "2026-06-31T12:00:00+02:00",
        "2026-05-01T24:00:00Z",
      ]
    ) {
      await t.step([...command, flag, value].join(" "), async () => {
        const line = new RegExp(`${flag} is '${value.replace("+", "\\+")}'; give `);
        await assertRefused(run, [[[...command, flag, value], line]]);
      });
    }
  }
});

/** Yields each command with the names that lead to it. */
async function* commandsIn(
  entries: TreeEntry[],
  parents: string[] = [],
): AsyncGenerator<[name: string, command: Command]> {
  for (const { name, load, entries: others = [] } of entries) {
    const names = [...parents, name];
    const runnable = await load?.();
    const command = new Command();
    runnable?.declare(command);
    yield [names.join(" "), command];
    yield* commandsIn(others, names);
  }
}

Deno.test("The table FLAGS of this test lists every flag for a date or a date-time", async () => {
  const declared: string[] = [];
  for await (const [name, command] of commandsIn(COMMANDS)) {
    for (const { flags, long } of command.options) {
      const isMoment = flags.includes("<date>") ||
        /^--(?:since|before|after|until|expires)$/.test(long ?? "");
      if (isMoment) declared.push(`${name} ${long}`);
    }
  }
  const known = FLAGS.map(([command, flag]) => {
    // Further flags and arguments only complete the command line.
    const names = command.slice(0, command[0] === "overview" || command[0] === "audit" ? 1 : 2);
    return `${names.join(" ")} ${flag}`;
  });
  assert.deepEqual(declared.toSorted(), known.toSorted());
});

Deno.test("'signups invite --expires' refuses the last day of the year 9999, because the service cannot store the day after it", async () => {
  await assertRefused((args) => runOperator("http://127.0.0.1:9", args), [
    [["signups", "invite", "--next", "1", "--expires", "9999-12-31"], /--expires is '9999-12-31'/],
  ]);
});
