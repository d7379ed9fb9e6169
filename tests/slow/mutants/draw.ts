/** Draws some of many things by a seed. @module */

/** Draws some of the items, the same ones for the same seed. */
export function draw<T>(items: T[], count: number, seed: number): T[] {
  const random = createRandom(seed);
  const left = [...items];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(Math.floor(random() * left.length), 1)[0]!,
  );
}

/** A small generator of numbers from 0 to below 1 (mulberry32), because a seed has to give the same ones everywhere. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
