/** What is restored of a backup, by the real process on the embedded file. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openKv } from "../../../server/store/open.ts";
import { readCounts } from "../../../server/store/statistics.ts";
import { assertNothingStored, recount, storedSignUps } from "../../support/records.ts";
import { COUNT, makeBackup, runOperator } from "../support/backup.ts";
import { type KillableService, startKillableService } from "../support/killable_service.ts";
import { serveLocally } from "../support/proxy.ts";

let test: Awaited<ReturnType<typeof makeBackup>>;

Deno.test.beforeAll(async () => {
  test = await makeBackup();
});
Deno.test.afterAll(() => test[Symbol.asyncDispose]());

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

Deno.test("restore puts a backup into an empty store, and refuses a store that is not", async () => {
  await using service = await startOn("new.sqlite3");
  const { code, stdout, stderr } = await runOperator(service.url, ["restore", test.path]);
  assert.equal(code, 0, stderr);
  assert.match(
    stdout,
    new RegExp(
      "^Restored the backup of 20\\S+Z: 11,999 sign-ups, 0 clients, 1 mark of an erased address\\.\n" +
        "The counters agree with the 11,999 records\\.\n$",
    ),
  );
  const again = await runOperator(service.url, ["restore", test.path]);
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
      "of Windows",
      test.text.replaceAll("\n", "\r\n"),
      /has CRLF line ends .+; use the file as .+ binary/,
    ],
    [
      "edited",
      `\ufeff${test.text}`,
      /begins with a byte order mark, .+; use the file as .+ binary/,
    ],
    [
      "newer",
      test.text.replace('"version":1', '"version":2'),
      /it has version 2, .+ version 1; use/,
    ],
  ];
  for (const [name, text, fault] of cases) {
    const file = join(test.folder, `${name}.ndjson`);
    await Deno.writeTextFile(file, text);
    const { code, stdout, stderr } = await runOperator(service.url, ["restore", file]);
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
    const killed = await runOperator(proxy.url, ["restore", test.path]);
    assert.notEqual(killed.code, 0);
  }
  await service.start();
  const again = await runOperator(service.url, ["restore", test.path]);
  assert.equal(again.code, 2);
  assert.equal(
    again.stderr,
    "waitlist: The store is not empty: it holds a part of this very backup, whose restore was not " +
      "finished; add --resume to go on with it.\n",
  );
  const half = await runOperator(service.url, ["backup", join(test.folder, "half.ndjson")]);
  assert.notEqual(half.code, 0);
  assert.match(half.stderr, /The store holds only a part of the backup/);

  const resumed = await runOperator(service.url, ["restore", test.path, "--resume", "--json"]);
  assert.equal(resumed.code, 0, resumed.stderr);
  const { restored, unchanged, erased, recount } = JSON.parse(resumed.stdout);
  assert.equal(restored + unchanged, COUNT + 1, "sign-ups, a mark and its key");
  assert.equal(erased, 0);
  assert.deepEqual(recount.differences, []);
  await assertRestored(service);
});
