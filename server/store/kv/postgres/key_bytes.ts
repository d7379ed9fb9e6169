/** Keys as bytes whose order is that of `Key`, and the bounds of a range of them. @module */
import { Buffer } from "node:buffer";
import type { Key, Selector } from "../engine.ts";

/** The first byte of a part tells its type. A text ends with a zero; a zero in it is followed by 255. */
const TEXT = 2, NUMBER = 5, END = 0, ESCAPED = 255;

/** As many as Deno KV takes. */
const MAX_KEY_BYTES = 2_048;

/** @throws {TypeError} where the key is too long */
export function encodeKey(key: Key): Buffer {
  const bytes = Buffer.concat(key.map(encodePart));
  if (bytes.length <= MAX_KEY_BYTES) return bytes;
  throw new TypeError(
    `A key of '${key[0]}' has ${bytes.length} bytes; ${MAX_KEY_BYTES} is the most`,
  );
}

function encodePart(part: string | number): Buffer {
  if (typeof part === "number") {
    const bytes = Buffer.alloc(9, NUMBER);
    bytes.writeDoubleBE(part, 1);
    // Numbers below zero sort the other way, before the others.
    const mask = bytes[1]! & 0x80 ? [0xff, 0xff] : [0x80, 0];
    for (let at = 1; at < 9; at++) bytes[at]! ^= mask[Math.min(at - 1, 1)]!;
    return bytes;
  }
  if (!part.includes("\0")) return Buffer.from(`${String.fromCharCode(TEXT)}${part}\0`);
  const pieces = part.split("\0").flatMap((piece, at) =>
    at === 0 ? [Buffer.from(piece)] : [Buffer.of(0, ESCAPED), Buffer.from(piece)]
  );
  return Buffer.concat([Buffer.of(TEXT), ...pieces, Buffer.of(END)]);
}

export function decodeKey(bytes: Buffer): Key {
  const key: (string | number)[] = [];
  for (let at = 0; at < bytes.length;) {
    if (bytes[at++] === NUMBER) {
      const part = Buffer.from(bytes.subarray(at, at + 8));
      const mask = part[0]! & 0x80 ? [0x80, 0] : [0xff, 0xff];
      for (let n = 0; n < 8; n++) part[n]! ^= mask[Math.min(n, 1)]!;
      key.push(part.readDoubleBE());
      at += 8;
      continue;
    }
    let text = "";
    for (;;) {
      const end = bytes.indexOf(END, at);
      text += bytes.toString("utf8", at, end);
      at = end + 1;
      if (bytes[at] !== ESCAPED) break;
      text += "\0";
      at++;
    }
    key.push(text);
  }
  return key;
}

/** The first key of a range, which is included, and the end, which is not. */
export function rangeOf({ prefix, start, after, end }: Selector): [Buffer, Buffer] {
  const behind = (key: Key, byte: number) => Buffer.concat([encodeKey(key), Buffer.of(byte)]);
  // Every part begins with a byte between these two.
  const from = after ? behind(after, 0) : start ? encodeKey(start) : behind(prefix, 0);
  return [from, end ? encodeKey(end) : behind(prefix, 255)];
}
