import type { OutboxView } from "../../observe/mod.ts";
import { keepView, type KeptView, type Repeat } from "../../runtime/mod.ts";
import { dueSelector } from "../kv/mod.ts";
import { createMailState } from "./mail_state.ts";
import { readOutboxCounts } from "./reads.ts";

/** Reads on a beat what waits in the outbox. */
export function viewOutbox(kv: Deno.Kv, repeat: Repeat): Promise<KeptView<OutboxView>> {
  async function read(): Promise<OutboxView> {
    const { due } = await readOutboxCounts(kv, "");
    const pause = (await createMailState(kv).read())?.pause;
    // The letters and events have one count together. There are few events, unless the receiver is away.
    let events = 0;
    for await (const _ of kv.list(dueSelector("events"), { batchSize: 500 })) events++;
    return { letters: Math.max(0, due - events), events, isPaused: pause !== undefined };
  }
  return keepView(read, { first: { letters: 0, events: 0, isPaused: false }, repeat });
}
