/** Remembers when regular work was last done well, so that metrics and pages can say that it is overdue. @module */
import type { Metrics } from "../../observe/mod.ts";
import {
  keepView,
  type KeptView,
  type Repeat,
  type Repeating,
  type Runtime,
} from "../../runtime/mod.ts";
import { lastDoneKey, withKvDeadline } from "../kv/mod.ts";

/** A verify without a difference, a backup sent to its end, a verify with a difference, a repair of the counters. */
const REGULAR_WORK = ["verify", "backup", "difference", "repair"] as const;
type RegularWork = typeof REGULAR_WORK[number];

/** Date-times; absent where work was never done. */
export type LastDone = Partial<Record<RegularWork, string>>;

export async function readLastDone(kv: Deno.Kv): Promise<LastDone> {
  const keys = REGULAR_WORK.map(lastDoneKey);
  const entries = await withKvDeadline(kv, () => kv.getMany<string[]>(keys));
  return Object.fromEntries(entries.flatMap(({ key, value }) => value ? [[key[1], value]] : []));
}

/** Does work, and notes its end as what `workOf` says. A note that KV does not take fails nothing. */
export async function* noteWhenDone<Step, Result>(
  steps: AsyncGenerator<Step, Result>,
  { kv, now, workOf }: Pick<Runtime, "now"> & {
    kv: Deno.Kv;
    workOf: (result: Result) => RegularWork | undefined;
  },
): AsyncGenerator<Step, Result> {
  const result = yield* steps;
  const work = workOf(result);
  const at = new Date(now()).toISOString();
  if (work) await withKvDeadline(kv, () => kv.set(lastDoneKey(work), at)).catch(() => {});
  return result;
}

export function viewLastDone(kv: Deno.Kv, repeat: Repeat): Promise<KeptView<LastDone>> {
  return keepView<LastDone>(() => readLastDone(kv), { first: {}, repeat });
}

/** Lets the metrics tell how long ago the signing key began to sign, and regular work was last done well. */
export async function reportAges(
  keyRing: { signsSince: number },
  { kv, metrics, now, repeat }: Pick<Runtime, "now" | "repeat"> & {
    kv: Deno.Kv;
    metrics: Metrics | undefined;
  },
): Promise<Repeating | undefined> {
  if (!metrics) return undefined;
  const view = await viewLastDone(kv, repeat);
  metrics.reportAges((thing) => {
    const since = thing === "signing_key"
      ? keyRing.signsSince
      : Date.parse(view.get()[thing] ?? "");
    // What was never done has no age.
    return since > 0 ? (now() - since) / 1000 : undefined;
  });
  return view;
}
