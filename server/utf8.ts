import { Buffer } from "node:buffer";

/** Room for the texts of a token call; a longer text gets memory of its own. */
const ROOM = Buffer.alloc(8_192);

/**
 * A text in UTF-8, to be read before the next call, which may write over it. Under load, making memory
 * for each text costs more than the encoding.
 */
export function utf8(text: string): Buffer {
  // One unit of 16 bits takes three bytes at the most.
  if (3 * text.length > ROOM.length) return Buffer.from(text);
  return ROOM.subarray(0, ROOM.write(text));
}
