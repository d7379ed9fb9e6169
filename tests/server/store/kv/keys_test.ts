import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { counterKey, counterOf, statisticsSelector } from "../../../../server/store/kv/keys.ts";
import type { Counter } from "../../../../shared/counters.ts";
import { Commit, type Key } from "../../../../server/store/kv/engine.ts";
import { fromProject } from "../../../../server/config/mod.ts";
import { listAll, test } from "../../../support/memory_kv.ts";

Deno.test("counterOf() returns the counter that counterKey() has turned into a key", async (t) => {
  const counters: Counter[] = [
    ["total"],
    ["added", "2026-11-21"],
    ["byLang", "de"],
    ["byRole", "engineer"],
    ["byBuilding", "office"],
    ["bySource", "cta"],
  ];
  for (const counter of counters) {
    await t.step(`the counter ${counter.join("/")}`, () => {
      assert.deepEqual(counterOf(counterKey(counter)), counter);
    });
  }
});

// The cost of a read does not grow with the days behind.
test("statisticsSelector() selects the counters of the public statistics, except the counters of days before a given day", async (kv) => {
  const selected: Counter[] = [
    ["added", "2026-10-23"],
    ["added", "2026-11-21"],
    ["byBuilding", "0"],
    ["byLang", "de"],
    ["byRole", "_"],
    ["bySource", "cta"],
    ["total"],
  ];
  const others: Key[] = [
    counterKey(["added", "2025-12-31"]),
    counterKey(["added", "2026-10-22"]),
    counterKey(["withAnswers", "2026-11-21/de/"]),
    counterKey(["wentOn", "2026-11-16/taken"]),
    counterKey(["withMark", "complained"]),
    counterKey(["withReferral", "2026-11-21"]),
    counterKey(["withReferral", "all"]),
    ["sign_up", "ada@example.com"],
    ["client", "total"],
  ];
  for (const key of [...selected.map(counterKey), ...others]) {
    await kv.commit(new Commit().set(key, 1));
  }
  const entries = await listAll(kv, statisticsSelector("2026-10-23"));
  assert.deepEqual(entries.map(({ key }) => counterOf(key)), selected);
});

// The first part of a key is the only text of lower-case letters behind a bracket in its file.
Deno.test("keys.ts makes exactly the keys that server/README.md lists", async () => {
  const read = async (path: string, pattern: RegExp) => {
    const text = await readFile(fromProject(path), "utf8");
    return [...new Set(Array.from(text.matchAll(pattern), ([, part]) => part))].sort();
  };
  const made = await read("server/store/kv/keys.ts", /(?:all\(|(?<!counterKey\()\[)"([a-z_]+)"/g);
  assert.deepEqual(await read("server/README.md", /^\| `\["([a-z_]+)"/gm), made);
});
