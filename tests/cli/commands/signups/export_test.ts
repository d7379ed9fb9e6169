/** Exports of a list of a few thousand, from the real process on the embedded file. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openKv } from "../../../../server/store/open.ts";
import { storeSignUps } from "../../../../server/store/sign_ups.ts";
import { OPERATOR_KEY } from "../../../support/operator.ts";
import { makeTestFolder, startService } from "../../../support/process.ts";
import { storedSignUps } from "../../../support/records.ts";
import { runCli, runShell, shellLine, startCli } from "../../support/cli.ts";
import { serveLocally } from "../../support/proxy.ts";
import { OPERATOR } from "../../support/service.ts";

const COUNT = 6_000;
const service = { url: "", folder: "", ndjson: "" };
const resources = new AsyncDisposableStack();

Deno.test.beforeAll(async () => {
  const { path } = resources.use(await makeTestFolder());
  const file = join(path, "kv.sqlite3");
  const records = await seed(file);
  const { started } = resources.use(await startService({ KV_PATH: file, OPERATOR_KEY }));
  const lines = Object.entries(records).map(([email, record]) => ({ email, ...record }));
  Object.assign(service, {
    url: `http://127.0.0.1:${started.port}`,
    folder: path,
    ndjson: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
});
Deno.test.afterAll(() => resources.disposeAsync());

async function seed(path: string) {
  using store = await openKv({ kind: "file", path });
  const signUps = Array.from({ length: COUNT }, (_, n) => ({
    signUp: {
      email: n === 0 ? "=1+1@example.com" : `visitor${n}@example.com`,
      lang: n % 3 === 0 ? "de" as const : "en" as const,
      ...(n % 2 === 0 && { source: "hero" as const }),
    },
    at: `2026-05-0${n % 9 + 1}T10:00:00.000Z`,
  }));
  for (let from = 0; from < COUNT; from += 99) {
    await storeSignUps(store.kv, signUps.slice(from, from + 99));
  }
  return await storedSignUps(store.kv);
}

function run(args: string[], url = service.url) {
  return runCli(["signups", "export", ...args], { env: { ...OPERATOR, WAITLIST_BASE_URL: url } });
}

Deno.test("signups export writes the whole list as NDJSON, just as it is kept", async () => {
  const { code, stdout, stderr } = await run(["--format", "ndjson"]);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  assert.ok(stdout === service.ndjson);
});

Deno.test("signups export writes CSV, all or some of it, with harmless cells", async () => {
  const all = await run([]);
  assert.equal(all.code, 0, all.stderr);
  const lines = all.stdout.split("\r\n");
  assert.equal(lines.length, COUNT + 2);
  assert.equal(lines[0], "email,createdAt,consentedAt,updatedAt,lang,source,role,building");
  assert.match(lines[1]!, /^'=1\+1@example\.com,2026-05-01T10:00:00\.000Z,/);
  const some = await run(["--lang", "de", "--since", "2026-05-07T12:00:00+02:00"]);
  const expected = service.ndjson.trimEnd().split("\n").map((line) => JSON.parse(line))
    .filter(({ lang, createdAt }) => lang === "de" && createdAt >= "2026-05-07T10:00:00.000Z");
  assert.equal(some.stdout.split("\r\n").length, expected.length + 2);
});

Deno.test("signups export to a file gives it its name when it is whole", async () => {
  const file = join(service.folder, "whole.ndjson");
  const { code, stdout, stderr } = await run(["--output", file]);
  assert.equal(code, 0, stderr);
  assert.equal(stdout, `Exported 6,000 sign-ups to ${file}.\n`);
  assert.ok(await Deno.readTextFile(file) === service.ndjson);
  const again = await run(["--output", file, "--json"]);
  assert.deepEqual(JSON.parse(again.stdout), {
    file,
    format: "ndjson",
    count: COUNT,
    resumed: 0,
    erasedMeanwhile: 0,
  });
  assert.deepEqual(await leftovers("whole.ndjson"), []);
});

Deno.test("signups export goes on by itself when the connection is cut", async () => {
  await using proxy = cuttingProxy(300_000, 3);
  const { code, stdout, stderr } = await run(["--format", "ndjson"], proxy.url);
  assert.equal(code, 0, stderr);
  assert.ok(stdout === service.ndjson);
  assert.match(stderr, /^(waitlist: .+; going on\.\n){3}$/);
  assert.deepEqual(proxy.afters.map(Boolean), [false, true, true, true]);
});

Deno.test("signups export goes on where it was when it is killed and run again", async () => {
  const file = join(service.folder, "killed.csv");
  const whole = join(service.folder, "reference.csv");
  assert.equal((await run(["--output", whole])).code, 0);
  {
    await using proxy = cuttingProxy(700_000, Infinity, "stall");
    const env = { ...OPERATOR, WAITLIST_BASE_URL: proxy.url };
    await using cli = startCli(["signups", "export", "--output", file], { env });
    await appears("killed.csv.part.json");
    cli.process.kill("SIGKILL");
    await cli.finished;
    assert.deepEqual(await leftovers("killed.csv"), ["killed.csv.part", "killed.csv.part.json"]);
    // Whatever a crash leaves behind the last known byte.
    await Deno.writeTextFile(`${file}.part`, "half a line", { append: true });
    proxy.open();
    const { code, stdout, stderr } = await runCli(["signups", "export", "--output", file], { env });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Going on after \d,\d{3} sign-ups\.\n$/);
    assert.equal(stdout, `Exported 6,000 sign-ups to ${file}.\n`);
    assert.ok(proxy.afters.at(-1));
  }
  assert.ok(await Deno.readTextFile(file) === await Deno.readTextFile(whole));
  assert.deepEqual(await leftovers("killed.csv"), []);
});

Deno.test("signups export says what to do when the disk is full, and goes on afterwards", async () => {
  const file = join(service.folder, "full.ndjson");
  const args = ["signups", "export", "--output", file, "--base-url", service.url];
  // 1,200 blocks of 512 bytes; without the trap, the limit would kill the process.
  const line = `trap '' XFSZ; ulimit -f 1200; exec ${shellLine(args)}`
    .replace("'run'", "'run' '--allow-read' '--allow-write'");
  const full = await runShell(line, { env: OPERATOR });
  assert.match(full.stderr, /^waitlist: Cannot write '.+full\.ndjson\.part': .+ it goes on where /);
  assert.equal(full.code, 1);
  const { code, stdout, stderr } = await run(["--output", file]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^Going on after \d,\d{3} sign-ups\.\n$/);
  assert.equal(stdout, `Exported 6,000 sign-ups to ${file}.\n`);
  assert.ok(await Deno.readTextFile(file) === service.ndjson);
});

Deno.test("signups export begins anew when what an earlier run has left is of another export", async () => {
  const file = join(service.folder, "other.ndjson");
  const position = { startedAt: new Date().toISOString(), after: "visitor5@example.com", count: 9 };
  const description = { baseUrl: service.url, format: "ndjson" };
  for (
    const state of [
      JSON.stringify({ description: { ...description, lang: "de" }, position, bytes: 4 }),
      JSON.stringify({
        description,
        position: { ...position, startedAt: "2026-01-01T00:00:00.000Z" },
        bytes: 4,
      }),
      JSON.stringify({ description, position, bytes: 5 }),
      "{",
    ]
  ) {
    await Deno.writeTextFile(`${file}.part`, "old\n");
    await Deno.writeTextFile(`${file}.part.json`, state);
    const { code, stderr } = await run(["--output", file]);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, "");
    assert.ok(await Deno.readTextFile(file) === service.ndjson);
  }
});

Deno.test("signups export ends quietly when nobody reads its output", async () => {
  const line = `{ ${shellLine(["signups", "export", "--base-url", service.url])}; ` +
    `echo "code $?" >&2; } | head -n 2`;
  const { stdout, stderr } = await runShell(line, { env: OPERATOR });
  assert.equal(stdout.split("\r\n").length, 3);
  assert.equal(stderr, "code 0\n");
});

Deno.test("signups export ends with 2 and names the flag when one is wrong", async () => {
  for (
    const [args, pattern] of [
      [["--format", "xlsx"], /--format is 'xlsx'; give csv or ndjson/],
      [["--lang", "fr"], /--lang is 'fr'; give en or de/],
      [["--since", "May"], /--since is 'May'; give a UTC date such as 2026-05-01/],
      [["--since", "2026-13-01"], /--since is '2026-13-01'/],
    ] as [string[], RegExp][]
  ) {
    const { code, stdout, stderr } = await run(args);
    assert.match(stderr, pattern);
    assert.equal(stdout, "");
    assert.equal(code, 2);
  }
  const nowhere = await run(["--output", join(service.folder, "none", "list.csv")]);
  assert.match(nowhere.stderr, /^waitlist: Cannot write '.+list\.csv\.part': No such file .+\.\n$/);
  assert.equal(nowhere.code, 1);
  const blind = await runShell(
    shellLine(["signups", "export", "--output", "list.csv", "--base-url", service.url]),
    { env: OPERATOR },
  );
  assert.match(
    blind.stderr,
    /no permission for it; run it with --allow-read and --allow-write\.\n$/,
  );
});

async function leftovers(name: string): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(service.folder), ({ name }) => name);
  return names.filter((each) => each.startsWith(name) && each !== name).toSorted();
}

/** Resolves once there is a file of this name in the folder. */
async function appears(name: string): Promise<void> {
  using watcher = Deno.watchFs(service.folder);
  if ((await leftovers("")).includes(name)) return;
  for await (const { paths } of watcher) if (paths.some((path) => path.endsWith(name))) return;
}

/** A proxy that cuts, or holds, each of the first so many answers after so many bytes. */
function cuttingProxy(bytes: number, times: number, how: "cut" | "stall" = "cut") {
  const afters: (string | undefined)[] = [];
  const held = Promise.withResolvers<void>();
  let left = times;
  const server = serveLocally(async (request) => {
    const body = await request.text();
    afters.push(JSON.parse(body).after);
    const { method, headers } = request;
    const path = new URL(request.url).pathname;
    const response = await fetch(service.url + path, { method, headers, body });
    if (left-- <= 0) return response;
    let passed = 0;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        passed += chunk.byteLength;
        if (passed < bytes) return controller.enqueue(chunk);
        controller.enqueue(chunk.subarray(0, chunk.byteLength - 10));
        if (how === "stall") await held.promise;
        controller.terminate();
      },
    });
    return new Response(response.body!.pipeThrough(cut), { headers: response.headers });
  });
  return Object.assign(server, {
    afters,
    /** From here on everything passes. */
    open() {
      left = 0;
      held.resolve();
    },
  });
}
