import { readLines } from "../../shared/lines.ts";
import type { createFormat } from "../../shared/signup_formats.ts";

/** The longest line that is read, in bytes: the result of a recount may name many counters. */
const MAX_ANSWER_LINE_BYTES = 64 * 1024 * 1024;

/** Reads the lines of an answer as text, those that arrive together at once. @throws where it breaks off */
async function* readBatches(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  for await (const lines of readLines(body, MAX_ANSWER_LINE_BYTES)) {
    yield lines.map((line) => {
      if ("text" in line) return line.text;
      throw new Error(`Line ${line.number} of the operator's API is ${line.fault}`);
    });
  }
}

/** Reads an answer to its end; `undefined` where there is none, or where it broke off, of which the log tells. */
export async function readToEnd<Value>(
  { data }: { data?: ReadableStream<Uint8Array> | null | undefined },
): Promise<Value[] | undefined> {
  if (!data) return undefined;
  try {
    const lines = (await Array.fromAsync(readBatches(data))).flat();
    const values = lines.map((line) => JSON.parse(line));
    return values.at(-1)?.complete === true ? values : undefined;
  } catch {
    return undefined;
  }
}

/** Gives the people of an answer as lines of JSON, some at once. @throws where the answer is not complete */
export async function* readDownload(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  for await (const lines of readBatches(body)) {
    const values = lines.map((line) => JSON.parse(line));
    yield lines.filter((_, at) => values[at].email !== undefined);
    if (values.at(-1)?.complete === true) return;
  }
  throw new Error("The list of people ended before it was complete");
}

/** Answers with people as a file. Where they cannot be read, it breaks off, so that no part is taken for the whole. */
export function downloadPeople(
  people: AsyncIterable<string[]>,
  { head, rows }: ReturnType<typeof createFormat>,
  name: string,
): Response {
  async function* file(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const encoder = new TextEncoder();
    yield encoder.encode(head);
    for await (const some of people) if (some.length > 0) yield encoder.encode(rows(some));
  }
  return download(ReadableStream.from(file()), name);
}

const TYPES: Record<string, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json",
  ndjson: "application/x-ndjson",
};

/** Answers with a file, whose name says its type. */
export function download(file: ReadableStream<Uint8Array>, name: string): Response {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)]!;
  return new Response(file, {
    headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` },
  });
}
