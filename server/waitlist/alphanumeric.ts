/** Bytes as a text of letters and digits, which programs that look for links never cut. @module */
import { Buffer } from "node:buffer";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Bytes are written in groups of this size, whose numbers a `number` holds exactly. */
const GROUP_BYTES = 5;

/** How many digits a group has, by how many bytes. */
const GROUP_DIGITS = [0, 2, 3, 5, 6, 7];

export function encodeAlphanumeric(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += GROUP_BYTES) {
    const size = Math.min(GROUP_BYTES, bytes.length - at);
    let number = bytes.readUIntBE(at, size);
    let group = "";
    for (let digits = GROUP_DIGITS[size]!; digits > 0; digits--) {
      group = DIGITS[number % DIGITS.length] + group;
      number = Math.floor(number / DIGITS.length);
    }
    text += group;
  }
  return text;
}

/** Reads the one text that bytes have; `undefined` for any other text. */
export function decodeAlphanumeric(text: string): Buffer | undefined {
  const groups: Buffer[] = [];
  for (let at = 0; at < text.length; at += GROUP_DIGITS[GROUP_BYTES]!) {
    const group = text.slice(at, at + GROUP_DIGITS[GROUP_BYTES]!);
    const size = GROUP_DIGITS.indexOf(group.length);
    const digits = Array.from(group, (character) => DIGITS.indexOf(character));
    if (size < 0 || digits.includes(-1)) return undefined;
    const number = digits.reduce((number, digit) => number * DIGITS.length + digit, 0);
    if (number >= 256 ** size) return undefined;
    const bytes = Buffer.alloc(size);
    bytes.writeUIntBE(number, 0, size);
    groups.push(bytes);
  }
  return Buffer.concat(groups);
}
