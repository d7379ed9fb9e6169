import assert from "node:assert/strict";
import project from "../../deno.json" with { type: "json" };
import { VARIABLES } from "../../cli/context.ts";
import { assertRefused, printed, runCli } from "./support/cli.ts";
import { OPERATOR } from "./support/service.ts";

const COMMANDS = ["status", "token", "stats", "join", "validate", "smoke"];

Deno.test("'waitlist --help' and 'waitlist help' print the commands, the common flags and the exit codes", async (t) => {
  for (const args of [["--help"], ["help"]]) {
    await t.step(args.join(" "), async () => {
      const stdout = await printed(runCli(args));
      assert.match(stdout, /^Usage: waitlist \[options\] \[command\]\n/);
      for (const flag of ["--base-url", "--json", "--timeout", "--quiet", "--verbose"]) {
        assert.match(stdout, new RegExp(`^  (-\\w, )?${flag} `, "m"));
      }
      for (const command of COMMANDS) assert.match(stdout, new RegExp(`^  ${command} +\\w`, "m"));
      assert.match(
        stdout,
        /0 fine +1 failed check +2 usage +3 cannot connect\s+4 not authorised +5 limited +6 not found +130 interrupted\n/,
      );
    });
  }
});

Deno.test("'waitlist --version' and 'waitlist -V' print the version in deno.json", async (t) => {
  for (const flag of ["--version", "-V"]) {
    await t.step(flag, async () => {
      assert.equal(await printed(runCli([flag])), `waitlist ${project.version}\n`);
    });
  }
});

Deno.test("The tasks 'cli' and 'install' in deno.json let the CLI read only the environment variables that the CLI uses", async (t) => {
  for (const task of ["cli", "install"] as const) {
    await t.step(task, () => {
      assert(project.tasks[task].includes(` --allow-env=${VARIABLES.join(",")} `));
    });
  }
});

const SANDBOX_FLAGS = ["--sandbox", "--json", "--timeout", "--quiet", "--verbose", "--base-url"];

const OPERATOR_FLAGS = ["--key-stdin", "--json", "--timeout", "--quiet", "--verbose"];

const GROUPS = {
  clients: ["create", "list", "rotate", "disable", "enable"],
  signups: ["export", "show", "erase"],
  keys: ["rotate"],
};

Deno.test("Each command shows its flags, examples and exit codes when --help is given", async (t) => {
  const groups = Object.entries(GROUPS);
  const ofOperator = groups.flatMap(([group, commands]) => commands.map((each) => [group, each]));
  for (const [group, commands] of groups) {
    await t.step(group, async () => {
      const stdout = await printed(runCli(["help", group]));
      for (const command of commands) assert.match(stdout, new RegExp(`^  ${command} +\\w`, "m"));
    });
  }
  for (const words of [...COMMANDS.map((command) => [command]), ...ofOperator]) {
    await t.step(words.join(" "), async () => {
      const stdout = await printed(runCli([...words, "--help"]));
      assert.match(stdout, new RegExp(`^Usage: waitlist ${words.join(" ")} `));
      const isOperators = words.length > 1;
      for (const flag of isOperators ? OPERATOR_FLAGS : SANDBOX_FLAGS) {
        assert(stdout.includes(flag), `${words.join(" ")} ${flag}`);
      }
      assert.equal(
        stdout.includes("--sandbox"),
        !isOperators,
        "there is no sandbox of the operator",
      );
      assert.match(stdout, new RegExp(`^Examples:\n(.*waitlist ${words[0]}\\b.*\n){3,}`, "m"));
      assert.match(stdout, /^Exit codes:\n/m);
    });
  }
});

Deno.test("The CLI exits with code 2 and prints one line when the command line is wrong", async () => {
  await assertRefused(runCli, [
    [["bogus"], /unknown command 'bogus'; see 'waitlist --help'/],
    [["stat"], /unknown command 'stat' \(Did you mean stats\?\); see/],
    [
      ["stats", "--jsno"],
      /unknown option '--jsno' \(Did you mean --json\?\); see 'waitlist stats --help'/,
    ],
    // Names that only resemble the given one are no suggestions.
    [["login"], /unknown command 'login'; see/],
    [["signups", "erase", "--force"], /unknown option '--force'; see/],
    [["--sandbox", "stats"], /unknown option '--sandbox'/],
    [
      ["status", "more"],
      /too many arguments for 'status', which takes 0 arguments and got 1: 'more'; see 'waitlist status --help'\.\n$/,
    ],
    [
      ["clients", "lst"],
      /unknown command 'lst' .Did you mean list.*; see 'waitlist clients --help'/,
    ],
    [["restore", "backup", "--bogus"], /unknown option '--bogus'; see 'waitlist restore --help'/],
    [["keys", "rotate", "now"], /too many arguments.*; see 'waitlist keys rotate --help'/],
    [["status", "--timeout"], /option '--timeout <seconds>' lacks its value; see/],
    [["status", "--timeout", "0"], /--timeout is '0'; give a number of seconds from 0\.1 to 300/],
    [["status", "--timeout", "1e3"], /--timeout is '1e3'; give a number of seconds/],
    [["status", "--quiet", "--verbose"], /--quiet and --verbose exclude each other/],
  ]);
});

Deno.test("The CLI shows its help when the command line has no command", async () => {
  assert.match(await printed(runCli([])), /^Usage: waitlist /);
});

const LINK = ["--link", "https://app.example.com/{code}"];

/** A wave is the service's own work. */
const WAVE =
  /a (?:resumed wave|wave that has started) continues by itself; look at its state with 'waitlist waves list'$/;

/** A job is the service's own work, too. */
const JOB =
  /a job that has started continues by itself; look at its state with 'waitlist jobs list'$/;

Deno.test("The CLI exits with code 130 and says how to continue when Ctrl+C ends a long command", async (t) => {
  const table: [args: string[], goOn: RegExp][] = [
    [["counters", "verify"], /again; it counts anew$/],
    [["counters", "repair"], /again; it counts anew$/],
    [
      ["signups", "export"],
      /if this command has --output, the new run continues where this run has stopped$/,
    ],
    [["signups", "remind", "--all", "--yes"], /nobody is asked to confirm twice within 24 hours$/],
    [
      ["signups", "undeliverable", "ada@example.com"],
      /addresses that are already marked stay marked$/,
    ],
    [
      ["signups", "erase", "--state", "waiting", "--before", "2026-01-01", "--yes"],
      /it continues with the people who are not erased yet$/,
    ],
    [["outbox", "retry", "--all"], /again$/],
    [["signups", "invite", "--next", "2", ...LINK, "--yes"], WAVE],
    [["waves", "resume", "w"], WAVE],
    [["jobs", "start", "erase", "--search", "@a.example", "--most", "2"], JOB],
  ];
  for (const [args, goOn] of table) {
    await t.step(args.join(" "), async () => {
      const interruption = new AbortController();
      const fetch = () => {
        interruption.abort();
        return Promise.resolve(new Response(null, { status: 401 }));
      };
      const { code, stderr } = await runCli(args, { env: OPERATOR, interruption, fetch });
      assert.equal(code, 130, stderr);
      const last = stderr.trimEnd().split("\n").at(-1)!;
      const beginning = goOn === WAVE || goOn === JOB ? "" : "to go on, run the same command again";
      assert.match(last, new RegExp(`^waitlist: Interrupted; ${beginning}.*\\.$`));
      assert.match(last.slice(0, -1), goOn);
    });
  }
});
