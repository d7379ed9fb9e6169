/**
 * Schema 4: every value is JSON or a counter. Deno kept the values of schema 3 in the serialization of its V8, which
 * neither older versions of V8 nor other engines can read; the engine of Deno KV reads both.
 *
 * @module
 */
import type { UnreadableRecord } from "../../../../shared/operator_schemas.ts";
import type { Commit, Entry, Key, Kv } from "../engine.ts";
import {
  ADDRESS_KEY,
  COMMIT_SLOTS,
  COUNTERS,
  LIMIT_COUNTS,
  OUTBOX_COUNTS,
  SCHEMA,
  SIGN_UPS,
  WRITE_PROBE,
} from "../keys.ts";
import { pages, readEntries } from "../pages.ts";

/** The commit that begins and ends the migration writes the schema. */
const KEPT = [COUNTERS.prefix, OUTBOX_COUNTS.prefix, COMMIT_SLOTS.prefix, SCHEMA];

const isAmong = (keys: Key[], [first]: Key) => keys.some((key) => key[0] === first);

/** Records that cannot be read stay as they are. */
export const JSON_VALUES = {
  to: 4,
  async *batches(kv: Kv, after: Key | undefined) {
    if (!after) {
      const counts = await kv.list(LIMIT_COUNTS, { limit: 500 });
      // Bytes without the mark of packed ones; the service makes these entries again.
      const removed = [ADDRESS_KEY, WRITE_PROBE, ["recount"], ...counts.map(({ key }) => key)];
      const write = (commit: Commit) => removed.forEach((key) => commit.delete(key));
      yield { write, records: 0, unreadable: [], after };
    }
    for await (const { entries, unreadable } of readAhead(readStore(kv, after))) {
      yield {
        write(commit: Commit) {
          for (const { key, value } of entries) if (!isAmong(KEPT, key)) commit.set(key, value);
        },
        records: entries.length,
        unreadable,
        after: entries.at(-1)?.key,
      };
    }
  },
};

interface Batch {
  entries: Entry[];
  unreadable: UnreadableRecord[];
}

/** Entries in a commit, which takes 81,920 bytes of keys; a key with the longest address has 360 at the most. */
const AT_ONCE = 220;

/** Reads the next batch while the one before is written. */
async function* readAhead(batches: AsyncGenerator<Batch>): AsyncGenerator<Batch> {
  for (let next = batches.next();;) {
    const { done, value } = await next;
    if (done) return;
    next = batches.next();
    // Whoever stops before does not wait for it.
    next.catch(() => {});
    yield value;
  }
}

/** Reads all entries in the order of their keys. */
async function* readStore(kv: Kv, after: Key = []): AsyncGenerator<Batch> {
  const [table = "", text] = after;
  const [signUps] = SIGN_UPS.prefix as [string];
  const start = after.length > 0 && { after };
  if (table < signUps) {
    const before = { prefix: [], ...start, end: SIGN_UPS.prefix };
    for await (const entries of pages(kv, before, { limit: AT_ONCE })) {
      yield { entries, unreadable: [] };
    }
  }
  if (table <= signUps) {
    const behind = table === signUps ? String(text) : undefined;
    yield* readEntries(kv, { ...SIGN_UPS, after: behind, batchSize: AT_ONCE });
  }
  const behind = table > signUps ? start : { start: [`${signUps}\0`] };
  for await (const entries of pages(kv, { prefix: [], ...behind }, { limit: AT_ONCE })) {
    yield { entries, unreadable: [] };
  }
}
