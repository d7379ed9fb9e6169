/** The service's KV: calls are timed, and commits are refused where the store must not be written to. @module */
import type { Runtime } from "../../runtime/mod.ts";
import type { BoundedKv } from "./calls.ts";

/** Is called after a call of KV with its name and its milliseconds, and with its error's name if it failed. */
export type OnKvCall = (operation: string, ms: number, fault?: string) => void;

export interface StoreState {
  /** Whether the store is known to have the entry of the schema. */
  hasSchema: boolean;
  refusal?: Error | undefined;
  /** Whether KV has failed a commit or given no answer; a failed check does not count. */
  failedCommit: boolean;
}

/**
 * Gives a KV whose commits are refused where the state of the store says so, and which notes there when one fails.
 *
 * @param onCall gets the time of each call; a list is one call, with the time that its reader waited for KV; a watch
 * is none, as it has no end
 */
export function guardKv(
  kv: BoundedKv,
  state: StoreState,
  { onCall, monotonic }: { onCall?: OnKvCall | undefined } & Pick<Runtime, "monotonic">,
): BoundedKv {
  async function around<T>(operation: string, call: () => Promise<T>): Promise<T> {
    const isCommit = operation === "commit";
    if (isCommit && state.refusal) throw state.refusal;
    const began = monotonic();
    try {
      const result = await call();
      onCall?.(operation, monotonic() - began);
      return result;
    } catch (error) {
      if (isCommit) state.failedCommit = true;
      onCall?.(operation, monotonic() - began, (error as Error).name);
      throw error;
    }
  }

  async function* timeList<T>(list: AsyncIterable<T>): AsyncGenerator<T> {
    const steps = list[Symbol.asyncIterator]();
    let waited = 0;
    let fault: string | undefined;
    try {
      for (;;) {
        const began = monotonic();
        const step = await steps.next().finally(() => waited += monotonic() - began);
        if (step.done) return;
        yield step.value;
      }
    } catch (error) {
      fault = (error as Error).name;
      throw error;
    } finally {
      onCall?.("list", waited, fault);
    }
  }

  return wrapKv(() => kv, around, {
    get hasSchema() {
      return state.hasSchema;
    },
    list(...args: Parameters<Deno.Kv["list"]>) {
      const list = kv.list(...args);
      return onCall ? timeList(list) : list;
    },
  });
}

/**
 * Makes a call of a client, or does not; `operation` is `commit`, `list` for each step of a list, or a method's name.
 */
export type AroundCall = <T>(
  operation: string,
  call: () => Promise<T>,
  client: Deno.Kv,
) => Promise<T>;

/**
 * Gives a KV whose calls go through a function. The client of a call is also that of the atomics and lists that it
 * makes.
 *
 * @param own what the KV has of its own
 */
export function wrapKv(
  clientOf: () => Deno.Kv,
  around: AroundCall,
  own: object,
): BoundedKv {
  return new Proxy(clientOf(), {
    get(_first, name) {
      if (name in own) return Reflect.get(own, name);
      const client = clientOf();
      const value = Reflect.get(client, name);
      if (typeof value !== "function") return value;
      const method = value.bind(client);
      switch (name) {
        case "get":
        case "getMany":
        case "set":
        case "delete":
          return (...args: unknown[]) => around(name, () => method(...args), client);
        case "list":
          return (...args: unknown[]) => {
            const list: Deno.KvListIterator<unknown> = method(...args);
            const next = list.next.bind(list);
            list.next = () => around("list", next, client);
            return list;
          };
        case "atomic":
          return () => {
            const atomic: Deno.AtomicOperation = method();
            const commit = atomic.commit.bind(atomic);
            atomic.commit = () => around("commit", commit, client);
            return atomic;
          };
      }
      return method;
    },
  });
}
