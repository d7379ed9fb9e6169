import { Buffer } from "node:buffer";

/** Room for the texts of a token call; a longer text gets memory of its own. */
const ROOM = Buffer.alloc(8_192);

const ENCODER = new TextEncoder();

/**
 * A text in UTF-8, to be read before the next text is encoded, a digest's included, which may write over
 * it. Under load, making memory for each text costs more than the encoding.
 */
export function utf8(text: string): Uint8Array {
  if (!fits(text)) return ENCODER.encode(text);
  return new Uint8Array(ROOM.buffer, ROOM.byteOffset, ENCODER.encodeInto(text, ROOM).written);
}

/** A text's UTF-8 as base64url text without padding (RFC 4648 §5). */
export function base64url(text: string): string {
  if (!fits(text)) return Buffer.from(text).toString("base64url");
  return ROOM.toString("base64url", 0, ROOM.write(text));
}

/** One unit of 16 bits takes three bytes at the most. */
function fits(text: string): boolean {
  return 3 * text.length <= ROOM.length;
}
