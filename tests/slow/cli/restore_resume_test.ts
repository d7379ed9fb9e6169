import assert from "node:assert/strict";
import { printed } from "../../cli/support/cli.ts";
import { join } from "node:path";
import { COUNT, makeBackup } from "../../cli/support/backup.ts";
import { checkedRecords } from "../../cli/support/import_service.ts";
import { forward, serveLocally } from "../../cli/support/proxy.ts";
import { OPERATOR_KEY, runOperator } from "../../cli/support/service.ts";
import { type Server, startServer } from "../../support/victim.ts";

/** Passes calls on, and runs `atThird` before the third one. */
function proxyThat(service: Server, atThird: () => Promise<unknown>) {
  let calls = 0;
  return serveLocally(async (request) => {
    if (++calls === 3) await atThird();
    return await forward(request, service).catch(() =>
      new Response("The service is gone", { status: 502 })
    );
  });
}

Deno.test("'restore' says how to continue when the server is killed, and continues when it is run with --resume", async () => {
  await using test = await makeBackup(COUNT);
  const kvPath = join(test.folder, "killed.sqlite3");
  await using service = await startServer({ KV_PATH: kvPath, OPERATOR_KEY });
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
    "waitlist: The store is not empty: it holds a part of this backup, because an earlier restore was not " +
      "finished; add --resume to continue that restore.\n",
  );
  const half = await runOperator(service.url, ["backup", join(test.folder, "half.ndjson")]);
  assert.notEqual(half.code, 0);
  assert.match(half.stderr, /The store holds only a part of the backup/);

  const resumed = await printed(
    runOperator(service.url, ["restore", test.path, "--resume", "--json"]),
  );
  const { restored, unchanged, erased, recount } = JSON.parse(resumed);
  assert.equal(restored + unchanged, COUNT + 3, "sign-ups, a mark, two keys and an entry");
  assert.equal(erased, 0);
  assert.deepEqual(recount.differences, []);
  await service.kill();
  assert.deepEqual(await checkedRecords(kvPath), test.records);
});
