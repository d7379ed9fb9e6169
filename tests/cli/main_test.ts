import assert from "node:assert/strict";
import { dirname } from "node:path";
import { runCli, runShell, shellLine } from "./support/cli.ts";
import { serveLocally } from "./support/proxy.ts";

const COMMANDS = ["status", "token", "stats", "join", "validate", "smoke"];

Deno.test("waitlist lists its commands and exit codes when asked for help", async () => {
  for (const args of [["--help"], ["help"]]) {
    const { code, stdout, stderr } = await runCli(args);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: waitlist \[options\] \[command\]\n/);
    for (const command of COMMANDS) assert.match(stdout, new RegExp(`^  ${command} +\\w`, "m"));
    assert.match(
      stdout,
      /0 fine +1 failed check +2 usage +3 cannot connect\s+4 not authorised +5 limited +6 not found\n/,
    );
    assert.equal(stderr, "");
  }
});

for (const command of COMMANDS) {
  Deno.test(`${command} shows its flags, examples and exit codes when asked for help`, async () => {
    for (const args of [[command, "--help"], ["help", command]]) {
      const { code, stdout, stderr } = await runCli(args);
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`^Usage: waitlist ${command} `));
      for (
        const flag of ["--sandbox", "--json", "--timeout", "--quiet", "--verbose", "--base-url"]
      ) {
        assert(stdout.includes(flag), flag);
      }
      assert.match(stdout, new RegExp(`^Examples:\n(.*waitlist ${command}.*\n){3,}`, "m"));
      assert.match(stdout, /^Exit codes:\n/m);
      assert.equal(stderr, "");
    }
  });
}

for (
  const [group, commands] of Object.entries({
    clients: ["create", "list", "rotate", "disable", "enable"],
    signups: ["export", "show", "erase"],
    keys: ["rotate"],
  })
) {
  Deno.test(`${group} lists its commands, and each shows its flags and examples, when asked for help`, async () => {
    for (const args of [[group, "--help"], ["help", group]]) {
      const { code, stdout } = await runCli(args);
      assert.equal(code, 0);
      for (const command of commands) assert.match(stdout, new RegExp(`^  ${command} +\\w`, "m"));
    }
    for (const command of commands) {
      const { code, stdout, stderr } = await runCli([group, command, "--help"]);
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`^Usage: waitlist ${group} ${command} `));
      for (const flag of ["--key-stdin", "--json", "--timeout", "--quiet", "--verbose"]) {
        assert(stdout.includes(flag), flag);
      }
      assert(!stdout.includes("--sandbox"), "there is no sandbox of the operator");
      assert.match(stdout, new RegExp(`^Examples:\n(.*waitlist ${group} .*\n){3,}`, "m"));
      assert.equal(stderr, "");
    }
  });
}

Deno.test("waitlist ends with 2 and one line when the command line is wrong", async () => {
  for (
    const [args, pattern] of [
      [["bogus"], /unknown command 'bogus'; see 'waitlist --help'/],
      [["stat"], /unknown command 'stat' \(Did you mean stats\?\); see/],
      [
        ["stats", "--jsno"],
        /unknown option '--jsno' \(Did you mean --json\?\); see 'waitlist stats --help'/,
      ],
      [["--sandbox", "stats"], /unknown option '--sandbox'/],
      [["status", "more"], /too many arguments/],
      [
        ["clients", "lst"],
        /unknown command 'lst' .Did you mean list.*; see 'waitlist clients --help'/,
      ],
      [["keys", "rotate", "now"], /too many arguments.*; see 'waitlist keys rotate --help'/],
      [["status", "--timeout"], /option '--timeout <seconds>' argument missing/],
      [["status", "--timeout", "0"], /--timeout is '0'; give a number of seconds from 0\.1 to 300/],
      [["status", "--timeout", "1e3"], /--timeout is '1e3'; give a number of seconds/],
      [["status", "--quiet", "--verbose"], /--quiet and --verbose exclude each other/],
    ] as [string[], RegExp][]
  ) {
    const { code, stdout, stderr } = await runCli(args);
    assert.match(stderr, pattern);
    assert.match(stderr, /^waitlist: [^\n]+\.\n$/);
    assert.equal(stdout, "");
    assert.equal(code, 2);
  }
});

Deno.test("waitlist shows its help and ends with 2 when there is no command", async () => {
  const { code, stdout, stderr } = await runCli([]);
  assert.equal(code, 2);
  assert.equal(stdout, "");
  assert.match(stderr, /^Usage: waitlist /);
});

Deno.test("waitlist ends quietly when nobody reads its help", async () => {
  const { stderr } = await runShell(
    `{ sleep 0.1; ${shellLine(["--help"])}; echo "code $?" >&2; } | true`,
  );
  assert.equal(stderr, "code 0\n");
});

Deno.test("waitlist ends with its code when nobody reads its errors", async () => {
  const line = `{ sleep 0.1; ${shellLine(["bogus"])} 2>&1; echo "code $?" >&2; } | true`;
  assert.equal((await runShell(line)).stderr, "code 2\n");
});

Deno.test("waitlist keeps to the permissions that it was given", async () => {
  const blind = await runShell(`'${Deno.execPath()}' run --quiet --no-prompt cli/main.ts status`);
  assert.equal(blind.code, 2);
  assert.match(blind.stderr, /^waitlist: Requires env access to "WAITLIST_BASE_URL", .+\.\n$/);

  const { stderr, code } = await runShell(
    `'${Deno.execPath()}' run --quiet --no-prompt --allow-env=WAITLIST_BASE_URL,WAITLIST_CLIENT_ID,` +
      "WAITLIST_CLIENT_SECRET,WAITLIST_OPERATOR_KEY,NO_COLOR --ignore-env cli/main.ts status",
  );
  assert.equal(code, 3);
  assert.match(
    stderr,
    /^waitlist: .+: the program has no permission for it \(--allow-net\); .+\.\n$/,
  );
});

Deno.test("waitlist names the permission when a document may not be read", async () => {
  const { stderr, code } = await runShell(
    shellLine(["validate", "--sandbox", "--document", "openapi.json"]),
  );
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^waitlist: Cannot read .+ no permission for it; install it with --allow-read\.\n$/,
  );
});

Deno.test("waitlist works with the permissions of the README when it is installed", async () => {
  const root = await Deno.makeTempDir();
  const install = await runShell(
    `'${Deno.execPath()}' install --global --quiet --config deno.json --frozen=false ` +
      `--root '${root}' --name waitlist --no-prompt --allow-net=127.0.0.1 --ignore-env ` +
      "--allow-env=WAITLIST_BASE_URL,WAITLIST_CLIENT_ID,WAITLIST_CLIENT_SECRET,WAITLIST_OPERATOR_KEY,NO_COLOR cli/main.ts",
  );
  assert.equal(install.code, 0, install.stderr);
  await using page = serveLocally(() => new Response("a page"));
  // The installed command finds Deno by its name.
  const line = `PATH='${
    dirname(Deno.execPath())
  }':"$PATH" '${root}/bin/waitlist' status --base-url`;
  const answer = await runShell(`${line} ${page.url}`);
  const elsewhere = await runShell(
    `'${root}/bin/waitlist' status --base-url http://localhost:8009`,
  );
  await Deno.remove(root, { recursive: true });
  assert.match(answer.stderr, /^waitlist: \S+ answered 200 with text\/plain where JSON belongs; /);
  assert.equal(answer.code, 1);
  assert.match(elsewhere.stderr, /no permission for it \(--allow-net\)/);
});
