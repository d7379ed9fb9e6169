/**
 * The layers between an engine and the rooms of the store, from the engine up. Each is a KV over the one below it:
 *
 * 1. `withKnownOutcomes()`, because a change may only be tried again where the last try failed for certain. `openKv()`
 *    puts it on already, because the upgrade of the schema comes before the other layers.
 * 2. `guardKv()`, because a store that has vanished must take no commits; the heartbeat knows whether it has.
 * 3. `skipAbsentKeys()`, on a file alone, because the sign-ups of new people would read records that do not exist.
 * 4. `checkForms()`, because one damaged entry must not fail the calls that other people make.
 *
 * A call of a client has one layer more, `withinDeadline()`, because its caller waits for all of its reads and commits
 * together. @module
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
  // Only a file has `isThere()`, and one process alone has a file, so that no other process writes to it.
  const kv = store.isThere ? skipAbsentKeys(heartbeat.kv, runtime.random) : heartbeat.kv;
  return { ...heartbeat, kv: checkForms(kv) };
}
