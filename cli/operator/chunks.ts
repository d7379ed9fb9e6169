/** Lines that go out in one request. A million sign-ups are 200 requests, of the 600 a minute allowed. */
const MAX_LINES = 5_000;

/** Characters that go out in one request. */
const MAX_LENGTH = 4_000_000;

/** Lines of NDJSON for one request, and the numbers that they have in their file. */
export interface Chunk {
  text: string;
  numbers: number[];
}

/** Gathers lines, each the JSON of one value, into chunks. */
export async function* inChunks(
  groups:
    | AsyncIterable<Iterable<{ number: number; json: string }>>
    | Iterable<Iterable<{ number: number; json: string }>>,
): AsyncGenerator<Chunk> {
  let lines: string[] = [];
  let numbers: number[] = [];
  let length = 0;
  const take = () => {
    const chunk = { text: lines.join("\n") + "\n", numbers };
    [lines, numbers, length] = [[], [], 0];
    return chunk;
  };
  for await (const group of groups) {
    for (const { number, json } of group) {
      lines.push(json);
      numbers.push(number);
      length += json.length;
      if (lines.length === MAX_LINES || length >= MAX_LENGTH) yield take();
    }
  }
  if (lines.length > 0) yield take();
}

/** The options of a call that sends lines of NDJSON as they are. */
export function sendingLines({ text }: Chunk) {
  return {
    // The type is that of one line.
    body: text as never,
    bodySerializer: () => text,
    headers: { "Content-Type": "application/x-ndjson" },
  };
}
