/**
 * Encodes bytes as letters and digits (base 62). Such a text can end a URL in an e-mail of plain text, because no mail
 * program ends a link between two letters or digits. @module
 */
import { Buffer } from "node:buffer";

/** The digits of base 62. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The number of bytes that are encoded together. A `number` of JavaScript holds the value of five bytes exactly. */
const GROUP_BYTES = 5;

/** How many digits a group has. The index is the number of bytes in the group. */
const GROUP_DIGITS = [0, 2, 3, 5, 6, 7];

/** Encodes bytes in groups of five bytes, each as seven characters. A shorter last group has fewer characters. */
export function encodeAlphanumeric(bytes: Buffer): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += GROUP_BYTES) {
    const size = Math.min(GROUP_BYTES, bytes.length - start);
    let number = bytes.readUIntBE(start, size);
    let group = "";
    for (let digits = GROUP_DIGITS[size]!; digits > 0; digits--) {
      group = DIGITS[number % DIGITS.length] + group;
      number = Math.floor(number / DIGITS.length);
    }
    text += group;
  }
  return text;
}

/** Decodes a text that {@linkcode encodeAlphanumeric} made; gives `undefined` for any other text. */
export function decodeAlphanumeric(text: string): Buffer | undefined {
  const groups: Buffer[] = [];
  const groupLength = GROUP_DIGITS[GROUP_BYTES]!;
  for (let start = 0; start < text.length; start += groupLength) {
    const group = text.slice(start, start + groupLength);
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
