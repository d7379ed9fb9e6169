/** A plain model of an engine. Random operations give the same results on an engine and on the model. @module */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Entry, Key, Kv, Selector } from "../../../../server/store/kv/engine.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";

/** Does 10,000 random operations on an engine and on the model. */
export async function compareWithModel(kv: Kv): Promise<void> {
  const model = new Model();
  const random = seeded(20_261_123);
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!;
  for (let operation = 0; operation < 10_000; operation++) {
    const kind = random();
    if (kind < 0.6) {
      const commit = randomCommit(model, pick, random);
      const result = await kv.commit(commit);
      assert.equal(result === "conflict", !model.apply(commit, result), `operation ${operation}`);
    } else if (kind < 0.8) {
      const keys = Array.from({ length: 1 + Math.floor(random() * 12) }, () => pick(KEYS));
      assert.deepEqual(await kv.get(keys), keys.map((key) => model.get(key)));
    } else {
      const [low, high] = [pick(KEYS), pick(KEYS)];
      const selector: Selector = {
        prefix: ["r", ...random() < 0.5 ? [] : [pick(["a", "b", 1])]],
        ...random() < 0.4 && (random() < 0.5 ? { start: low } : { after: low }),
        ...random() < 0.4 && { end: high },
      };
      const { start = selector.after, end, prefix } = selector;
      // Some engines refuse a range that ends before it begins, or that is outside of its prefix.
      const begins = (key?: Key) =>
        !key || key.length > prefix.length && prefix.every((part, at) => key[at] === part);
      if (!begins(start) || !begins(end) || start && end && compare(start, end) >= 0) continue;
      const options = { limit: 1 + Math.floor(random() * 20), reverse: random() < 0.3 };
      assert.deepEqual(await kv.list(selector, options), model.list(selector, options));
    }
  }
}

/** Keys, many of which are prefixes of other keys. */
const KEYS: Key[] = ["a", "b", "b\0", "é", 1, 2].flatMap((first) => {
  return [["r", first], ...["", "x", -1, 0.5, 7].map((second) => ["r", first, second])];
});

type Pick = <T>(values: readonly T[]) => T;

function randomCommit(model: Model, pick: Pick, random: () => number): Commit {
  const commit = new Commit();
  const size = 1 + Math.floor(random() * 5);
  for (let n = 0; n < size; n++) {
    const key = pick(KEYS);
    const entry = model.get(key);
    // Some checks of read entries fail.
    if (random() < 0.4) {
      const version = random() < 0.9 ? entry.version : pick(model.versions) ?? "none";
      commit.check({ key, version } as Entry);
    }
    // No counter is set, and nothing is added to other values.
    if (isCounter(key)) commit.add(key, Math.floor(random() * 20) - 10);
    else if (random() < 0.3) commit.delete(key);
    else commit.set(key, pick([true, "text", { a: [random()] }, 0, new Uint8Array([0, 1, 2])]));
  }
  return commit;
}

const isCounter = (key: Key) => key.at(-1) === 7;

/** The entries in memory. */
class Model {
  readonly #entries = new Map<string, Entry>();
  readonly versions: string[] = [];

  get(key: Key) {
    return this.#entries.get(JSON.stringify(key)) ?? { key, value: null, version: null };
  }

  /** @returns whether the commit goes through */
  apply({ checks, writes }: Commit, version: string): boolean {
    if (checks.some((check) => this.get(check.key).version !== check.version)) return false;
    this.versions.push(version);
    for (const write of writes) {
      const { key } = write;
      const id = JSON.stringify(key);
      if (write.type === "delete") this.#entries.delete(id);
      else if (write.type === "set") this.#entries.set(id, { key, value: write.value, version });
      else {
        const value = Number(this.get(key).value) + write.amount;
        this.#entries.set(id, { key, value, version });
      }
    }
    return true;
  }

  list(
    { prefix, start, after, end }: Selector,
    { limit, reverse }: { limit: number; reverse: boolean },
  ): Entry[] {
    const found = [...this.#entries.values()].filter(({ key }) => {
      return key.length > prefix.length && prefix.every((part, at) => key[at] === part) &&
        !(start && compare(key, start) < 0) && !(after && compare(key, after) <= 0) &&
        !(end && compare(key, end) >= 0);
    }).sort((a, b) => compare(a.key, b.key));
    return (reverse ? found.reverse() : found).slice(0, limit);
  }
}

function compare(a: Key, b: Key): number {
  for (const [at, part] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    if (part === other) continue;
    if (typeof part !== typeof other) return typeof part === "string" ? -1 : 1;
    if (typeof part === "number") return part - Number(other);
    return Buffer.compare(Buffer.from(part), Buffer.from(String(other)));
  }
  return a.length - b.length;
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function seeded(state: number): () => number {
  return () => {
    state = (state + 0x6D2B79F5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
