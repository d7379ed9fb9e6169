/**
 * A service in a thread of its own: its timers and KV operations go on between tests, and must not count
 * as those of a test.
 *
 * @module
 */
import { openKv } from "../../../server/store/open.ts";
import { listenOn } from "../../support/listen.ts";

/** What the thread is started with: the service's variables, and the KV file; in memory by default. */
export interface ThreadInput {
  variables: Parameters<typeof listenOn>[1];
  kvPath: string | undefined;
}

/** What the thread answers once the service listens. */
export interface ThreadOutput {
  url: string;
}

const thread = self as unknown as {
  onmessage: (message: MessageEvent<ThreadInput | "stop">) => void;
  postMessage: (output: ThreadOutput | "stopped") => void;
};

let service: AsyncDisposable | undefined;

thread.onmessage = async ({ data }) => {
  if (data === "stop") {
    await service?.[Symbol.asyncDispose]();
    return thread.postMessage("stopped");
  }
  const { variables, kvPath } = data;
  const kv = kvPath === undefined
    ? await Deno.openKv(":memory:")
    : (await openKv({ kind: "file", path: kvPath })).kv;
  const listening = await listenOn(kv, variables);
  service = listening;
  thread.postMessage({ url: listening.baseUrl });
};
