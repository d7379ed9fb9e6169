/** Randomness and random ids. @module */
import { Buffer } from "node:buffer";

/** A function that gives random bytes. @param length the number of bytes */
export type RandomBytes = (length: number) => Uint8Array;

/**
 * How many ids are made from the bytes of one call of the random source. The number is large, because such a call takes
 * longer than all other work for an id.
 */
const IDS_PER_DRAW = 1_024;

/** Makes the function that gives ids of random base64url characters. @param options.length the number of characters */
export function createRandomIds(
  { length, random }: { length: number; random: RandomBytes },
): () => string {
  /** The random characters of the last draw. */
  let characters = "";
  /** How many characters of the last draw are already part of an id. */
  let usedCount = 0;
  return () => {
    if (usedCount === characters.length) {
      // Three bytes give four characters.
      characters = Buffer.from(random(IDS_PER_DRAW * length * 3 / 4)).toString("base64url");
      usedCount = 0;
    }
    const start = usedCount;
    usedCount += length;
    return characters.slice(start, usedCount);
  };
}
