import { mergeSignUp } from "../waitlist/merge.ts";
import type { SignUp, SignUpRecord } from "../waitlist/record.ts";
import { type Counter, CounterChanges } from "../waitlist/statistics.ts";
import { counterKey, signUpKey } from "./keys.ts";

/**
 * Stores a sign-up and moves the counters in the same commit; resolves once it is durable. A new and a
 * known address take the same path.
 *
 * @param now the moment of consent, a date-time
 */
export async function storeSignUp(kv: Deno.Kv, signUp: SignUp, now: string): Promise<void> {
  const key = signUpKey(signUp.email);
  // A race for the record is lost only to a commit that went through, so the tries come to an end.
  for (;;) {
    const entry = await kv.get<SignUpRecord>(key);
    const before = entry.value ?? undefined;
    const after = mergeSignUp(before, signUp, now);
    const changes = new CounterChanges();
    changes.replace(before, after);
    const commit = kv.atomic().check(entry).set(key, after);
    for (const { counter, by } of changes) addToCounter(commit, counter, by);
    if ((await commit.commit()).ok) return;
  }
}

/** Moves a counter by a positive or negative number; KV adds modulo 2^64 and takes no sign. */
function addToCounter(commit: Deno.AtomicOperation, counter: Counter, by: number): void {
  commit.sum(counterKey(counter), BigInt.asUintN(64, BigInt(by)));
}
