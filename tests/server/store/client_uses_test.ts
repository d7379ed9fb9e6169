import assert from "node:assert/strict";
import { createLog } from "../../../server/log.ts";
import { readClientUses, recordClientUses } from "../../../server/store/client_uses.ts";
import { faultyKv } from "../../support/faulty_kv.ts";
import { START } from "../../support/service.ts";

const DAY = 24 * 60 * 60 * 1000;

function record(kv: Deno.Kv) {
  const clock = { now: START };
  const log: string[] = [];
  const now = () => clock.now;
  const uses = recordClientUses({
    kv,
    now,
    monotonic: now,
    log: createLog({ level: "warn", now, write: (line) => log.push(line) }),
  });
  return { ...uses, clock, log };
}

Deno.test("recordClientUses() writes a client's day once a day", async () => {
  using memory = await Deno.openKv(":memory:");
  let commits = 0;
  const uses = record(faultyKv(memory, (commit) => (commits++, commit())));
  for (let call = 0; call < 100; call++) uses.note("dashboard");
  await uses.flush();
  assert.equal(commits, 1);
  assert.deepEqual([...await readClientUses(memory)], [["dashboard", "2026-11-21"]]);

  uses.clock.now += DAY;
  uses.note("dashboard");
  uses.note("ci");
  await uses.flush();
  const days = [["ci", "2026-11-22"], ["dashboard", "2026-11-22"]];
  assert.deepEqual([...await readClientUses(memory)], days);
  assert.ok(commits <= 3);
});

Deno.test("recordClientUses() writes at the next use what KV did not take, and says so", async () => {
  using memory = await Deno.openKv(":memory:");
  let failing = true;
  const uses = record(faultyKv(memory, (commit) => {
    if (failing) throw new Error("the disk is full");
    return commit();
  }));
  uses.note("dashboard");
  await uses.flush();
  assert.deepEqual([...await readClientUses(memory)], []);
  assert.match(uses.log.join(), /a client's last use was not written.+the disk is full/);
  failing = false;
  uses.note("dashboard");
  await uses.flush();
  assert.deepEqual([...await readClientUses(memory)], [["dashboard", "2026-11-21"]]);
});
