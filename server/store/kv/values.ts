/**
 * The form of values in the engines: JSON as UTF-8, bytes after a first byte of 0, and the counters of Deno KV. @module
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The first byte of a value that holds bytes. No JSON begins with this byte. */
const BYTES_MARK = 0;

/**
 * Encodes a value as JSON, and not in V8's own format, because older versions of V8 cannot read the format of newer
 * ones.
 */
export function encodeValue(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) return encoder.encode(JSON.stringify(value));
  const bytes = new Uint8Array(1 + value.length);
  bytes[0] = BYTES_MARK;
  bytes.set(value, 1);
  return bytes;
}

/** Encodes values as {@linkcode encodeValue} does, with one call of the text encoder for all of them. */
export function encodeValues(values: unknown[]): Uint8Array[] {
  const texts = values.map((value) => value instanceof Uint8Array ? "" : JSON.stringify(value));
  const joined = texts.join("");
  const bytes = encoder.encode(joined);
  // Encodes the values one by one if a text is not ASCII. Only an ASCII text has as many bytes as characters, so that
  // the values can be cut out of the bytes.
  if (bytes.length !== joined.length) return values.map(encodeValue);
  let end = 0;
  return values.map((value, index) => {
    if (value instanceof Uint8Array) return encodeValue(value);
    const start = end;
    end += texts[index]!.length;
    return bytes.subarray(start, end);
  });
}

/**
 * Decodes a value as an engine has read it. A counter becomes a number. Any other value that is not in bytes is from
 * before schema 4: Deno KV has decoded it already, so it is returned as it is.
 * @throws {SyntaxError} if the bytes are no JSON
 */
export function decodeValue(value: unknown): unknown {
  if (value instanceof Uint8Array) {
    if (value[0] !== BYTES_MARK) return JSON.parse(decoder.decode(value));
    // Makes a plain `Uint8Array`, because the client for Node gives a `Buffer`, and its `subarray()` would give a
    // `Buffer` again.
    return new Uint8Array(value.buffer, value.byteOffset + 1, value.byteLength - 1);
  }
  // Deno adds modulo 2^64, so a counter that a fault has moved below zero is a huge number in the store.
  return isCounter(value) ? Number(BigInt.asIntN(64, value.value)) : value;
}

/** Whether a value is a `KvU64`. The check is by its form, because each client of Deno KV has a class of its own. */
function isCounter(value: unknown): value is { value: bigint } {
  return typeof (value as { value?: unknown } | null)?.value === "bigint";
}
