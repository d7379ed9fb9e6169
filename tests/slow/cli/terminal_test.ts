/** What people see: the CLI on a pseudo-terminal. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startProxy } from "../../cli/support/proxy.ts";
import { OPERATOR, OPERATOR_KEY, runOperator, useService } from "../../cli/support/service.ts";
import { makeTestFolder } from "../../support/process.ts";
import { runCli } from "../../cli/support/cli.ts";
import { hasTerminal, startOnTerminal } from "./support/terminal.ts";

const service = useService();
const ignore = !await hasTerminal();

const RED_NAME = "\x1b[31mwaitlist:\x1b[39m";

Deno.test(
  { name: "status is coloured on a terminal, unless NO_COLOR is set", ignore },
  async () => {
    for (
      const [variables, coloured] of [
        [{}, true],
        [{ NO_COLOR: "1" }, false],
        [{ NO_COLOR: "" }, true],
      ] as [Record<string, string>, boolean][]
    ) {
      const env = { WAITLIST_BASE_URL: service.url, ...variables };
      await using terminal = startOnTerminal(["status"], { env });
      const { code, stdout } = await terminal.finished;
      assert.equal(code, 0);
      assert.equal(stdout.includes("\x1b[32mok\x1b[39m"), coloured);
      assert.equal(
        ["\x1b[1m", "\x1b[2m", "\x1b[32m"].some((sgr) => stdout.includes(sgr)),
        coloured,
      );
      assert.match(stdout, /Environment.*production/);
    }
  },
);

Deno.test(
  { name: "errors are coloured on a terminal, unless NO_COLOR is set", ignore },
  async () => {
    for (const [NO_COLOR, coloured] of [["", true], ["1", false]] as [string, boolean][]) {
      const env = { WAITLIST_BASE_URL: "none", NO_COLOR };
      await using terminal = startOnTerminal(["status"], { env });
      const { code, stdout } = await terminal.finished;
      assert.equal(code, 2);
      assert.equal(stdout.includes(RED_NAME), coloured);
    }
  },
);

Deno.test({ name: "stats draws bars to scale that fit the terminal", ignore }, async () => {
  const env = { WAITLIST_BASE_URL: service.url, NO_COLOR: "1" };
  await using wide = startOnTerminal(["stats", "--sandbox"], { env });
  const { code, stdout } = await wide.finished;
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^  en  768  ${"█".repeat(40)}\r$`, "m"));
  assert.match(stdout, new RegExp(`^  de  512  ${"█".repeat(27)}\r$`, "m"));

  await using narrow = startOnTerminal(["stats", "--sandbox"], { env, columns: 30 });
  const lines = (await narrow.finished).stdout.split("\r\n");
  const longest = Math.max(
    ...lines.filter((line) => line.includes("█")).map((line) => line.length),
  );
  assert(longest <= 30, `${longest} columns`);
});

Deno.test(
  { name: "stats redraws with the change since the start when it watches", ignore },
  async () => {
    await using proxy = startProxy(service, { from: "192.0.2.81" });
    const env = { ...service.client, WAITLIST_BASE_URL: proxy.url, NO_COLOR: "1" };
    await using terminal = startOnTerminal(["stats", "--watch", "5"], { env });
    await terminal.wrote("stdout", "nobody yet");
    const join = ["join", "grace@example.com", "--consent", "--yes", "--source", "cta"];
    assert.equal((await runCli(join, { env })).code, 0);
    await terminal.wrote("stdout", "By form\r\n  cta  1");
    await terminal.type("\x03");
    const { code, stdout } = await terminal.finished;
    assert.equal(code, 0);
    const [before, first, ...later] = stdout.split("\x1b[H\x1b[J");
    const last = later.at(-1)!;
    assert(!before!.includes("Waitlist statistics"));
    assert.match(first!, /Total +0\r\n/);
    assert.match(last, /Total +1 +\+1\r\n +Last 7 days +1 +\+1\r\n/);
    assert.match(last, /cta +1 +\+1 +█+\r\n/);
    assert.match(last, /\r\nStopped watching\.\r\n$/);
    assert.equal(proxy.calls.filter((call) => call.endsWith("/oauth/token")).length, 1);
  },
);

Deno.test({ name: "token shows a summary and not the token on a terminal", ignore }, async () => {
  const env = { WAITLIST_BASE_URL: service.url, NO_COLOR: "1" };
  await using terminal = startOnTerminal(["token", "--sandbox"], { env });
  const { code, stdout } = await terminal.finished;
  assert.equal(code, 0);
  assert.match(stdout, /Client +sandbox-public-client\r\n/);
  assert.match(stdout, /Scope +waitlist:stats:read\r\n/);
  assert.match(stdout, /Time left +1[45] min \d+ s\r\n/);
  assert(!stdout.includes("eyJ"), "no token");
});

Deno.test(
  { name: "token asks for the secret without showing it on a terminal", ignore },
  async () => {
    const { WAITLIST_CLIENT_ID, WAITLIST_CLIENT_SECRET } = service.client;
    const args = ["token", "--client-id", WAITLIST_CLIENT_ID, "--base-url", service.url];
    await using terminal = startOnTerminal(args, { env: { NO_COLOR: "1" } });
    await terminal.wrote("stdout", `Secret of the client ${WAITLIST_CLIENT_ID}`);
    await terminal.type(`${WAITLIST_CLIENT_SECRET}\r`);
    const { code, stdout } = await terminal.finished;
    assert.equal(code, 0);
    assert(stdout.includes(`Client     ${WAITLIST_CLIENT_ID}`), stdout);
    assert(!stdout.includes(WAITLIST_CLIENT_SECRET));
    assert(!/[*•▪]{2}/.test(stdout), "not even its length");
  },
);

Deno.test({ name: "join asks first in production on a terminal", ignore }, async () => {
  await using proxy = startProxy(service, { from: "192.0.2.82" });
  const args = ["join", "alan@example.com", "--consent", "--base-url", proxy.url];
  for (
    const [key, code, line] of [
      ["n", 2, "waitlist: Cancelled; nothing was sent."],
      ["\x03", 2, "waitlist: Cancelled; nothing was sent."],
      ["y", 0, "Accepted: alan@example.com. If the service sends letters"],
    ] as [string, number, string][]
  ) {
    assert.deepEqual(proxy.calls, []);
    await using terminal = startOnTerminal(args, { env: { NO_COLOR: "1" } });
    await terminal.wrote("stdout", "This is production.");
    await terminal.type(key);
    const finished = await terminal.finished;
    assert(finished.stdout.includes(line), finished.stdout);
    assert.equal(finished.code, code);
  }
  assert.deepEqual(proxy.calls, ["POST /api/v1/waitlist"]);
});

Deno.test(
  { name: "the operator key is asked for on a terminal, unseen", ignore },
  async () => {
    const args = ["clients", "list", "--quiet", "--base-url", service.url];
    await using terminal = startOnTerminal(args, { env: { NO_COLOR: "1" } });
    await terminal.wrote("stdout", "Operator key");
    await terminal.type(`${OPERATOR_KEY}\r`);
    const { code, stdout } = await terminal.finished;
    assert.equal(code, 0, stdout);
    assert.ok(stdout.includes(service.client.WAITLIST_CLIENT_ID));
    assert.ok(!stdout.includes(OPERATOR_KEY));
  },
);

/** A production client, issued by the command. */
async function createClient(): Promise<string> {
  const { stdout } = await runOperator(service.url, [
    "clients",
    "create",
    "--name",
    "A",
    "--quiet",
  ]);
  return stdout.split("\n")[0]!;
}

Deno.test(
  {
    name: "clients rotate asks first on a terminal when the overlap is 0",
    ignore,
  },
  async () => {
    const clientId = await createClient();
    const env = { ...OPERATOR, WAITLIST_BASE_URL: service.url, NO_COLOR: "1" };
    const args = ["clients", "rotate", clientId, "--overlap", "0s"];
    await using terminal = startOnTerminal(args, { env });
    await terminal.wrote("stdout", "End all present secrets of");
    await terminal.type("n");
    const { code, stdout } = await terminal.finished;
    assert.ok(stdout.includes("waitlist: Cancelled; nothing was sent."));
    assert.equal(code, 2);
  },
);

Deno.test({ name: "signups erase asks first on a terminal", ignore }, async () => {
  const join = ["join", "grace@example.com", "--consent", "--yes"];
  assert.equal((await runOperator(service.url, join)).code, 0);
  const env = { ...OPERATOR, WAITLIST_BASE_URL: service.url, NO_COLOR: "1" };
  for (
    const [key, code, line] of [
      ["n", 2, "waitlist: Cancelled; nothing was sent."],
      ["y", 0, "Erased: grace@example.com is no longer on the waitlist"],
    ] as [string, number, string][]
  ) {
    await using terminal = startOnTerminal(["signups", "erase", "grace@example.com"], { env });
    await terminal.wrote("stdout", "This cannot be undone.");
    await terminal.type(key);
    const finished = await terminal.finished;
    assert.ok(finished.stdout.includes(line), finished.stdout);
    assert.equal(finished.code, code);
  }
});

Deno.test({
  name: "backup says that a file is as it was when replacing it is declined on a terminal",
  ignore,
}, async () => {
  await using folder = await makeTestFolder();
  const file = join(folder.path, "declined.ndjson");
  await Deno.writeTextFile(file, "what was there");
  const env = { ...OPERATOR, WAITLIST_BASE_URL: service.url, NO_COLOR: "1" };
  await using terminal = startOnTerminal(["backup", file], { env, columns: 200 });
  await terminal.wrote("stdout", "Replace the file");
  await terminal.type("n");
  const { code, stdout } = await terminal.finished;
  assert.ok(stdout.includes(`waitlist: Cancelled; '${file}' is as it was.`), stdout);
  assert.equal(code, 2);
  assert.equal(await Deno.readTextFile(file), "what was there");
});
