import type { Kv } from "../../server/store/kv/engine.ts";
import { type TestKv, testKv } from "./memory_kv.ts";

/** What a test does around a commit of the wrapped KV. */
export type AroundCommit = (
  commit: () => Promise<Deno.KvCommitResult | Deno.KvCommitError>,
) => Promise<Deno.KvCommitResult | Deno.KvCommitError>;

/** What a test does around a read of the wrapped KV: a `get`, a `getMany`, or a step of a `list`. */
export type AroundRead = <T>(read: () => Promise<T>) => Promise<T>;

/**
 * A real store whose engine's commits and reads go through functions, to make engines fail as real ones do.
 *
 * @param deadlineMs how long the store waits for the engine, in milliseconds; as long as in production if absent
 */
export function faultyKv(
  kv: Kv,
  aroundCommit: AroundCommit,
  aroundRead?: AroundRead,
  deadlineMs?: number,
): TestKv {
  const { raw, traits } = kv as TestKv;
  const options = { traits, ...deadlineMs !== undefined && { deadlineMs } };
  return testKv(faultyRaw(raw, aroundCommit, aroundRead), options);
}

/** Deno's KV whose commits and reads go through functions. */
function faultyRaw(
  raw: Deno.Kv,
  aroundCommit: AroundCommit,
  aroundRead: AroundRead = (read) => read(),
): Deno.Kv {
  return new Proxy(raw, {
    get(target, name) {
      switch (name) {
        case "atomic":
          return () => {
            const atomic = target.atomic();
            const commit = atomic.commit.bind(atomic);
            atomic.commit = () => aroundCommit(commit);
            return atomic;
          };
        case "get":
          return (...args: Parameters<Deno.Kv["get"]>) => aroundRead(() => target.get(...args));
        case "getMany":
          return (...args: Parameters<Deno.Kv["getMany"]>) =>
            aroundRead(() => target.getMany(...args));
        case "list":
          return (...args: Parameters<Deno.Kv["list"]>) => {
            const steps = target.list(...args);
            const next = steps.next.bind(steps);
            steps.next = () => aroundRead(next);
            return steps;
          };
      }
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A KV whose first commits go through and lose their answers, or do not go through at all. */
export function uncertainKv(
  kv: Kv,
  { commits, goThrough }: { commits: number; goThrough: boolean },
): TestKv {
  return faultyKv(kv, async (commit) => {
    if (commits === 0) return await commit();
    commits--;
    if (goThrough) await commit();
    throw new Error("The answer was lost");
  });
}

/** A KV in which something else happens just before one of its commits, by default the first one. */
export function racingKv(kv: Kv, meanwhile: () => Promise<unknown>, commit: number = 1): TestKv {
  return faultyKv(kv, async (go) => {
    if (--commit === 0) await meanwhile();
    return await go();
  });
}

/** A KV whose commits fail while `isHolding`, and go through later, at `release()`. */
export function holdingKv(kv: Kv) {
  const held: (() => Promise<unknown>)[] = [];
  const state = {
    isHolding: true,
    kv: faultyKv(kv, async (commit) => {
      if (!state.isHolding) return await commit();
      held.push(commit);
      throw new Error("The commit was given up");
    }),
    async release() {
      state.isHolding = false;
      for (const commit of held.splice(0)) await commit();
    },
  };
  return state;
}

/**
 * A KV whose first commits are sent twice, as by the client of a KV server that gets no answer. The second answer is
 * that a check has failed.
 */
export function repeatingKv(kv: Kv, commits: number): TestKv {
  return faultyKv(kv, async (commit) => {
    if (commits-- > 0) await commit();
    return await commit();
  });
}

/**
 * Gives a KV with a function that waits until no commit is under way. The store goes on to find out the outcome of a
 * commit after the call that made the commit was answered.
 */
export function withCommitsEnd(kv: Kv): { kv: Kv; commitsEnd: () => Promise<void> } {
  const commits = new Set<Promise<unknown>>();
  return {
    kv: {
      ...kv,
      async commit(commit) {
        const made = kv.commit(commit);
        commits.add(made);
        return await made.finally(() => commits.delete(made));
      },
    },
    async commitsEnd() {
      while (commits.size > 0) await Promise.allSettled(commits);
    },
  };
}

/** More than enough for a call that ends by its own deadline, in milliseconds; the engine of `hangingKv()` waits longer. */
export const ENOUGH_MS = 20_000;

/** A KV whose reads, or whose commits alone, give no answer while `isHung`. Only the deadline of a call ends its wait. */
export function hangingKv(
  kv: Kv,
  { hangs, deadlineMs }: { hangs: "reads" | "commits"; deadlineMs: number },
) {
  const hang = <T>(isMeant: boolean, call: () => Promise<T>): Promise<T> =>
    state.isHung && isMeant ? new Promise(() => {}) : call();
  const faulty = faultyKv(
    kv,
    (commit) => hang(true, commit),
    (read) => hang(hangs === "reads", read),
    10 * ENOUGH_MS,
  );
  const state = { isHung: false, kv: { ...faulty, deadlineMs } };
  return state;
}
