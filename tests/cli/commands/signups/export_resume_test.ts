/** Exports that are cut: by the connection, a kill, or the disk. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { runCli, runShell, shellLine, startCli } from "../../support/cli.ts";
import { useList } from "../../support/list.ts";
import { serveLocally } from "../../support/proxy.ts";
import { OPERATOR } from "../../support/service.ts";

const service = useList();

Deno.test("signups export goes on by itself when the connection is cut", async () => {
  await using proxy = cuttingProxy(300_000, 3);
  const { code, stdout, stderr } = await service.run(["--format", "ndjson"], proxy.url);
  assert.equal(code, 0, stderr);
  assert.ok(stdout === service.ndjson);
  assert.match(stderr, /^(waitlist: .+; going on\.\n){3}$/);
  assert.deepEqual(proxy.afters.map(Boolean), [false, true, true, true]);
});

Deno.test("signups export goes on where it was when it is killed and run again", async () => {
  const file = join(service.folder, "killed.csv");
  const whole = join(service.folder, "reference.csv");
  assert.equal((await service.run(["--output", whole])).code, 0);
  {
    await using proxy = cuttingProxy(700_000, Infinity, "stall");
    const env = { ...OPERATOR, WAITLIST_BASE_URL: proxy.url };
    await using cli = startCli(["signups", "export", "--output", file], { env });
    await appears("killed.csv.part.json");
    cli.process.kill("SIGKILL");
    await cli.finished;
    assert.deepEqual(await service.leftovers("killed.csv"), [
      "killed.csv.part",
      "killed.csv.part.json",
    ]);
    for (const name of await service.leftovers("killed.csv")) {
      const { mode } = await Deno.stat(join(service.folder, name));
      assert.equal(mode! & 0o777, 0o600, "only its owner can read it");
    }
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
  assert.deepEqual(await service.leftovers("killed.csv"), []);
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
  const { code, stdout, stderr } = await service.run(["--output", file]);
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
    const { code, stderr } = await service.run(["--output", file, "--yes"]);
    assert.equal(code, 0, stderr);
    assert.equal(stderr, "");
    assert.ok(await Deno.readTextFile(file) === service.ndjson);
  }
});

/** Resolves once there is a file of this name in the folder. */
async function appears(name: string): Promise<void> {
  using watcher = Deno.watchFs(service.folder);
  if ((await service.leftovers("")).includes(name)) return;
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
