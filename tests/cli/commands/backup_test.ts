/** Backups and what is restored of them, by the real process on the embedded file. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { eraseSignUp } from "../../../server/store/erasures.ts";
import { openKv } from "../../../server/store/open.ts";
import { storeSignUps } from "../../../server/store/sign_ups.ts";
import { readCounts } from "../../../server/store/statistics.ts";
import { makeTestFolder } from "../../support/process.ts";
import { assertNothingStored, recount, storedSignUps } from "../../support/records.ts";
import { runCli } from "../support/cli.ts";
import { type KillableService, startKillableService } from "../support/killable_service.ts";
import { serveLocally } from "../support/proxy.ts";
import { OPERATOR } from "../support/service.ts";
import { hasTerminal, startOnTerminal } from "../support/terminal.ts";

const COUNT = 12_000;
const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
const test = { folder: "", backup: "", text: "", url: "", records: {} as Record<string, unknown> };
const resources = new AsyncDisposableStack();

Deno.test.beforeAll(async () => {
  const { path } = resources.use(await makeTestFolder());
  const kvPath = join(path, "old.sqlite3");
  const records = await seed(kvPath);
  const { url } = resources.use(await startKillableService(kvPath));
  const backup = join(path, "backup.ndjson");
  Object.assign(test, { folder: path, backup, url, records });
  const { code, stdout, stderr } = await run(url, ["backup", backup]);
  assert.equal(code, 0, stderr);
  assert.equal(
    stdout,
    `Backed up 11,999 sign-ups, 0 clients, 1 mark of an erased address to ${backup}.\n`,
  );
  test.text = await Deno.readTextFile(backup);
});
Deno.test.afterAll(() => resources.disposeAsync());

async function seed(path: string) {
  using store = await openKv({ kind: "file", path });
  for (let from = 0; from < COUNT; from += 96) {
    const signUps = Array.from({ length: 96 }, (_, n) => ({
      signUp: {
        email: `visitor${from + n}@example.com`,
        lang: n % 3 === 0 ? "de" as const : "en" as const,
      },
      at: `2026-05-0${n % 9 + 1}T10:00:00.000Z`,
    }));
    await storeSignUps(store.kv, signUps);
  }
  await eraseSignUp(store.kv, "visitor3@example.com", { now: Date.now(), random });
  return await storedSignUps(store.kv);
}

function run(url: string, args: string[]) {
  return runCli(args, { env: { ...OPERATOR, WAITLIST_BASE_URL: url } });
}

/** A service on a store of its own, which is looked into once the service is gone. */
async function startOn(name: string) {
  const kvPath = join(test.folder, name);
  const service = await startKillableService(kvPath);
  return {
    ...service,
    async store() {
      await service.kill();
      return await openKv({ kind: "file", path: kvPath });
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

async function assertRestored(service: Awaited<ReturnType<typeof startOn>>): Promise<void> {
  using store = await service.store();
  assert.deepEqual(await storedSignUps(store.kv), test.records);
  const now = Date.now();
  assert.deepEqual(await readCounts(store.kv, now), await recount(store.kv, now));
}

Deno.test("backup writes a file that only its owner can read", async () => {
  assert.equal((await Deno.stat(test.backup)).mode! & 0o777, 0o600);
});

Deno.test("restore puts a backup into an empty store, and refuses a store that is not", async () => {
  await using service = await startOn("new.sqlite3");
  const { code, stdout, stderr } = await run(service.url, ["restore", test.backup]);
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    new RegExp(
      "^Restored the backup of 20\\S+Z: 11,999 sign-ups, 0 clients, 1 mark of an erased address\\.\n" +
        "The counters agree with the 11,999 records\\.\n$",
    ),
  );
  const again = await run(service.url, ["restore", test.backup]);
  assert.equal(again.code, 2);
  assert.match(
    again.stderr,
    /^waitlist: The store is not empty: it has sign-ups or clients\. .+ on a new KV_PATH or KV_URL\.\n$/,
  );
  await assertRestored(service);
});

Deno.test("restore writes nothing of a file that is damaged, cut or none of its own", async () => {
  await using service = await startOn("untouched.sqlite3");
  const lines = test.text.trimEnd().split("\n");
  const middle = Math.floor(test.text.length / 2);
  const swapped = [lines[1], lines[0], ...lines.slice(2)];
  const cases: [name: string, text: string, fault: RegExp][] = [
    ["empty", "", /it is empty/],
    ["foreign", "email,consentedAt\n", /it is no backup of a waitlist/],
    ["cut", test.text.slice(0, middle), /line \d+ is none of a backup's; the file is damaged/],
    ["without end", `${lines.slice(0, -1).join("\n")}\n`, /in the middle; it was cut/],
    [
      "shorter",
      `${[...lines.slice(0, 5), ...lines.slice(6)].join("\n")}\n`,
      /not as many as its end/,
    ],
    ["changed", test.text.replace('"lang":"de"', '"lang":"en"'), /its checksum is not that of its/],
    ["swapped", `${swapped.join("\n")}\n`, /line 1 is out of order; the file is damaged/],
    ["longer", `${test.text}${lines.at(-1)}\n`, /line \d+ is out of order; the file is damaged/],
    [
      "newer",
      test.text.replace('"version":1', '"version":2'),
      /it has version 2, .+ version 1; use/,
    ],
  ];
  for (const [name, text, fault] of cases) {
    const file = join(test.folder, `${name}.ndjson`);
    await Deno.writeTextFile(file, text);
    const { code, stdout, stderr } = await run(service.url, ["restore", file]);
    assert.equal(code, 2, name);
    assert.equal(stdout, "");
    assert.match(stderr, fault, name);
    assert.match(stderr, /^waitlist: '.+' cannot be restored: .+; nothing was written\.\n$/);
  }
  using store = await service.store();
  await assertNothingStored(store.kv);
});

/** Passes calls on, and runs `atThird` before the third one. */
function proxyThat(service: KillableService, atThird: () => Promise<void>) {
  let calls = 0;
  return serveLocally(async (request) => {
    if (++calls === 3) await atThird();
    const { method, headers } = request;
    const body = await request.arrayBuffer();
    const { pathname } = new URL(request.url);
    return await fetch(service.url + pathname, { method, headers, body }).catch(() =>
      new Response("The service is gone", { status: 502 })
    );
  });
}

Deno.test("restore says how to go on when the server was killed, and goes on with --resume", async () => {
  await using service = await startOn("killed.sqlite3");
  {
    await using proxy = proxyThat(service, service.kill);
    const killed = await run(proxy.url, ["restore", test.backup]);
    assert.notEqual(killed.code, 0);
  }
  await service.start();
  const again = await run(service.url, ["restore", test.backup]);
  assert.equal(again.code, 2);
  assert.equal(
    again.stderr,
    "waitlist: The store is not empty: it holds a part of this very backup, whose restore was not " +
      "finished; add --resume to go on with it.\n",
  );
  const half = await run(service.url, ["backup", join(test.folder, "half.ndjson")]);
  assert.notEqual(half.code, 0);
  assert.match(half.stderr, /The store holds only a part of the backup/);

  const resumed = await run(service.url, ["restore", test.backup, "--resume", "--json"]);
  assert.equal(resumed.code, 0, resumed.stderr);
  const { restored, unchanged, erased, recount } = JSON.parse(resumed.stdout);
  assert.equal(restored + unchanged, COUNT + 1, "sign-ups, a mark and its key");
  assert.equal(erased, 0);
  assert.deepEqual(recount.differences, []);
  await assertRestored(service);
});

Deno.test("backup replaces a file only when that is asked for, and leaves it as it was after a cut", async () => {
  const file = join(test.folder, "kept.ndjson");
  await Deno.writeTextFile(file, "what was there");
  const unasked = await run(test.url, ["backup", file]);
  assert.equal(unasked.code, 2);
  assert.equal(
    unasked.stderr,
    `waitlist: '${file}' is there already; add --yes to replace it.\n`,
  );
  {
    await using proxy = serveLocally(async (request) => {
      const { method, headers } = request;
      const body = await request.arrayBuffer();
      const url = test.url + new URL(request.url).pathname;
      const response = await fetch(url, { method, headers, body });
      const text = (await response.text()).slice(0, 500_000);
      return new Response(text, { headers: response.headers });
    });
    const cut = await run(proxy.url, ["backup", file, "--yes"]);
    assert.equal(cut.code, 3, cut.stderr);
    assert.match(cut.stderr, /^waitlist: .+\n$/);
  }
  assert.equal(await Deno.readTextFile(file), "what was there");
  const whole = await run(test.url, ["backup", file, "--yes", "--json"]);
  assert.equal(whole.code, 0, whole.stderr);
  assert.equal(JSON.parse(whole.stdout).counts.signUps, COUNT - 1);
  assert.equal((await Deno.readTextFile(file)).length, test.text.length);
  const names = (await Array.fromAsync(Deno.readDir(test.folder))).map(({ name }) => name);
  assert.deepEqual(names.filter((name) => name.endsWith(".part")), []);
});

Deno.test({
  name: "backup says that a file is as it was when replacing it is declined on a terminal",
  ignore: !await hasTerminal(),
}, async () => {
  const file = join(test.folder, "declined.ndjson");
  await Deno.writeTextFile(file, "what was there");
  const env = { ...OPERATOR, WAITLIST_BASE_URL: test.url, NO_COLOR: "1" };
  await using terminal = startOnTerminal(["backup", file], { env, columns: 200 });
  await terminal.wrote("stdout", "Replace the file");
  await terminal.type("n");
  const { code, stdout } = await terminal.finished;
  assert.ok(stdout.includes(`waitlist: Cancelled; '${file}' is as it was.`), stdout);
  assert.equal(code, 2);
  assert.equal(await Deno.readTextFile(file), "what was there");
});
