/**
 * Services in a thread of their own: their timers and KV operations go on between tests, and must not count as those of
 * a test. @module
 */
import { openKv } from "../../../server/store/kv/open.ts";
import { listenOn } from "../../support/listen.ts";
import { openMemoryKv } from "../../support/memory_kv.ts";

/** What the thread is asked: to start a service with a number, or to stop it. */
export type ThreadInput =
  | { number: number; variables: Parameters<typeof listenOn>[1]; kvPath: string | undefined }
  | { number: number; stop: true };

/** What the thread answers: the address that the service listens on, or that it has stopped. */
export interface ThreadOutput {
  number: number;
  url?: string;
}

// The types of a worker and of a window contradict each other, so that `self` has a window's type here.
const thread = self as unknown as {
  onmessage: (message: MessageEvent<ThreadInput>) => void;
  postMessage: (output: ThreadOutput) => void;
};

const services = new Map<number, AsyncDisposableStack>();

thread.onmessage = async ({ data }) => {
  const { number } = data;
  if ("stop" in data) {
    await services.get(number)?.disposeAsync();
    return thread.postMessage({ number });
  }
  const { variables, kvPath } = data;
  const resources = new AsyncDisposableStack();
  const kv = kvPath === undefined
    ? resources.adopt(await openMemoryKv(), (kv) => kv.close())
    : resources.use(await openKv({ kind: "file", path: kvPath })).kv;
  const service = resources.use(await listenOn(kv, variables));
  services.set(number, resources);
  thread.postMessage({ number, url: service.baseUrl });
};
