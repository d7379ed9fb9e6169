/**
 * The layer of the store that refuses commits while the store counts as vanished, and that reports the time of each
 * read and commit. `heartbeat.ts` finds out whether the store has vanished, and `stack.ts` lists the layers. @module
 */
import type { Runtime } from "../../runtime/mod.ts";
import type { Commit, Key, Kv, ListOptions, Selector } from "./engine.ts";
import { SCHEMA } from "./keys.ts";
import { SCHEMA_VANISHED, SchemaError } from "./schema.ts";

/**
 * A function that gets the name of a call of KV, its time in milliseconds, and the name of its error if the call
 * failed.
 */
export type OnKvCall = (operation: "get" | "list" | "commit", ms: number, fault?: string) => void;

/** What the heartbeat and the guard have found out about the store. */
export interface StoreState {
  /** Whether the store is known to have the entry of the schema. */
  hasSchema: boolean;
  /** The reason why commits are refused; absent while commits are accepted. */
  refusal?: Error | undefined;
  /** Whether a commit has thrown an error since the last trial write began. A conflict is not an error. */
  hasFailedCommit: boolean;
}

/**
 * Gives a KV that refuses commits if the state of the store says so, and that notes in the state when a commit fails. A
 * read of the schema fails if the entry of the schema is gone.
 * @param onCall is called after each read and commit; a watch has no end, so it is not timed
 */
export function guardKv(
  kv: Kv,
  state: StoreState,
  { onCall, monotonic }: { onCall?: OnKvCall | undefined } & Pick<Runtime, "monotonic">,
): Kv {
  async function timeCall<T>(
    operation: Parameters<OnKvCall>[0],
    call: () => Promise<T>,
  ): Promise<T> {
    const startedAt = monotonic();
    try {
      const result = await call();
      onCall?.(operation, monotonic() - startedAt);
      return result;
    } catch (error) {
      if (operation === "commit") state.hasFailedCommit = true;
      onCall?.(operation, monotonic() - startedAt, (error as Error).name);
      throw error;
    }
  }

  return {
    ...kv,
    async get<T>(keys: readonly Key[]) {
      const entries = await timeCall("get", () => kv.get<T>(keys));
      // Every read of the schema's entry uses the constant `SCHEMA`, so `indexOf()` finds the key.
      const schemaEntry = entries[keys.indexOf(SCHEMA)];
      const isAbsent = schemaEntry && !("fault" in schemaEntry) && schemaEntry.version === null;
      if (isAbsent && state.hasSchema) throw new SchemaError(SCHEMA_VANISHED);
      return entries;
    },
    list: <T>(selector: Selector, options: ListOptions) =>
      timeCall("list", () => kv.list<T>(selector, options)),
    async commit(commit: Commit) {
      if (state.refusal) throw state.refusal;
      return await timeCall("commit", () => kv.commit(commit));
    },
  };
}
