import assert from "node:assert/strict";
import { createLog } from "../../../../server/runtime/mod.ts";
import { type Client, newClient } from "../../../../server/oauth/clients.ts";
import {
  changeClient,
  createClient,
  readClientUses,
  recordClientUses,
} from "../../../../server/store/credentials/clients.ts";
import { faultyKv, racingKv, uncertainKv } from "../../../support/faulty_kv.ts";
import { random } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import type { Kv } from "../../../../server/store/kv/engine.ts";
import { test } from "../../../support/memory_kv.ts";

const makeClient = () => newClient({ name: "Test", scopes: [] }, { now: START, random }).client;

// A key in KV has at most 2,048 bytes, and the id comes from the request.
test(
  "changeClient() finds no client when the id is longer than a key in KV can be",
  async (kv, t) => {
    for (const length of [128, 129, 682, 683, 2_048, 60_000]) {
      for (const character of ["a", "\0", "日", "💧"]) {
        await t.step(`an id of ${length} times ${JSON.stringify(character)}`, async () => {
          const changed = await changeClient(kv, character.repeat(length), (client) => client);
          assert.equal(changed, undefined);
        });
      }
    }
  },
);

test("changeClient() keeps the change of another process that was committed first, and adds its own change", async (kv) => {
  const client = makeClient();
  await createClient(kv, client);
  const add = (word: string) => (before: Client) => ({ ...before, name: `${before.name} ${word}` });
  const racing = racingKv(kv, () => changeClient(kv, client.clientId, add("first")));
  const changed = await changeClient(racing, client.clientId, add("second"));
  assert.equal(changed?.name, "Test first second");
});

test("changeClient() rejects when none of its commits succeeds", async (kv) => {
  const client = makeClient();
  await createClient(kv, client);
  const away = uncertainKv(kv, { commits: Infinity, goThrough: false });
  const rename = (before: Client) => ({ ...before, name: "Other" });
  await assert.rejects(changeClient(away, client.clientId, rename), /lost/);
});

const DAY = 24 * 60 * 60 * 1000;

async function addClients(kv: Kv, ...ids: string[]): Promise<void> {
  for (const clientId of ids) await createClient(kv, { ...makeClient(), clientId });
}

function record(kv: Kv) {
  const clock = { now: START };
  const log: string[] = [];
  const now = () => clock.now;
  const uses = recordClientUses({
    kv,
    now,
    log: createLog({ level: "warn", now, write: (line) => log.push(line) }),
  });
  return { ...uses, clock, log };
}

test("recordClientUses() writes the day of a client's use at most once a day", async (memory) => {
  await addClients(memory, "dashboard", "ci");
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

test("recordClientUses() logs a warning when KV does not store the use of a client, and stores the client's next use", async (memory) => {
  await addClients(memory, "dashboard");
  let failing = true;
  const uses = record(faultyKv(memory, (commit) => {
    if (failing) throw new Error("the disk is full");
    return commit();
  }));
  uses.note("dashboard");
  await uses.flush();
  assert.deepEqual([...await readClientUses(memory)], []);
  assert.match(
    uses.log.join(),
    /could not store when an OAuth client was last used.+the disk is full/,
  );
  failing = false;
  uses.note("dashboard");
  await uses.flush();
  assert.deepEqual([...await readClientUses(memory)], [["dashboard", "2026-11-21"]]);
});

test("recordClientUses() writes no use of a client that is removed before the commit", async (kv) => {
  await addClients(kv, "dashboard", "ci");
  const uses = record(racingKv(kv, () => changeClient(kv, "dashboard", () => null)));
  uses.note("dashboard");
  uses.note("ci");
  await uses.flush();
  assert.deepEqual([...await readClientUses(kv)], [["ci", "2026-11-21"]]);
});
