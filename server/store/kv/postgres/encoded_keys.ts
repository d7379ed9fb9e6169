/** Turns keys into bytes that sort as the keys do, and back. The table (`table.ts`) has keys in this form. @module */
import { Buffer } from "node:buffer";
import type { Key, Selector } from "../engine.ts";

/** The first byte of a part of a key that is a text. */
const TEXT = 2;

/** The first byte of a part of a key that is a number. */
const NUMBER = 5;

/** How many bytes follow the first byte of a number: the number as a double, with the highest byte first. */
const DOUBLE_BYTES = 8;

/** The bit in the first byte of a double that is 1 for a negative number. */
const SIGN_BIT = 0x80;

/** The last byte of a text. */
const TEXT_END = 0;

/** The byte that follows a zero within a text. It shows that the zero is not the end of the text. */
const ESCAPE = 255;

/** How many bytes a key has at most, as in Deno KV. */
const MAX_KEY_BYTES = 2_048;

/** Encodes a key. The bytes of encoded keys sort in the order of the keys. @throws {TypeError} if the key is too long */
export function encodeKey(key: Key): Buffer {
  const bytes = Buffer.concat(key.map(encodePart));
  if (bytes.length <= MAX_KEY_BYTES) return bytes;
  throw new TypeError(
    `A key of '${key[0]}' has ${bytes.length} bytes; ${MAX_KEY_BYTES} is the most`,
  );
}

function encodePart(part: string | number): Buffer {
  if (typeof part === "number") {
    const bytes = Buffer.alloc(1 + DOUBLE_BYTES, NUMBER);
    bytes.writeDoubleBE(part, 1);
    invertBits(bytes.subarray(1), (bytes[1]! & SIGN_BIT) !== 0);
    return bytes;
  }
  if (!part.includes("\0")) return Buffer.from(`${String.fromCharCode(TEXT)}${part}\0`);
  const pieces = part.split("\0").flatMap((piece, index) =>
    index === 0 ? [Buffer.from(piece)] : [Buffer.of(0, ESCAPE), Buffer.from(piece)]
  );
  return Buffer.concat([Buffer.of(TEXT), ...pieces, Buffer.of(TEXT_END)]);
}

/**
 * Inverts all bits of a negative number, and only the sign bit of any other number, so that the bytes sort as the
 * numbers do. A second call gives the number's own bytes again.
 */
function invertBits(double: Buffer, isNegative: boolean): void {
  if (isNegative) double.forEach((byte, index) => double[index] = byte ^ 0xff);
  else double[0] = double[0]! ^ SIGN_BIT;
}

/** Decodes a key that {@linkcode encodeKey} has encoded. */
export function decodeKey(bytes: Buffer): Key {
  const key: (string | number)[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const type = bytes[offset++];
    if (type === NUMBER) {
      const double = Buffer.from(bytes.subarray(offset, offset + DOUBLE_BYTES));
      // The encoded sign bit is inverted, so it is 0 for a negative number.
      invertBits(double, (double[0]! & SIGN_BIT) === 0);
      key.push(double.readDoubleBE());
      offset += DOUBLE_BYTES;
      continue;
    }
    let text = "";
    for (;;) {
      const end = bytes.indexOf(TEXT_END, offset);
      text += bytes.toString("utf8", offset, end);
      offset = end + 1;
      if (bytes[offset] !== ESCAPE) break;
      text += "\0";
      offset++;
    }
    key.push(text);
  }
  return key;
}

/** Gives the first key of a range, which is included, and the end of the range, which is not included. */
export function rangeOf({ prefix, start, after, end }: Selector): [first: Buffer, end: Buffer] {
  // A key followed by the byte 0 sorts before all longer keys that begin with this key. A key followed by the byte 255
  // sorts after all of them. The reason is that every part of a key begins with a byte between 0 and 255.
  const append = (key: Key, byte: number) => Buffer.concat([encodeKey(key), Buffer.of(byte)]);
  const endOfRange = end ? encodeKey(end) : append(prefix, 255);
  if (start && !after) return [encodeKey(start), endOfRange];
  return [append(after ?? prefix, 0), endOfRange];
}
