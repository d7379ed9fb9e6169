import { Buffer } from "node:buffer";

/** How many ids are made of one draw of random bytes. */
const IDS_PER_DRAW = 1_024;

/** How ids are made. */
export interface RandomIdOptions {
  /** Characters of an id, 6 random bits each. */
  length: number;
  /** Makes that many random bytes. */
  random: (length: number) => Uint8Array;
}

/**
 * Makes the function that gives ids of random base64url characters. An id tells nothing of the next one, so
 * nobody can count requests or tokens by them. Most of what a draw of random bytes costs is the call, so
 * many ids are cut out of one draw.
 */
export function createRandomIds({ length, random }: RandomIdOptions): () => string {
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
