/**
 * A store of the version before this program's, and the step that upgrades it: the machinery of migrations is tested
 * with a step of its own, as no older version was released. @module
 */
import { createLog } from "../../server/runtime/mod.ts";
import { type CreateMigration, openSchema } from "../../server/store/kv/migrations/mod.ts";
import { readEntries } from "../../server/store/kv/pages.ts";
import { SCHEMA_VERSION, type StoredSchema } from "../../server/store/kv/schema.ts";
import { START } from "./service.ts";

/** The version of the store that {@linkcode openOldStore} makes. */
export const OLD_VERSION = SCHEMA_VERSION - 1;

/** Where the entries are that the step changes. */
const THINGS = ["thing"];

/** An entry that the step has upgraded. */
interface Thing {
  id: string;
}

/** Things in a batch: a commit takes 81,920 bytes of keys. */
const THINGS_AT_ONCE = 300;

/** Gives each thing a random id, and moves a key into the schema's entry. */
const addIds: CreateMigration = ({ random }) => ({
  to: SCHEMA_VERSION,
  async *batches(kv, after) {
    const things = readEntries(kv, { prefix: THINGS, after, batchSize: THINGS_AT_ONCE });
    for await (const { entries, unreadable } of things) {
      yield {
        write(commit) {
          for (const { key, value } of entries) {
            if (typeof value === "object") commit.set(key, { id: random(9).toBase64(), ...value });
          }
        },
        records: entries.length,
        unreadable,
        after: entries.at(-1)?.key.at(-1) as string | undefined,
      };
    }
  },
  async finish(kv) {
    const { key, value } = await kv.get<string>(["old_key"]);
    return { write: (commit) => void commit.delete(key), schema: { erasureKeys: value! } };
  },
});

/** Makes a store of the older version with some things. */
export async function openOldStore(things = 700): Promise<Deno.Kv> {
  const kv = await Deno.openKv(":memory:");
  await kv.atomic().set(["schema"], { version: OLD_VERSION }).set(["old_key"], "a key").commit();
  for (let from = 0; from < things; from += 200) {
    const commit = kv.atomic();
    for (let n = from; n < Math.min(from + 200, things); n++) {
      commit.set([...THINGS, `${n}@example.com`.padStart(254, "a")], {});
    }
    await commit.commit();
  }
  return kv;
}

/** Reads the ids of all things by their names; `undefined` for one that is not upgraded. */
export async function thingIds(kv: Deno.Kv): Promise<Record<string, string | undefined>> {
  const entries = await Array.fromAsync(kv.list<Partial<Thing>>({ prefix: THINGS }));
  return Object.fromEntries(entries.map(({ key, value }) => [key.at(-1), value.id]));
}

/** How a test opens the schema. */
export interface OpenSchemaOptions {
  isShared?: boolean;
  /** Runs in each pause, with the number of pauses so far. */
  onPause?: (pauses: number) => unknown;
}

/** Opens the schema of a KV, with a clock that pauses move. */
export async function openTestSchema(
  kv: Deno.Kv,
  { isShared = false, onPause = () => {} }: OpenSchemaOptions = {},
): Promise<{ log: Record<string, unknown>[]; paused: number }> {
  const log: Record<string, unknown>[] = [];
  let paused = 0, pauses = 0;
  await openSchema({
    kv,
    isShared,
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
    monotonic: () => paused,
    log: createLog({
      level: "info",
      now: () => START,
      write: (line) => log.push(JSON.parse(line)),
    }),
    async pause(ms) {
      paused += ms;
      await onPause(++pauses);
    },
    migrations: { [SCHEMA_VERSION]: addIds },
  });
  return { log, paused };
}

/** Reads the entry of the schema. */
export async function readSchemaEntry(kv: Deno.Kv): Promise<StoredSchema | null> {
  return (await kv.get<StoredSchema>(["schema"])).value;
}
