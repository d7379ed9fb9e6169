import assert from "node:assert/strict";
import { runCli } from "../../support/cli.ts";
import { OPERATOR, useService } from "../../support/service.ts";

const service = useService();
const SCOPE = "waitlist:stats:read";

Deno.test("clients create shows a client once that works at once", async () => {
  const env = { ...OPERATOR, WAITLIST_BASE_URL: service.url };
  const create = ["clients", "create", "--name", "Dashboard", "--scope", SCOPE];
  const { code, stdout, stderr } = await runCli(create, { env });
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "Keep the secret now; it is not shown again.\n");
  const shown = /^ {2}client_id {6}([\w-]{16})\n {2}client_secret {2}([\w-]{43})\n$/.exec(stdout);
  assert.ok(shown, stdout);
  const [, WAITLIST_CLIENT_ID = "", WAITLIST_CLIENT_SECRET = ""] = shown;
  const stats = await runCli(["stats", "--quiet", "--base-url", service.url], {
    env: { WAITLIST_CLIENT_ID, WAITLIST_CLIENT_SECRET },
  });
  assert.equal(stats.code, 0, stats.stderr);

  const list = await runCli(["clients", "list"], { env });
  assert.equal(list.code, 0);
  assert.match(
    list.stdout,
    new RegExp(`^${WAITLIST_CLIENT_ID} +Dashboard +${SCOPE} +20\\d\\d-`, "m"),
  );
  assert.ok(!list.stdout.includes(WAITLIST_CLIENT_SECRET));
});

Deno.test("clients create and list print JSON, or the bare result, when they are told to", async () => {
  const env = { ...OPERATOR, WAITLIST_BASE_URL: service.url };
  const json = await runCli(["clients", "create", "--name", "CI", "--json"], { env });
  assert.equal(json.code, 0);
  assert.equal(json.stderr, "");
  const { client_id, client_secret, createdAt, ...rest } = JSON.parse(json.stdout);
  assert.deepEqual(rest, { name: "CI", scopes: [] });
  assert.match(client_secret, /^[\w-]{43}$/);

  const bare = await runCli(["clients", "create", "--name", "CI", "--quiet"], { env });
  assert.match(bare.stdout, /^[\w-]{16}\n[\w-]{43}\n$/);

  const list = await runCli(["clients", "list", "--json"], { env });
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
  const ids = await runCli(["clients", "list", "--quiet"], { env });
  assert.ok(ids.stdout.split("\n").includes(client_id));
});

Deno.test("clients create ends with 2 and the service's words when it is refused", async () => {
  const env = { ...OPERATOR, WAITLIST_BASE_URL: service.url };
  for (
    const [flags, pattern] of [
      [[], /required option '--name <name>' not specified; see 'waitlist clients create --help'/],
      [["--name", "x".repeat(10_000)], /Field 'name' is 'x{40}…'; give it 1 to 100 characters/],
      [["--name", "A", "--scope", SCOPE, "--scope", "all"], /Field 'scopes\.1' is 'all'; the only/],
      [["--name", "A", "--sandbox"], /unknown option '--sandbox'/],
    ] as [string[], RegExp][]
  ) {
    const { code, stdout, stderr } = await runCli(["clients", "create", ...flags], { env });
    assert.match(stderr, pattern);
    assert.match(stderr, /^waitlist: [^\n]+\.\n$/);
    assert.equal(stdout, "");
    assert.equal(code, 2);
  }
});
