import assert from "node:assert/strict";
import { Commit, type Kv } from "../../../server/store/kv/engine.ts";
import { setItem } from "../../../server/store/outbox/new_letters.ts";
import type { OutboxItem } from "../../../server/waitlist/outbox_item.ts";
import { assertRefused } from "../support/cli.ts";
import { startFilled } from "../support/import_service.ts";
import { runOperator, useService } from "../support/service.ts";

/** When the e-mails of these tests were refused, in milliseconds since 1970. */
const REFUSED_AT = Date.parse("2026-05-01T10:00:00Z");

const service = useService();

const run = (...args: string[]) => runOperator(service.url, args);

Deno.test("'outbox list' and 'outbox retry' say that no e-mail or event waits, and 'outbox retry' names wrong flags", async () => {
  assert.equal((await run("outbox", "list")).stdout, "No e-mail or event is waiting.\n");
  assert.equal(
    (await run("outbox", "list", "--refused")).stdout,
    "No e-mail or event was refused.\n",
  );
  const none = await run("outbox", "retry", "--all");
  assert.equal(
    none.stdout,
    "No e-mail or event was refused. If e-mails were paused, the service tries them now.\n",
  );
  const unmarked = await run("outbox", "retry", "--unmarked");
  assert.match(unmarked.stdout, /^No e-mail or event was refused, except to people marked as und/);
  const waiting = await run("outbox", "retry", "--waiting");
  assert.match(
    waiting.stdout,
    /^No e-mail or event waits for a later try\. If e-mails were paused,/,
  );
  const pause = await run("outbox", "retry", "--pause");
  assert.match(
    pause.stdout,
    /^If e-mails are paused, the service now tries one of them; see the outcome /,
  );
  const unknown = await run("outbox", "retry", "abc");
  assert.equal(unknown.code, 1);
  assert.equal(
    unknown.stdout,
    "The service now tries 0 e-mails and events again; 1 id is unknown or due soon anyway.\n",
  );
  await assertRefused((args) => run("outbox", "retry", ...args), [
    [[], /give their ids, --all, --unmarked, --waiting or --pause\.\n$/],
    [["abc", "--all"], /give their ids, --all, --unmarked, --waiting or --pause\.\n$/],
    [["--all", "--waiting"], /give their ids, --all, --unmarked, --waiting or --pause\.\n$/],
  ]);
});

Deno.test("'outbox list' reads further pages to show as many e-mails or events as --limit asks for, and advises a larger --limit", async () => {
  await using filled = await startFilled((kv) => storeRefused(kv, 1_002));
  const list = (...flags: string[]) =>
    runOperator(filled.url, ["outbox", "list", "--refused", ...flags]);
  const all = await list("--limit", "1002", "--quiet");
  assert.deepEqual([all.code, all.stderr], [0, ""]);
  assert.equal(new Set(all.stdout.trimEnd().split("\n")).size, 1_002);

  const most = await list("--limit", "1001");
  assert.equal(most.stderr, "There are more; give a larger --limit.\n");
  const { items, next } = JSON.parse((await list("--limit", "1001", "--json")).stdout);
  const ids = items.map(({ id }: { id: string }) => id);
  assert.deepEqual(ids, all.stdout.split("\n").slice(0, 1_001));
  assert.equal(next.id, ids.at(-1));
});

/** Stores letters that the mail server has refused, without the people to whom they were to go. */
async function storeRefused(kv: Kv, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, n) => `letter-${n}`);
  const item: OutboxItem = {
    email: "ada@example.com",
    recordId: "a-record",
    message: { letter: "link" },
    queue: "refused",
    putAt: REFUSED_AT,
    dueAt: REFUSED_AT,
    tries: 8,
    reason: "550 no",
  };
  while (ids.length > 0) {
    const commit = new Commit();
    for (const id of ids.splice(0, 400)) setItem(commit, id, item);
    await kv.commit(commit);
  }
}
