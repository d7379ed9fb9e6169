import { Buffer } from "node:buffer";
import type { RandomBytes } from "./clients.ts";

/** The length of an id, in bytes. */
const LENGTH = 16;

/** How many ids' bytes are drawn at once. */
const DRAWN = 256;

/**
 * Makes what names tokens, for `jti`: 128 random bits as base64url text. Their bytes are drawn for many
 * tokens at once, as most of what a draw costs is the call.
 */
export function createTokenIds(random: RandomBytes): () => string {
  let bytes = Buffer.alloc(0);
  let at = 0;
  return () => {
    if (at + LENGTH > bytes.length) {
      bytes = Buffer.from(random(DRAWN * LENGTH));
      at = 0;
    }
    const begin = at;
    at += LENGTH;
    return bytes.toString("base64url", begin, at);
  };
}
