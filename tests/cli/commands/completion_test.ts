import assert from "node:assert/strict";
import { COMMANDS } from "../../../cli/command_tree.ts";
import { printed, runCli } from "../support/cli.ts";

const SHELLS = ["bash", "zsh", "fish"];

Deno.test("'completion' prints a script for each shell, and each script has all commands and flags", async (t) => {
  for (const shell of SHELLS) {
    await t.step(shell, async () => {
      const script = await printed(runCli(["completion", shell]));
      for (const { name } of COMMANDS) assert.match(script, new RegExp(`\\b${name}\\b`), name);
      for (const flag of ["referrals", "base-url", "identity"]) {
        assert.ok(script.includes(flag), flag);
      }
    });
  }
});

Deno.test("'completion' exits with code 2 when the shell is unknown", async () => {
  const { code, stderr } = await runCli(["completion", "csh"]);
  assert.equal(code, 2);
  assert.match(stderr, /The shell is 'csh'; give bash, zsh or fish/);
});

Deno.test("The Bash script that 'completion' prints completes commands and flags", async (t) => {
  const script = await printed(runCli(["completion", "bash"]));
  const cases: [line: string[], expected: string[]][] = [
    [["waitlist", "sta"], ["status", "stats"]],
    [["waitlist", "signups", "er"], ["erase"]],
    [["waitlist", "waves", "schedules", "pa"], ["pause"]],
    [["waitlist", "signups", "list", "--refe"], ["--referrals"]],
    [["waitlist", "--json", "keys", "ro"], ["rotate"]],
  ];
  for (const [words, expected] of cases) {
    await t.step(words.join(" "), async () => {
      const run = `${script}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
_waitlist; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout, stderr, success } = await new Deno.Command("bash", { args: ["-c", run] })
        .output();
      assert.ok(success, new TextDecoder().decode(stderr));
      assert.deepEqual(new TextDecoder().decode(stdout).trim().split("\n"), expected);
    });
  }
});
