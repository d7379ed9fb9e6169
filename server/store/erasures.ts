/**
 * Erasure: a record goes, its counters move, and a mark stays that keeps imports from bringing the
 * address back. A fresh sign-up clears the mark (`sign_ups.ts`), so that no address has both.
 *
 * @module
 */
import type { RandomBytes } from "../oauth/clients.ts";
import { erasureMark } from "../waitlist/erasure.ts";
import type { SignUpRecord } from "../waitlist/record.ts";
import { CounterChanges } from "../waitlist/statistics.ts";
import { DEADLINE_MS, withDeadline } from "./deadline.ts";
import { ERASED, erasedKey, ERASURE_KEY, signUpKey } from "./keys.ts";
import { addToCounter } from "./sign_ups.ts";

/** What is known of an address: its record, or when it was erased, or nothing. */
export type Known =
  | { record: SignUpRecord }
  | { erasedAt: string }
  | undefined;

/** Looks an address up. It has a record or a mark, never both. */
export async function findSignUp(kv: Deno.Kv, email: string): Promise<Known> {
  return await withDeadline(DEADLINE_MS, async () => {
    const { record, erasureKey } = await readBoth(kv, email);
    if (record.value) return { record: record.value };
    return await findMark(kv, erasureKey.value, email);
  });
}

/** Whether an address was erased by this call, had been before, or is unknown. */
export type Erasure = { outcome: "erased" | "erased_before"; erasedAt: string } | undefined;

/**
 * Erases an address: its record, its part in the counters and a mark in its place, all in one commit
 * that nothing has come before. An address without a record is left as it is.
 *
 * @param email lower-cased
 */
export async function eraseSignUp(
  kv: Deno.Kv,
  email: string,
  { now, random }: { now: number; random: RandomBytes },
): Promise<Erasure> {
  return await withDeadline(DEADLINE_MS, async (signal) => {
    for (;;) {
      signal.throwIfAborted();
      const { record, erasureKey } = await readBoth(kv, email);
      if (!record.value) {
        const mark = await findMark(kv, erasureKey.value, email);
        return mark && { outcome: "erased_before", ...mark };
      }
      const key = erasureKey.value ?? random(32);
      const erasedAt = new Date(now).toISOString();
      const commit = kv.atomic().check(record, erasureKey)
        .delete(record.key)
        .set(erasedKey(erasureMark(key, email)), erasedAt);
      if (!erasureKey.value) commit.set(ERASURE_KEY, key);
      const counters = new CounterChanges();
      counters.replace(record.value, undefined);
      for (const { counter, by } of counters) addToCounter(commit, counter, by);
      // A race is lost only to a commit that went through, such as a repeated sign-up.
      if ((await commit.commit()).ok) return { outcome: "erased", erasedAt };
    }
  });
}

async function readBoth(kv: Deno.Kv, email: string) {
  const [record, erasureKey] = await kv.getMany<[SignUpRecord, Uint8Array]>([
    signUpKey(email),
    ERASURE_KEY,
  ]);
  return { record, erasureKey };
}

async function findMark(
  kv: Deno.Kv,
  key: Uint8Array | null,
  email: string,
): Promise<{ erasedAt: string } | undefined> {
  if (!key) return undefined;
  const { value } = await kv.get<string>(erasedKey(erasureMark(key, email)));
  return value === null ? undefined : { erasedAt: value };
}

/**
 * Counts the addresses that were erased at a moment or later, and have not signed up again.
 *
 * @param moment a date-time in UTC
 */
export async function countErasuresSince(kv: Deno.Kv, moment: string): Promise<number> {
  let count = 0;
  for await (const { value } of kv.list<string>(ERASED)) if (value >= moment) count++;
  return count;
}
