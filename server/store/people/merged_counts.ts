/**
 * Joins stored counts with new counts of the same things, so that the caller can compare them. All sequences of counts
 * are sorted, so that the work needs only constant memory. @module
 */

/** A count, with the key by which a sequence of counts is sorted, such as a period or an id. */
export interface Count<SortKey extends string | number> {
  sortKey: SortKey;
  count: number;
}

/** A count as it was read from the store. */
export interface StoredCount<SortKey extends string | number> {
  sortKey: SortKey;
  /** The count; `undefined` for an entry that cannot be read. */
  count: number | undefined;
}

/** The stored count and the new count of a thing. */
export interface CountPair<SortKey extends string | number> {
  sortKey: SortKey;
  /** The stored count; 0 if there is no entry, and `undefined` if the entry cannot be read. */
  storedCount: number | undefined;
  recounted: number;
}

/**
 * Joins two sequences of counts, both in the order of their sort keys. Gives the two counts of every sort key that is
 * in at least one of the sequences. The count is 0 if a sequence does not have the sort key.
 */
export async function* mergeCounts<SortKey extends string | number>(
  storedCounts: AsyncIterable<StoredCount<SortKey>>,
  newCounts: AsyncIterable<Count<SortKey>>,
): AsyncGenerator<CountPair<SortKey>> {
  const iterator = storedCounts[Symbol.asyncIterator]();
  let stored = await iterator.next();
  for await (const { sortKey, count } of newCounts) {
    for (; !stored.done && stored.value.sortKey < sortKey; stored = await iterator.next()) {
      yield pairWithoutNewCount(stored.value);
    }
    const isStored = !stored.done && stored.value.sortKey === sortKey;
    yield { sortKey, storedCount: isStored ? stored.value.count : 0, recounted: count };
    if (isStored) stored = await iterator.next();
  }
  for (; !stored.done; stored = await iterator.next()) yield pairWithoutNewCount(stored.value);
}

/** Makes the pair of a stored count whose sort key is not in the sequence of new counts. */
const pairWithoutNewCount = <SortKey extends string | number>(
  { sortKey, count }: StoredCount<SortKey>,
): CountPair<SortKey> => ({ sortKey, storedCount: count, recounted: 0 });

/**
 * Adds up the counts of each sort key. The counts must be in the order of their sort keys, so that counts with the same
 * sort key are neighbours.
 */
export async function* sumBySortKey<SortKey extends string | number>(
  pages: AsyncIterable<Count<SortKey>[]>,
): AsyncGenerator<Count<SortKey>> {
  let sum: Count<SortKey> | undefined;
  for await (const page of pages) {
    for (const { sortKey, count } of page) {
      if (sum?.sortKey === sortKey) sum.count += count;
      else {
        if (sum) yield sum;
        sum = { sortKey, count };
      }
    }
  }
  if (sum) yield sum;
}
