import assert from "node:assert/strict";
import { printed } from "../support/cli.ts";
import { join } from "node:path";
import { openKv } from "../../../server/store/kv/open.ts";
import { makeTestFolder } from "../../support/process.ts";
import { storeSignUp } from "../../support/records.ts";
import { runOperator, startCliService } from "../support/service.ts";
import { Commit } from "../../../server/store/kv/engine.ts";

Deno.test("counters verify names wrong counters, and counters repair corrects them", async () => {
  await using folder = await makeTestFolder();
  const kvPath = join(folder.path, "kv.sqlite3");
  {
    using store = await openKv({ kind: "file", path: kvPath });
    const signUp = { email: "ada@example.com", lang: "de" as const };
    await storeSignUp(store.kv, signUp, "2026-05-01T10:00:00.000Z");
    await store.kv.commit(new Commit().add(["statistics", "total"], 2));
  }
  await using service = await startCliService(kvPath);
  const run = (args: string[]) => runOperator(service.url, ["counters", ...args]);

  const wrong = await run(["verify"]);
  assert.equal(wrong.code, 1, wrong.stderr);
  assert.equal(
    wrong.stdout,
    "Counter  Kept  Recounted\n" +
      "total       3          1\n" +
      "Recounted 1 record; none changed meanwhile.\n" +
      "The counters are wrong; correct them with 'waitlist counters repair'.\n",
  );
  assert.equal(wrong.stderr, "");

  const repaired = await run(["repair", "--json"]);
  assert.equal(repaired.code, 0, repaired.stderr);
  const sound = {
    complete: true,
    records: 1,
    changed: 0,
    exact: true,
    unreadable: [],
    lists: { missing: 0, surplus: 0 },
  };
  assert.deepEqual(JSON.parse(repaired.stdout), {
    ...sound,
    agrees: false,
    differences: [{ counter: "total", kept: 3, recounted: 1 }],
    repaired: true,
    recounts: 1,
  });

  const right = await run(["verify", "--json"]);
  assert.equal(right.code, 0, right.stderr);
  assert.deepEqual(JSON.parse(right.stdout), { ...sound, agrees: true, differences: [] });
  const again = await printed(run(["repair"]));
  assert.match(again, /\nThe counters were right\.\n$/);
});

Deno.test("counters verify names faults in the lists of people, and counters repair corrects them", async () => {
  await using folder = await makeTestFolder();
  const kvPath = join(folder.path, "kv.sqlite3");
  {
    using store = await openKv({ kind: "file", path: kvPath });
    const at = "2026-05-01T10:00:00.000Z";
    await storeSignUp(store.kv, { email: "ada@example.com" }, at);
    await store.kv.commit(new Commit().delete(["person", "waiting", at, "ada@example.com"]));
  }
  await using service = await startCliService(kvPath);
  const run = (command: string) => runOperator(service.url, ["counters", command]);
  const wrong = await run("verify");
  assert.equal(wrong.code, 1, wrong.stderr);
  assert.equal(
    wrong.stdout,
    "Recounted 1 record; none changed meanwhile.\n" +
      "In the lists of people, 1 person lacks an entry or a state, and 0 entries belong to no person.\n" +
      "The lists of people are wrong; correct them with 'waitlist counters repair'.\n",
  );
  const repaired = await printed(run("repair"));
  assert.match(repaired, /\nCorrected the lists of people\.\nThe counters were right\.\n$/);
  assert.equal((await run("verify")).code, 0);
});
