import assert from "node:assert/strict";
import { assertRefused } from "../support/cli.ts";
import { startProxy } from "../support/proxy.ts";
import { runOperator, useService } from "../support/service.ts";

const service = useService();

const run = (...args: string[]) => runOperator(service.url, args);

Deno.test("outbox list and retry say that nothing waits, and name the fault of a command line", async () => {
  assert.equal((await run("outbox", "list")).stdout, "No letter or event is waiting.\n");
  assert.equal(
    (await run("outbox", "list", "--refused")).stdout,
    "No letter or event was refused.\n",
  );
  const none = await run("outbox", "retry", "--all");
  assert.equal(
    none.stdout,
    "No letter or event was refused. If letters were paused, the service tries them now.\n",
  );
  const waiting = await run("outbox", "retry", "--waiting");
  assert.match(
    waiting.stdout,
    /^No letter or event waits for a later try\. If letters were paused,/,
  );
  const unknown = await run("outbox", "retry", "abc");
  assert.equal(unknown.code, 1);
  assert.equal(
    unknown.stdout,
    "The service now tries 0 letters and events again; 1 id is unknown or due soon anyway.\n",
  );
  await assertRefused((args) => run("outbox", "retry", ...args), [
    [[], /give ids, --all or --waiting\.\n$/],
    [["abc", "--all"], /give ids, --all or --waiting\.\n$/],
    [["--all", "--waiting"], /give ids, --all or --waiting\.\n$/],
  ]);
});

Deno.test("outbox list advises a larger --limit only when a larger one is possible", async (t) => {
  const at = "2026-05-01T10:00:00.000Z";
  const item = { email: "ada@example.com", message: "link", putAt: at, dueAt: at, tries: 0 };
  const page = { items: [{ id: "an-id", ...item }], next: { at, id: "an-id" } };
  await using proxy = startProxy(service, {
    from: "192.0.2.72",
    alter: (response, { url }) => url.endsWith("/outbox/list") ? Response.json(page) : response,
  });
  const notes: [limit: string, note: string][] = [
    ["1", "There are more; give a larger --limit.\n"],
    ["1000", "There are more, but --limit can be 1000 at most.\n"],
  ];
  for (const [limit, note] of notes) {
    await t.step(`--limit ${limit}`, async () => {
      const listed = await runOperator(proxy.url, ["outbox", "list", "--limit", limit]);
      assert.match(listed.stdout, /\nan-id +link +ada@example\.com /);
      assert.deepEqual([listed.code, listed.stderr], [0, note]);
    });
  }
  await assertRefused((args) => run("outbox", "list", ...args), [
    [["--limit", "1001"], /--limit is '1001'; give a number up to 1000\.\n$/],
  ]);
});
