import { Buffer } from "node:buffer";

/** How many ids are drawn at once. */
const DRAWN = 1_024;

/** Makes ids of one length. */
export interface RandomIdOptions {
  /** Characters of an id, 6 random bits each. */
  length: number;
  /** Makes that many random bytes. */
  random: (length: number) => Uint8Array;
}

/**
 * Makes the function that gives ids of random base64url characters. They tell nothing of one another, so
 * that nobody can count requests or tokens by them. Many are drawn at once, as most of what a draw costs
 * is the call, and an id is cut out of their text.
 */
export function createRandomIds({ length, random }: RandomIdOptions): () => string {
  let text = "";
  let at = 0;
  return () => {
    if (at === text.length) {
      text = Buffer.from(random(DRAWN * length * 3 / 4)).toString("base64url");
      at = 0;
    }
    const begin = at;
    at += length;
    return text.slice(begin, at);
  };
}
