/**
 * The layers between an engine and the other folders of the store, from the engine up. Each layer is a KV over the
 * layer below it:
 *
 * 1. `withKnownOutcomes()`, because a change may be tried again only if the last try has certainly failed.
 *    `openKv()` adds this layer, because the upgrade of the schema needs it and runs before the other layers exist.
 * 2. `guardKv()`, because a store that has vanished must accept no commits. The heartbeat knows whether the store
 *    has vanished.
 * 3. `skipAbsentKeys()`, because sign-ups of new people would otherwise read records that do not exist. Only a KV
 *    file has this layer.
 * 4. `checkForms()`, because one damaged entry must not fail the reads of other entries.
 *
 * Most calls of an operator have one more layer, `withinDeadline()`, because the operator waits for all reads and
 * commits of the call together. @module
 */
import type { Runtime } from "../../runtime/mod.ts";
import { skipAbsentKeys } from "./absent_keys.ts";
import { checkForms } from "./forms.ts";
import { type Heartbeat, type HeartbeatOptions, startHeartbeat } from "./heartbeat.ts";

export interface StackOptions extends HeartbeatOptions {
  runtime: HeartbeatOptions["runtime"] & Pick<Runtime, "random">;
}

/** Puts the layers on an open KV, and starts the heartbeat, which the caller closes. */
export async function startStack(options: StackOptions): Promise<Heartbeat> {
  const { store, runtime } = options;
  const heartbeat = await startHeartbeat(options);
  // Only a file has `isThere()`. No other process writes to a file, because only one process opens it.
  const kv = store.isThere ? skipAbsentKeys(heartbeat.kv, runtime.random) : heartbeat.kv;
  return { ...heartbeat, kv: checkForms(kv) };
}
