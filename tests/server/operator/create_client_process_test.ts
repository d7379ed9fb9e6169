import assert from "node:assert/strict";
import { join } from "node:path";
import { findClient } from "../../../server/store/clients.ts";
import { openKv } from "../../../server/store/open.ts";
import { makeTestFolder, runTask } from "../../support/process.ts";
import { secretDigest } from "../../support/tokens.ts";

const SCOPE = "waitlist:stats:read";

Deno.test("client:create shows a new client's id and secret once and stores it when it is run", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "no folder yet", "kv.sqlite3");
  const args = ["client:create", "--name", "Dashboard, first floor", "--scope", SCOPE];
  const { code, stdout, stderr } = await runTask(args, { KV_PATH: path });
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  const lines = /^client_id +([\w-]{16})\nclient_secret +([\w-]{43})\n(.+not shown again.*)\n$/
    .exec(stdout);
  assert.ok(lines, stdout);
  const [, clientId = "", clientSecret = ""] = lines;

  using store = await openKv({ kind: "file", path });
  const client = await findClient(store.kv, clientId);
  assert.ok(client);
  const { createdAt, ...rest } = client;
  assert.deepEqual(rest, {
    clientId,
    name: "Dashboard, first floor",
    scopes: [SCOPE],
    secrets: [secretDigest(clientSecret)],
  });
  assert.equal(new Date(createdAt).toISOString(), createdAt);
});

Deno.test("client:create says what is wrong in one line and stores nothing when an option is wrong", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  for (
    const [options, line] of [
      [[], /^error: required option '--name <name>' not specified\n$/],
      [["--name"], /^error: option '--name <name>' argument missing\n$/],
      [["--name", " "], /^The name has 1 characters; give it 1 to 100\.\n$/],
      [
        ["--name", "Test", "--scope", "all"],
        /^There is no scope 'all'; .+waitlist:stats:read\.\n$/,
      ],
      [["--name", "Test", "--sope", "all"], /^error: unknown option '--sope'\n.*--scope.*\n$/],
    ] as const
  ) {
    const { code, stdout, stderr } = await runTask(["client:create", ...options], {
      KV_PATH: path,
    });
    assert.match(stderr, line);
    assert.equal(code, 1);
    assert.equal(stdout, "");
  }
  using store = await openKv({ kind: "file", path });
  assert.deepEqual(await Array.fromAsync(store.kv.list({ prefix: [] })), []);
});

Deno.test("client:create says what is wrong in one line when there can be no file at KV_PATH", async () => {
  await using folder = await makeTestFolder();
  const { code, stdout, stderr } = await runTask(["client:create", "--name", "Test"], {
    KV_PATH: folder.path,
  });
  assert.match(stderr, /^unable to open database file: .+\n$/);
  assert.equal(code, 1);
  assert.equal(stdout, "");
});

Deno.test("client:create ends with 1 and names the way out when the service has the file", async () => {
  await using folder = await makeTestFolder();
  const path = join(folder.path, "kv.sqlite3");
  using _store = await openKv({ kind: "file", path });
  const { code, stderr } = await runTask(["client:create", "--name", "A"], { KV_PATH: path });
  assert.equal(code, 1);
  assert.match(stderr, /^The KV file '.+' is in use by process \d+\. Stop that one first, .+\n$/);
});
