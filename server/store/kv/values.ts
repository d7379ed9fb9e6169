/** The values that Deno KV keeps: bytes of JSON, packed bytes, and counters. @module */
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The first byte of what is packed; no JSON begins with it. */
const PACKED = 0;

/** Gives a value's bytes: its JSON, or packed ones behind a mark; not V8's format, which older V8 cannot read. */
export function encodeValue(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) return encoder.encode(JSON.stringify(value));
  const bytes = new Uint8Array(1 + value.length);
  bytes[0] = PACKED;
  bytes.set(value, 1);
  return bytes;
}

/** Gives the bytes of values, each as {@linkcode encodeValue} does; texts together take one call of the encoder. */
export function encodeValues(values: unknown[]): Uint8Array[] {
  const texts = values.map((value) => value instanceof Uint8Array ? "" : JSON.stringify(value));
  const all = texts.join("");
  const bytes = encoder.encode(all);
  // Only ASCII has a byte for each character.
  if (bytes.length !== all.length) return values.map(encodeValue);
  let end = 0;
  return texts.map((text, index) => {
    return text === "" ? encodeValue(values[index]) : bytes.subarray(end, end += text.length);
  });
}

/** Gives what bytes hold, or the number of a counter; values of schema 3 as Deno decoded them. @throws {SyntaxError} */
export function decodeValue(value: unknown): unknown {
  if (value instanceof Uint8Array) {
    if (value[0] !== PACKED) return JSON.parse(decoder.decode(value));
    // Not `subarray()`: the client for Node gives a `Buffer`, which other code would take for more than bytes.
    return new Uint8Array(value.buffer, value.byteOffset + 1, value.byteLength - 1);
  }
  // Deno adds modulo 2^64; a fault may have taken more from a counter than it had.
  return isCounter(value) ? Number(BigInt.asIntN(64, value.value)) : value;
}

/** A `KvU64`, which is another class in each client. */
function isCounter(value: unknown): value is { value: bigint } {
  return typeof (value as { value?: unknown } | null)?.value === "bigint";
}
