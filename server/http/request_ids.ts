const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** All texts of two characters: 12 bits each. */
const PAIRS = Array.from(ALPHABET, (first) => Array.from(ALPHABET, (second) => first + second))
  .flat();

/**
 * Makes what names requests for `X-Request-Id`: six characters that count up from a random one of 2^36
 * beginnings. They are short, as a status answer of more than 512 bytes would take two system calls, and
 * no secret.
 *
 * @param random makes that many random bytes
 */
export function createRequestIds(
  random: (length: number) => Uint8Array,
): () => string {
  const begin = new DataView(random(8).buffer);
  let low = begin.getUint16(0) % 4096;
  let rest = begin.getUint32(2) % 2 ** 24;
  let prefix = "";
  const enterBlock = () => {
    prefix = `${PAIRS[rest >>> 12]}${PAIRS[rest & 4095]}`;
  };
  enterBlock();
  return () => {
    low = (low + 1) & 4095;
    if (low === 0) {
      rest = (rest + 1) % 2 ** 24;
      enterBlock();
    }
    return `${prefix}${PAIRS[low]}`;
  };
}
