/** What people see: the CLI on a pseudo-terminal. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startProxy } from "../../cli/support/proxy.ts";
import { OPERATOR, OPERATOR_KEY, runOperator, useService } from "../../cli/support/service.ts";
import { makeTestFolder } from "../../support/process.ts";
import { runCli } from "../../cli/support/cli.ts";
import { runOnTerminal, test } from "./support/terminal.ts";

const service = useService();

/** The variables of an operator, or of others, without colours. */
const plain = (variables: Record<string, string> = OPERATOR) => ({
  env: { WAITLIST_BASE_URL: service.url, NO_COLOR: "1", ...variables },
});

const CANCELLED = "waitlist: Cancelled; nothing was sent.";

test("'status' prints its output and its errors in colour on a terminal unless NO_COLOR is set", async (t) => {
  const table: [variables: Record<string, string>, coloured: boolean][] = [
    [{}, true],
    [{ NO_COLOR: "1" }, false],
    [{ NO_COLOR: "" }, true],
  ];
  for (const [variables, coloured] of table) {
    await t.step(JSON.stringify(variables), async () => {
      const env = { WAITLIST_BASE_URL: service.url, ...variables };
      const { code, stdout } = await runOnTerminal(["status"], { env });
      assert.equal(code, 0);
      const has = (sgr: string) => stdout.includes(sgr);
      assert.equal(has("\x1b[32mok\x1b[39m"), coloured);
      assert.equal(["\x1b[1m", "\x1b[2m", "\x1b[32m"].some(has), coloured);
      assert.match(stdout, /Environment.*production/);
      const refused = await runOnTerminal(["status", "--base-url", "none"], { env });
      assert.equal(refused.code, 2);
      assert.equal(refused.stdout.includes("\x1b[31mwaitlist:\x1b[39m"), coloured);
    });
  }
});

test("'stats' draws bars to scale, and no line with a bar is wider than the terminal", async () => {
  const { code, stdout } = await runOnTerminal(["stats", "--sandbox"], plain());
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^  en  768  ${"█".repeat(40)}\r$`, "m"));
  assert.match(stdout, new RegExp(`^  de  512  ${"█".repeat(27)}\r$`, "m"));

  const narrow = await runOnTerminal(["stats", "--sandbox"], { ...plain(), columns: 30 });
  const bars = narrow.stdout.split("\r\n").filter((line) => line.includes("█"));
  const longest = Math.max(...bars.map((line) => line.length));
  assert(longest <= 30, `${longest} columns`);
});

test("'stats --watch' draws the statistics again, and shows how each number has changed since the command's start", async () => {
  await using proxy = startProxy(service, { from: "192.0.2.81" });
  const { env } = plain({ ...service.client, WAITLIST_BASE_URL: proxy.url });
  const join = async () => {
    const args = ["join", "grace@example.com", "--consent", "--yes", "--source", "cta"];
    assert.equal((await runCli(args, { env })).code, 0);
  };
  const { code, stdout } = await runOnTerminal(
    ["stats", "--watch", "5"],
    { env },
    ["nobody yet", join],
    ["By form\r\n  cta  1", "\x03"],
  );
  assert.equal(code, 0);
  const [before, first, ...later] = stdout.split("\x1b[H\x1b[J");
  const last = later.at(-1)!;
  assert(!before!.includes("Waitlist statistics"));
  assert.match(first!, /Total +0\r\n/);
  assert.match(last, /Total +1 +\+1\r\n +Last 7 days +1 +\+1\r\n/);
  assert.match(last, /cta +1 +\+1 +█+\r\n/);
  assert.match(last, /\r\nStopped watching\.\r\n$/);
  assert.equal(proxy.calls.filter((call) => call.endsWith("/oauth/token")).length, 1);
});

test("'token' prints a summary, and not the access token, on a terminal", async () => {
  const { code, stdout } = await runOnTerminal(["token", "--sandbox"], plain({}));
  assert.equal(code, 0);
  assert.match(stdout, /Client +sandbox-public-client\r\n/);
  assert.match(stdout, /Scope +waitlist:stats:read\r\n/);
  assert.match(stdout, /Time left +1[45] min \d+ s\r\n/);
  assert(!stdout.includes("eyJ"), "no token");
});

test("'token' asks for the client's secret on a terminal, and does not show the typed secret", async () => {
  const { WAITLIST_CLIENT_ID, WAITLIST_CLIENT_SECRET } = service.client;
  const { code, stdout } = await runOnTerminal(
    ["token", "--client-id", WAITLIST_CLIENT_ID],
    plain({}),
    [`Secret of the client ${WAITLIST_CLIENT_ID}`, `${WAITLIST_CLIENT_SECRET}\r`],
  );
  assert.equal(code, 0);
  assert(stdout.includes(`Client     ${WAITLIST_CLIENT_ID}`), stdout);
  assert(!stdout.includes(WAITLIST_CLIENT_SECRET));
  assert(!/[*•▪]{2}/.test(stdout), "not even its length");
});

test("'join' asks for confirmation on a terminal before it signs an address up in production", async (t) => {
  await using proxy = startProxy(service, { from: "192.0.2.82" });
  const args = ["join", "alan@example.com", "--consent", "--base-url", proxy.url];
  for (
    const [key, code, line] of [
      ["n", 2, CANCELLED],
      ["\x03", 2, CANCELLED],
      ["y", 0, "Accepted: alan@example.com. If the service sends e-mails"],
    ] as [string, number, string][]
  ) {
    await t.step(JSON.stringify(key), async () => {
      assert.deepEqual(proxy.calls, []);
      const ended = await runOnTerminal(args, plain({}), ["This is production.", key]);
      assert(ended.stdout.includes(line), ended.stdout);
      assert.equal(ended.code, code);
    });
  }
  assert.deepEqual(proxy.calls, ["POST /api/v1/waitlist"]);
});

test("A command asks for the operator key on a terminal, and does not show the typed key", async () => {
  const { code, stdout } = await runOnTerminal(
    ["clients", "list", "--quiet"],
    plain({}),
    ["Operator key", `${OPERATOR_KEY}\r`],
  );
  assert.equal(code, 0, stdout);
  assert.ok(stdout.includes(service.client.WAITLIST_CLIENT_ID));
  assert.ok(!stdout.includes(OPERATOR_KEY));
});

test("'clients rotate' and 'signups erase' ask for confirmation on a terminal", async (t) => {
  const create = ["clients", "create", "--name", "A", "--quiet"];
  const [clientId = ""] = (await runOperator(service.url, create)).stdout.split("\n");
  const join = ["join", "grace@example.com", "--consent", "--yes"];
  assert.equal((await runOperator(service.url, join)).code, 0);
  const rotate = ["clients", "rotate", clientId, "--overlap", "0s"];
  const erase = ["signups", "erase", "grace@example.com"];
  const table: [args: string[], question: string, key: string, code: number, line: string][] = [
    [rotate, "End all present secrets of", "n", 2, CANCELLED],
    [erase, "This cannot be undone.", "n", 2, CANCELLED],
    [erase, "This cannot be undone.", "y", 0, "Erased: grace@example.com is no longer on the"],
  ];
  for (const [args, question, key, code, line] of table) {
    await t.step(`${question} ${key}`, async () => {
      const ended = await runOnTerminal(args, plain(), [question, key]);
      assert.ok(ended.stdout.includes(line), ended.stdout);
      assert.equal(ended.code, code);
    });
  }
});

test("'backup' leaves an existing file unchanged when the operator refuses to replace the file", async () => {
  await using folder = await makeTestFolder();
  const file = join(folder.path, "declined.ndjson");
  await Deno.writeTextFile(file, "what was there");
  const options = { ...plain(), columns: 200 };
  const { code, stdout } = await runOnTerminal(["backup", file], options, [
    "Replace the file",
    "n",
  ]);
  assert.ok(stdout.includes(`waitlist: Cancelled; '${file}' was not changed.`), stdout);
  assert.equal(code, 2);
  assert.equal(await Deno.readTextFile(file), "what was there");
});
