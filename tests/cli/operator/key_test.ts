import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder, startService } from "../../support/process.ts";
import { OPERATOR_KEY } from "../../support/operator.ts";
import { runCli } from "../support/cli.ts";
import { OPERATOR, useService } from "../support/service.ts";
import { hasTerminal, startOnTerminal } from "../support/terminal.ts";

const service = useService();
const LIST = ["clients", "list", "--quiet"];

Deno.test("the operator key comes from standard input when --key-stdin is given", async () => {
  const { code, stderr } = await runCli([...LIST, "--base-url", service.url, "--key-stdin"], {
    stdin: `${OPERATOR_KEY}\n`,
    env: { WAITLIST_OPERATOR_KEY: "not this one" },
  });
  assert.equal(code, 0, stderr);
});

Deno.test(
  { name: "the operator key is asked for on a terminal, unseen", ignore: !await hasTerminal() },
  async () => {
    const args = [...LIST, "--base-url", service.url];
    await using terminal = startOnTerminal(args, { env: { NO_COLOR: "1" } });
    await terminal.wrote("stdout", "Operator key");
    await terminal.type(`${OPERATOR_KEY}\r`);
    const { code, stdout } = await terminal.finished;
    assert.equal(code, 0, stdout);
    assert.ok(stdout.includes(service.client.WAITLIST_CLIENT_ID));
    assert.ok(!stdout.includes(OPERATOR_KEY));
  },
);

Deno.test("a command ends with 2 when there is no operator key", async () => {
  for (
    const [flags, env, stdin] of [
      [[], {}, ""],
      [["--key-stdin"], OPERATOR, ""],
      [["--key-stdin"], {}, "two words\n"],
    ] as [string[], Record<string, string>, string][]
  ) {
    const args = [...LIST, "--base-url", service.url, ...flags];
    const { code, stdout, stderr } = await runCli(args, { env, stdin });
    assert.match(stderr, /^waitlist: [^\n]+ WAITLIST_OPERATOR_KEY [^\n]+\.\n$/);
    assert.equal(stdout, "");
    assert.equal(code, 2);
  }
});

Deno.test("a command ends with 4 and shows no key when the operator key is wrong", async () => {
  const key = "a-key-that-is-not-the-service's-one";
  for (const flag of ["--quiet", "--verbose"]) {
    const { code, stdout, stderr } = await runCli(["clients", "list", flag], {
      env: { WAITLIST_BASE_URL: service.url, WAITLIST_OPERATOR_KEY: key },
    });
    assert.match(stderr, /answered 401: [^;]+; check that WAITLIST_OPERATOR_KEY is [^;]+\.\n$/);
    assert.ok(!stderr.includes(key));
    assert.equal(stdout, "");
    assert.equal(code, 4);
  }
});

Deno.test("a command names OPERATOR_KEY when the service has no operator surface", async () => {
  await using folder = await makeTestFolder();
  await using process = await startService({ KV_PATH: join(folder.path, "kv.sqlite3") });
  const { port } = process.started;
  const { code, stderr } = await runCli([...LIST, "--base-url", `http://127.0.0.1:${port}`], {
    env: OPERATOR,
  });
  assert.match(stderr, /^waitlist: .+ answered 404 .+ the service runs with OPERATOR_KEY set\.\n$/);
  assert.equal(code, 1);
});
