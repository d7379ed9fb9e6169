import assert from "node:assert/strict";
import { runCli } from "../../support/cli.ts";
import { OPERATOR, useService } from "../../support/service.ts";
import { hasTerminal, startOnTerminal } from "../../support/terminal.ts";

const service = useService();

async function run(args: string[]) {
  return await runCli(["clients", ...args], {
    env: { ...OPERATOR, WAITLIST_BASE_URL: service.url },
  });
}

async function create(): Promise<{ clientId: string; clientSecret: string }> {
  const { stdout } = await run(["create", "--name", "Rotating", "--json"]);
  const { client_id, client_secret } = JSON.parse(stdout);
  return { clientId: client_id, clientSecret: client_secret };
}

Deno.test("clients rotate shows the new secret and how long the old one works", async () => {
  const { clientId, clientSecret } = await create();
  const shown = await run(["rotate", clientId]);
  assert.equal(shown.code, 0, shown.stderr);
  const lines = /^ {2}client_id +(\S+)\n {2}client_secret +(\S+)\n {2}old one until +(\S+)\n$/
    .exec(shown.stdout);
  assert.ok(lines, shown.stdout);
  assert.equal(lines[1], clientId);
  assert.notEqual(lines[2], clientSecret);
  const days = (Date.parse(lines[3]!) - Date.now()) / 86_400_000;
  assert.ok(days > 6.9 && days <= 7, `${days} days`);
  const listed = await run(["list"]);
  assert.match(listed.stdout, new RegExp(`^${clientId} .+ an old secret works until 20`, "m"));

  const json = JSON.parse((await run(["rotate", clientId, "--overlap", "90m", "--json"])).stdout);
  assert.deepEqual(Object.keys(json), ["client_id", "client_secret", "oldSecretUntil"]);
  assert.match(
    (await run(["list"])).stdout,
    new RegExp(`^${clientId} .+ 2 old secrets work, the last until 20\\S+$`, "m"),
  );
  const bare = await run(["rotate", clientId, "--overlap", "0s", "--yes", "--quiet"]);
  assert.match(bare.stdout, /^[\w-]{43}\n$/);
});

Deno.test("clients rotate ends with 2 when the overlap is wrong or --yes is missing, and with 6 when there is no such client", async () => {
  for (
    const [args, pattern, exitCode = 2] of [
      [["a", "--overlap", "soon"], /--overlap is 'soon'; give a time such as 0s, 30m, 12h or 7d/],
      [["a", "--overlap", "1.5d"], /--overlap is '1\.5d'/],
      [["a", "--overlap", "91d"], /'overlapSeconds' is 7862400; give a whole number of seconds/],
      [["a", "--overlap", "0s"], /cannot be undone .+; add --yes/],
      [["nobody"], /answered 404: There is no client 'nobody'\.\n$/, 6],
      [[], /missing required argument 'client_id'; see 'waitlist clients rotate --help'/],
    ] as [string[], RegExp, number?][]
  ) {
    const { code, stdout, stderr } = await run(["rotate", ...args]);
    assert.match(stderr, pattern);
    assert.equal(stdout, "");
    assert.equal(code, exitCode);
  }
});

Deno.test(
  {
    name: "clients rotate asks first on a terminal when the overlap is 0",
    ignore: !await hasTerminal(),
  },
  async () => {
    const { clientId } = await create();
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

Deno.test("clients disable and enable say what happens, and list shows it", async () => {
  const { clientId } = await create();
  const disabled = await run(["disable", clientId]);
  assert.equal(disabled.code, 0, disabled.stderr);
  assert.match(disabled.stdout, /^Disabled: .+\n$/);
  assert.match((await run(["list"])).stdout, new RegExp(`^${clientId} .+ disabled$`, "m"));
  const enabled = await run(["enable", clientId, "--json"]);
  assert.equal(JSON.parse(enabled.stdout).disabled, false);
  const unknown = await run(["disable", "nobody"]);
  assert.equal(unknown.code, 6);
  assert.match(unknown.stderr, /There is no client 'nobody'/);
});
