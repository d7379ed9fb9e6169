/**
 * Reads lists to their end, whatever is wrong with single entries of them: an entry that KV cannot read,
 * or whose value does not have the form that it should, is named and left out.
 *
 * @module
 */
import type { z } from "zod";
import type { UnreadableRecord } from "../../shared/operator_schemas.ts";
import { inBatches } from "./deadline.ts";
import { answers, behind, findUnreadable } from "./unreadable.ts";

/** Which entries to read: those whose keys have one part, a text, behind the prefix. */
export interface EntrySelector<T> {
  prefix: Deno.KvKey;
  /** The text to begin behind; there need not be an entry of it. */
  after?: string | undefined;
  /** Entries that one read brings at the most. */
  batchSize: number;
  /** The form of the entries, and what of an entry it is the form of; any form does without it. */
  form?: { schema: z.ZodType; of: (text: string, value: T) => unknown };
}

/** Entries in the order of their keys, and what was left out among and right behind them. */
export interface EntryBatch<T> {
  entries: Deno.KvEntry<T>[];
  unreadable: UnreadableRecord[];
}

/**
 * Reads entries in the order of their keys, at constant memory. An entry that comes, changes or goes
 * meanwhile is read as it is when its batch is.
 *
 * @throws what KV rejects a read with, unless a single entry is what cannot be read
 */
export async function* readEntries<T>(
  kv: Deno.Kv,
  selector: EntrySelector<T>,
): AsyncGenerator<EntryBatch<T>> {
  const { prefix, after, batchSize } = selector;
  let start = after === undefined ? prefix : behind([...prefix, after]);
  const rest = () => start === prefix ? { prefix } : { prefix, start };
  for (;;) {
    try {
      for await (const entries of inBatches(kv.list<T>(rest(), { batchSize }), batchSize)) {
        yield validate(entries, selector);
        start = behind(entries.at(-1)!.key);
      }
      return;
    } catch (error) {
      if (!await answers(kv, start)) throw error;
      // One by one, up to the one that cannot be read.
      const list = kv.list<T>(rest(), { limit: batchSize, batchSize: 1 });
      const entries = await readUpToFault(list);
      if (entries.length > 0) start = behind(entries.at(-1)!.key);
      const batch = validate(entries, selector);
      if (entries.length < batchSize) {
        const found = await findUnreadable(kv, { prefix, start });
        if (!found) throw error;
        batch.unreadable.push(found.record);
        if (!found.next) return yield batch;
        start = found.next;
      }
      yield batch;
    }
  }
}

async function readUpToFault<T>(list: Deno.KvListIterator<T>): Promise<Deno.KvEntry<T>[]> {
  const entries: Deno.KvEntry<T>[] = [];
  try {
    for await (const [entry] of inBatches(list, 1)) entries.push(entry!);
  } catch {
    // Whoever looks for the fault learns of it once more.
  }
  return entries;
}

/** Tells entries apart from those that do not have their form. */
function validate<T>(entries: Deno.KvEntry<T>[], { form }: EntrySelector<T>): EntryBatch<T> {
  const batch: EntryBatch<T> = { entries: [], unreadable: [] };
  for (const entry of entries) {
    const parsed = form?.schema.safeParse(form.of(String(entry.key.at(-1)), entry.value));
    const issue = parsed?.error?.issues[0];
    if (!issue) batch.entries.push(entry);
    else {
      const field = issue.path.join(".");
      const reason = field
        ? `The field ${field} is not as it should be.`
        : "It is not as it should be.";
      batch.unreadable.push({ key: entry.key.map(String), reason });
    }
  }
  return batch;
}
