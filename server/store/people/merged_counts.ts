/** Compares stored counts with new counts of the same things, in constant memory. @module */

/** A count, with the place by which a sequence of counts is sorted, such as a period or an id. */
export interface Count<Place extends string | number> {
  place: Place;
  /** The count; `undefined` for an entry that cannot be read. */
  count: number | undefined;
}

/** The stored count and the new count of a place. */
export interface CountPair<Place extends string | number> {
  place: Place;
  /** The stored count; 0 if there is no entry, and `undefined` if the entry cannot be read. */
  kept: number | undefined;
  recounted: number;
}

/**
 * Joins two sequences of counts, both in the order of their places. Gives the two counts of every place that is in at
 * least one of the sequences. The count is 0 if a sequence does not have the place.
 */
export async function* mergeCounts<Place extends string | number>(
  kept: AsyncIterable<Count<Place>>,
  recounted: AsyncIterable<{ place: Place; count: number }>,
): AsyncGenerator<CountPair<Place>> {
  const keptCounts = kept[Symbol.asyncIterator]();
  let next = await keptCounts.next();
  for await (const { place, count } of recounted) {
    for (; !next.done && next.value.place < place; next = await keptCounts.next()) {
      yield { place: next.value.place, kept: next.value.count, recounted: 0 };
    }
    const isKept = !next.done && next.value.place === place;
    yield { place, kept: isKept ? next.value.count : 0, recounted: count };
    if (isKept) next = await keptCounts.next();
  }
  for (; !next.done; next = await keptCounts.next()) {
    yield { place: next.value.place, kept: next.value.count, recounted: 0 };
  }
}

/** Adds up the counts of each place. The counts must be sorted by their places, so that equal places are neighbours. */
export async function* sumByPlace<Place extends string | number>(
  counts: AsyncIterable<{ place: Place; count: number }[]>,
): AsyncGenerator<{ place: Place; count: number }> {
  let current: { place: Place; count: number } | undefined;
  for await (const page of counts) {
    for (const { place, count } of page) {
      if (current?.place === place) current.count += count;
      else {
        if (current) yield current;
        current = { place, count };
      }
    }
  }
  if (current) yield current;
}
