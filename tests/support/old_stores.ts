/**
 * Stores that earlier versions of the program wrote, and their upgrade.
 *
 * @module
 */
import { join } from "node:path";
import { createLog } from "../../server/log.ts";
import { openSchema } from "../../server/store/migrations/mod.ts";
import type { StoredSchema } from "../../server/store/schema.ts";
import { makeTestFolder } from "./process.ts";
import { START } from "./service.ts";

/**
 * The versions of the schema that there are stores of, and how many people are in each store. The stores are in
 * the format of Deno 2.5, as older versions of Deno cannot read what newer ones write.
 */
export const OLD_STORES = [{ version: 1, people: 26 }, { version: 2, people: 30 }] as const;

/** A version of the schema that there is a store of. */
export type OldVersion = typeof OLD_STORES[number]["version"];

/** A copy of the store that a version of the schema wrote; disposing of it removes it. */
export async function openOldStore(version: OldVersion) {
  const folder = await makeTestFolder();
  const path = join(folder.path, "waitlist.sqlite3");
  const fixture = `../fixtures/store_version_${version}.sqlite3`;
  await Deno.copyFile(join(import.meta.dirname!, fixture), path);
  const kv = await Deno.openKv(path);
  return {
    kv,
    async [Symbol.asyncDispose]() {
      kv.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Adds people to an old store, as its version has them. */
export async function addPeople(
  kv: Deno.Kv,
  { version, emails }: { version: OldVersion; emails: string[] },
): Promise<void> {
  for (let from = 0; from < emails.length; from += 200) {
    const commit = kv.atomic();
    for (const [n, email] of emails.slice(from, from + 200).entries()) {
      const at = new Date(START - from - n).toISOString();
      const record = { createdAt: at, consentedAt: at, updatedAt: at, lang: "en" };
      const id = String(from + n).padStart(22, "0");
      commit.set(["sign_up", email], version === 1 ? record : { id, ...record });
    }
    for (const counter of [["total"], ["byLang", "en"]]) {
      commit.sum(["statistics", ...counter], BigInt(Math.min(200, emails.length - from)));
    }
    await commit.commit();
  }
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
  });
  return { log, paused };
}

/** Reads the entry of the schema. */
export async function readSchemaEntry(kv: Deno.Kv): Promise<StoredSchema | null> {
  return (await kv.get<StoredSchema>(["schema"])).value;
}
