/** Answers with files. @module */
import type { createFormat } from "../../shared/signup_formats.ts";

/**
 * Answers with people as a file. The file breaks off where people cannot be read, so that nobody takes a part for the
 * whole.
 */
export function downloadPeople(
  people: AsyncIterable<readonly object[]>,
  { head, rows }: ReturnType<typeof createFormat>,
  name: string,
): Response {
  async function* file(): AsyncGenerator<string> {
    yield head;
    for await (const some of people) {
      if (some.length > 0) yield rows(some.map((person) => JSON.stringify(person)));
    }
  }
  return downloadText(file(), name);
}

const TYPES: Record<string, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json",
  ndjson: "application/x-ndjson",
};

/** Answers with a file, whose name says its type. */
export function downloadText(
  parts: AsyncIterable<string> | Iterable<string>,
  name: string,
): Response {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)]!;
  return new Response(ReadableStream.from(parts).pipeThrough(new TextEncoderStream()), {
    headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` },
  });
}
