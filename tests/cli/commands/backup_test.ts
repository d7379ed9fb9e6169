import assert from "node:assert/strict";
import { join } from "node:path";
import { COUNT, makeBackup } from "../support/backup.ts";
import { serveLocally } from "../support/proxy.ts";
import { runOperator } from "../support/service.ts";

let test: Awaited<ReturnType<typeof makeBackup>>;

Deno.test.beforeAll(async () => {
  test = await makeBackup();
});
Deno.test.afterAll(() => test[Symbol.asyncDispose]());

Deno.test("backup writes a file that only its owner can read", async () => {
  assert.equal((await Deno.stat(test.path)).mode! & 0o777, 0o600);
});

Deno.test("backup replaces a file only when that is asked for, and leaves it as it was after a cut", async () => {
  const file = join(test.folder, "kept.ndjson");
  await Deno.writeTextFile(file, "what was there");
  const unasked = await runOperator(test.url, ["backup", file]);
  assert.equal(unasked.code, 2);
  assert.equal(
    unasked.stderr,
    `waitlist: '${file}' exists already; add --yes to replace it.\n`,
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
    const cut = await runOperator(proxy.url, ["backup", file, "--yes"]);
    assert.equal(cut.code, 3, cut.stderr);
    assert.match(cut.stderr, /^waitlist: .+\n$/);
  }
  assert.equal(await Deno.readTextFile(file), "what was there");
  const whole = await runOperator(test.url, ["backup", file, "--yes", "--json"]);
  assert.equal(whole.code, 0, whole.stderr);
  assert.equal(JSON.parse(whole.stdout).counts.signUps, COUNT - 1);
  assert.deepEqual(withoutAudit(await Deno.readTextFile(file)), withoutAudit(test.text));
  const names = (await Array.fromAsync(Deno.readDir(test.folder))).map(({ name }) => name);
  assert.deepEqual(names.filter((name) => name.endsWith(".part")), []);
});

/** The lines of a backup between the first and the last one, without those of the audit log. */
function withoutAudit(text: string): string[] {
  const lines = text.trimEnd().split("\n").slice(1, -1);
  return lines.filter((line) => !line.startsWith('{"kind":"audit"'));
}
