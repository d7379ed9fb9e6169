/** Randomness and random ids. @module */
import { Buffer } from "node:buffer";

/** Gives so many random bytes. */
export type RandomBytes = (length: number) => Uint8Array;

/** The number of ids that are made from one call of the random source, which costs more than the rest. */
const IDS_PER_DRAW = 1_024;

/** Makes the function that gives ids of random base64url characters. @param options.length the number of characters */
export function createRandomIds(
  { length, random }: { length: number; random: RandomBytes },
): () => string {
  let text = "";
  let at = 0;
  return () => {
    if (at === text.length) {
      text = Buffer.from(random(IDS_PER_DRAW * length * 3 / 4)).toString("base64url");
      at = 0;
    }
    const begin = at;
    at += length;
    return text.slice(begin, at);
  };
}
