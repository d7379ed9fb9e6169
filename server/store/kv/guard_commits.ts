import type { BoundedKv } from "./retry.ts";

/** What {@linkcode guardCommits} needs besides KV. */
export interface CommitGuard {
  /** Whether the store is known to have the entry of the schema. */
  hasSchema: () => boolean;
  /** Why no commit may be made now; `undefined` where it may. */
  refusal: () => Error | undefined;
  /** Is called when KV has failed a commit, or has given no answer; not for one that a check stopped. */
  onFailure: () => void;
}

/** Gives a KV whose commits can be refused, and which tells of those that fail. */
export function guardCommits(kv: BoundedKv, guard: CommitGuard): BoundedKv {
  return new Proxy(kv, {
    get(target, name) {
      if (name === "hasSchema") return guard.hasSchema();
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const method = value.bind(target);
      if (name !== "atomic") return method;
      return () => {
        const atomic: Deno.AtomicOperation = method();
        const commit = atomic.commit.bind(atomic);
        atomic.commit = async () => {
          const refusal = guard.refusal();
          if (refusal) throw refusal;
          try {
            return await commit();
          } catch (error) {
            guard.onFailure();
            throw error;
          }
        };
        return atomic;
      };
    },
  });
}
