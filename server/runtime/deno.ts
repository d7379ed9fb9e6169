/** What Deno does in its own way; see `Host`. @module */
import type { Host, ServeOptions, Server } from "./host.ts";

// deno-lint-ignore require-await -- it rejects where Deno throws
async function serve({ at, handler, signal }: ServeOptions): Promise<Server> {
  const options = { signal, handler, onListen() {} };
  return at ? Deno.serve({ ...at, ...options }) : Deno.serve(options);
}

/** Call it before a server starts, and at the top level of a module: Deno Deploy finds nothing else. */
function everyMinute(name: string, work: () => Promise<void>): void {
  Deno.cron(name, "* * * * *", work);
}

/** How long a free lock may take to be granted, in milliseconds; a lock that is taken is not granted. */
const GRANT_MS = 1_000;

/** `tryLock` would tell at once whether a lock is free, but Deno 2.5 has only `lock`, which waits. */
async function takeFileLock(path: string): Promise<Disposable | undefined> {
  const file = await Deno.open(path, { write: true });
  const granted = file.lock(true).then(() => true, () => false);
  const { promise: refused, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), GRANT_MS);
  const isLocked = await Promise.race([granted, refused]);
  clearTimeout(timer);
  if (isLocked) return file;
  file.close();
}

export const DENO: Host = { serve, everyMinute, takeFileLock };
