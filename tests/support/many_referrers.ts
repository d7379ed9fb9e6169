/** Numbers of referrals without the people behind them, and a KV that tells how much is read to find people by them. @module */
import { Commit, type Kv } from "../../server/store/kv/engine.ts";
import { changeRecord, recordOf } from "./records.ts";

/** Stores a number of referrals for more people than the index of these numbers is read for. None is on the list. */
export async function storeManyReferrers(kv: Kv): Promise<void> {
  const commit = new Commit();
  for (let n = 0; n < 701; n++) commit.set(["by_referrals", 9, `a${n}`], true);
  await kv.commit(commit);
}

/** Gives people numbers of referrals without people who have signed up by their links. */
export async function giveReferrals(kv: Kv, referrals: Record<string, number>): Promise<void> {
  for (const [email, count] of Object.entries(referrals)) {
    const { id } = await recordOf(kv, email);
    await changeRecord(
      kv,
      email,
      (record) => ({ record: { ...record, referralCode: `code-${id}` } }),
    );
    await kv.commit(
      new Commit().set(["referrer", id], { referrals: count }).set(
        ["by_referrals", count, id],
        true,
      ),
    );
  }
}

/** A KV that counts the entries that lists read. */
export function countingKv(kv: Kv) {
  const counting = {
    ...kv,
    read: 0,
    async list<T>(...args: Parameters<Kv["list"]>) {
      const entries = await kv.list<T>(...args);
      counting.read += entries.length;
      return entries;
    },
  };
  return counting;
}
