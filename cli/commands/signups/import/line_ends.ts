/** Line ends as other programs write them. @module */

const CR = 0x0d, LF = 0x0a;

/** Makes each CR that has no LF behind it an LF, so that every line of a file ends with LF or CRLF. */
export async function* endLinesWithLf(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let endsWithCr = false;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    // The CR at the end of a chunk waits for the byte behind it.
    if (endsWithCr) yield Uint8Array.of(chunk[0] === LF ? CR : LF);
    endsWithCr = chunk.at(-1) === CR;
    const bytes = endsWithCr ? chunk.subarray(0, -1) : chunk;
    let copy: Uint8Array<ArrayBuffer> | undefined;
    for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) {
      if (bytes[at + 1] === LF) continue;
      copy ??= bytes.slice();
      copy[at] = LF;
    }
    yield copy ?? bytes;
  }
  if (endsWithCr) yield Uint8Array.of(LF);
}
