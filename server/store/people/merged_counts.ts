/** Compares counts that are kept with counts that are made again, in constant memory. @module */

/** A count, by the place of its entry in an order. */
export interface Count<Place extends string | number> {
  place: Place;
  /** `undefined` for an entry that cannot be read. */
  count: number | undefined;
}

/** The two counts of a place. */
export interface CountPair<Place extends string | number> {
  place: Place;
  /** The kept count; 0 without an entry, and `undefined` if the entry cannot be read. */
  kept: number | undefined;
  recounted: number;
}

/**
 * Joins two sequences of counts, both in the order of their places, and gives the two counts of every place that is in
 * one of them. A place that a sequence does not have counts 0 there.
 */
export async function* mergeCounts<Place extends string | number>(
  kept: AsyncIterable<Count<Place>>,
  recounted: AsyncIterable<{ place: Place; count: number }>,
): AsyncGenerator<CountPair<Place>> {
  const ofKept = kept[Symbol.asyncIterator]();
  let next = await ofKept.next();
  for await (const { place, count } of recounted) {
    for (; !next.done && next.value.place < place; next = await ofKept.next()) {
      yield { place: next.value.place, kept: next.value.count, recounted: 0 };
    }
    const isKept = !next.done && next.value.place === place;
    yield { place, kept: isKept ? next.value.count : 0, recounted: count };
    if (isKept) next = await ofKept.next();
  }
  for (; !next.done; next = await ofKept.next()) {
    yield { place: next.value.place, kept: next.value.count, recounted: 0 };
  }
}

/** Counts the members of neighbouring places, which come in the order of their places. */
export async function* countByPlace<Place extends string | number>(
  places: AsyncIterable<Place[]>,
): AsyncGenerator<{ place: Place; count: number }> {
  let current: { place: Place; count: number } | undefined;
  for await (const some of places) {
    for (const place of some) {
      if (current?.place === place) current.count++;
      else {
        if (current) yield current;
        current = { place, count: 1 };
      }
    }
  }
  if (current) yield current;
}
