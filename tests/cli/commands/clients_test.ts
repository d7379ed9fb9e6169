/** Clients and signing keys: what authenticates programs. */
import assert from "node:assert/strict";
import { assertRefused, printed, runCli } from "../support/cli.ts";
import { serveLocally } from "../support/proxy.ts";
import { runOperator, useService } from "../support/service.ts";

const service = useService();
const SCOPE = "waitlist:stats:read";

const run = (args: string[]) => runOperator(service.url, ["clients", ...args]);

Deno.test("'clients create' shows the secret of the new client, 'clients list' shows no secret, and the new client can get tokens at once", async () => {
  const create = ["create", "--name", "Dashboard", "--scope", SCOPE];
  const { code, stdout, stderr } = await run(create);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "Save the secret now; it is not shown again.\n");
  const shown = /^ {2}client_id {6}([\w-]{16})\n {2}client_secret {2}([\w-]{43})\n$/.exec(stdout);
  assert.ok(shown, stdout);
  const [, WAITLIST_CLIENT_ID = "", WAITLIST_CLIENT_SECRET = ""] = shown;
  await printed(runCli(["stats", "--quiet", "--base-url", service.url], {
    env: { WAITLIST_CLIENT_ID, WAITLIST_CLIENT_SECRET },
  }));

  const list = await printed(run(["list"]));
  assert.match(
    list,
    new RegExp(`^${WAITLIST_CLIENT_ID} +Dashboard +${SCOPE} +20\\d\\d-`, "m"),
  );
  assert.ok(!list.includes(WAITLIST_CLIENT_SECRET));
});

Deno.test("'clients create' and 'clients list' print JSON with --json, and print only ids and secrets with --quiet", async () => {
  const json = await run(["create", "--name", "CI", "--json"]);
  assert.equal(json.code, 0);
  assert.equal(json.stderr, "");
  const { client_id, client_secret, createdAt, ...rest } = JSON.parse(json.stdout);
  assert.deepEqual(rest, { name: "CI", scopes: [] });
  assert.match(client_secret, /^[\w-]{43}$/);

  const bare = await run(["create", "--name", "CI", "--quiet"]);
  assert.match(
    bare.stderr,
    /^waitlist: The client has no scope, .+ --scope waitlist:stats:read\.\n$/,
  );
  assert.match(bare.stdout, /^[\w-]{16}\n[\w-]{43}\n$/);

  const list = await run(["list", "--json"]);
  const { clients } = JSON.parse(list.stdout);
  assert.deepEqual(
    clients.find((client: { client_id: string }) => client.client_id === client_id),
    {
      client_id,
      ...rest,
      createdAt,
      disabled: false,
      secrets: [{ expiresAt: null }],
    },
  );
  const ids = await run(["list", "--quiet"]);
  assert.ok(ids.stdout.split("\n").includes(client_id));
});

Deno.test("'clients create' exits with code 2 and names the fault when the name or a scope is refused", async () => {
  await assertRefused((args) => run(["create", ...args]), [
    [[], /the required option '--name <name>' is missing; see 'waitlist clients create --help'/],
    [["--name", "x".repeat(10_000)], /Field 'name' is 'x{40}…'; give it 1 to 100 characters/],
    [["--name", "A", "--scope", SCOPE, "--scope", "all"], /Field 'scopes\.1' is 'all'; the only/],
    [["--name", "A", "--sandbox"], /unknown option '--sandbox'/],
  ]);
});

async function create(): Promise<{ clientId: string; clientSecret: string }> {
  const { stdout } = await run(["create", "--name", "Rotating", "--json"]);
  const { client_id, client_secret } = JSON.parse(stdout);
  return { clientId: client_id, clientSecret: client_secret };
}

Deno.test("'clients rotate' shows the new secret and the time until which the old secret works", async () => {
  const { clientId, clientSecret } = await create();
  const { code, stdout: shown, stderr } = await run(["rotate", clientId]);
  assert.equal(code, 0, stderr);
  const lines = /^ {2}client_id +(\S+)\n {2}client_secret +(\S+)\n {2}old one until +(\S+)\n$/
    .exec(shown);
  assert.ok(lines, shown);
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

Deno.test("'clients rotate' exits with code 2 when --overlap is wrong or --yes is missing, and with code 6 when the client is unknown", async () => {
  await assertRefused((args) => run(["rotate", ...args]), [
    [
      ["a", "--overlap", "soon"],
      /--overlap is 'soon'; give a length of time such as 0s, 30m, 12h or 7d/,
    ],
    [["a", "--overlap", "1.5d"], /--overlap is '1\.5d'/],
    [["a", "--overlap", "91d"], /'overlapSeconds' is 7862400; give a whole number of seconds/],
    [["a", "--overlap", "0s"], /cannot be undone, .+; add --yes/],
    [["nobody"], /^waitlist: There is no client 'nobody' \(404 from \S+\)\.\n$/, 6],
    [[], /the required argument 'client_id' is missing; see 'waitlist clients rotate --help'/],
  ]);
});

Deno.test("'clients disable' and 'clients enable' change the state that 'clients list' shows for a client", async () => {
  const { clientId } = await create();
  const disabled = await run(["disable", clientId]);
  assert.equal(disabled.code, 0, disabled.stderr);
  assert.match(disabled.stdout, /^Disabled: .+\n$/);
  assert.match((await run(["list"])).stdout, new RegExp(`^${clientId} .+ disabled$`, "m"));
  const enabled = await run(["enable", clientId, "--json"]);
  assert.equal(JSON.parse(enabled.stdout).disabled, false);
});

Deno.test("'clients rename' prints the new name of a client, and 'clients delete' requires --yes", async () => {
  const { clientId } = await create();
  const renamed = await run(["rename", clientId, "Old board"]);
  assert.equal(renamed.stdout, `${clientId} is now called 'Old board'.\n`);
  await assertRefused((args) => run(["delete", ...args]), [[[clientId], /; add --yes/]]);
  const deleted = await run(["delete", clientId, "--yes"]);
  assert.match(deleted.stdout, /^Deleted: 'Old board'\. .+\n$/);
  assert.equal((await run(["rename", clientId, "New"])).code, 6);
});

Deno.test("'keys rotate' prints the time from which the new key signs tokens, and makes no further key until then", async () => {
  const runKeys = (args: string[]) => runOperator(service.url, ["keys", ...args]);
  assert.match(
    await printed(runKeys(["rotate"])),
    /^Key 2 signs from 20\S+Z on\. Tokens of the older key stay valid .+\n$/,
  );
  const soon = await runKeys(["rotate"]);
  assert.match(soon.stdout, /^A rotation is already under way\. Key 2 signs from 20\S+Z on\. /);
  // Within the minute it is still the same one.
  const again = await runKeys(["rotate", "--json"]);
  assert.equal(JSON.parse(again.stdout).keyId, "2");
  const quiet = await runKeys(["rotate", "--quiet"]);
  assert.deepEqual(quiet, { code: 0, stdout: "", stderr: "" });
});

Deno.test("'keys rotate --links' requires --yes, and prints the time until which older links work", async () => {
  const rotate = (...flags: string[]) =>
    runOperator(service.url, ["keys", "rotate", "--links", ...flags]);
  const unasked = await rotate();
  assert.equal(unasked.code, 2);
  assert.match(unasked.stderr, /add --yes/);
  const unlinked = await runOperator(service.url, ["keys", "rotate", "--overlap", "0s"]);
  assert.equal(unlinked.code, 2);
  assert.match(unlinked.stderr, /--overlap works only with --links/);
  const stdout = await printed(rotate("--yes", "--overlap", "30d"));
  assert.match(stdout, /^E-mails, lists .+ from now on\. Older links work until 20\S+Z\.\n$/);
  const { oldLinksUntil } = JSON.parse((await rotate("--yes", "--json")).stdout);
  assert.equal(Date.parse(oldLinksUntil) > Date.now() + 89 * 24 * 60 * 60_000, true);
});

Deno.test("'keys rotate' and 'clients rotate' print the service's advice when the service cannot tell whether the rotation was done", async (t) => {
  const message = `${"It may still be made; try again once KV answers. ".repeat(4).slice(0, 199)}.`;
  await using failing = serveLocally(() =>
    Response.json({ error: "internal_error", message }, { status: 500 })
  );
  for (const args of [["keys", "rotate"], ["clients", "rotate", "kVx2Qd0nRzM4aTfW"]]) {
    await t.step(args.join(" "), async () => {
      const { code, stderr } = await runOperator(failing.url, args);
      assert.equal(code, 1);
      assert.ok(stderr.startsWith(`waitlist: ${message.slice(0, -1)} (500 from `), stderr);
    });
  }
});
