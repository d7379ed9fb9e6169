import type { BoundedKv } from "./retry.ts";

/** Is called after a call of KV with its name and its milliseconds, and with its error's name if it failed. */
export type OnKvCall = (operation: string, ms: number, fault?: string) => void;

/**
 * Reports how long each call of a KV takes. A list is reported once, with the time that its reader waited
 * for KV. A watch is not reported, as it has no end.
 *
 * @param monotonic a clock that never steps, in milliseconds
 */
export function timeKvCalls(
  kv: BoundedKv,
  onCall: OnKvCall,
  monotonic: () => number,
): BoundedKv {
  async function timed<T>(operation: string, call: () => Promise<T>): Promise<T> {
    const began = monotonic();
    try {
      const result = await call();
      onCall(operation, monotonic() - began);
      return result;
    } catch (error) {
      onCall(operation, monotonic() - began, (error as Error).name);
      throw error;
    }
  }

  async function* timedList<T>(list: AsyncIterable<T>): AsyncGenerator<T> {
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
      onCall("list", waited, fault);
    }
  }

  return new Proxy(kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const method = value.bind(target);
      switch (name) {
        case "get":
        case "getMany":
        case "set":
          return (...args: unknown[]) => timed(name, () => method(...args));
        case "list":
          return (...args: unknown[]) => timedList(method(...args));
        case "atomic":
          return () => {
            const atomic: Deno.AtomicOperation = method();
            const commit = atomic.commit.bind(atomic);
            atomic.commit = () => timed("commit", commit);
            return atomic;
          };
      }
      return method;
    },
  });
}
