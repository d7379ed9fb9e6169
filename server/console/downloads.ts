/** Answers of the console with a file to download. @module */
import type { Format } from "../../shared/signup_formats.ts";

/**
 * Answers with a list of people as a file. If an error ends the reading of people, the download fails, so that nobody
 * takes a part of the list for the whole list.
 *
 * @param name the name of the file, which must hold no address because browsers keep their lists of downloads
 */
export function downloadPeople(
  people: AsyncIterable<readonly object[]>,
  { head, rows }: Format,
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

/** Content types by the extension of the file. */
const TYPES: Record<string, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json",
  ndjson: "application/x-ndjson",
};

/** Answers with a text as a file. @param name its extension is one of `csv`, `json` and `ndjson` */
export function downloadText(
  parts: AsyncIterable<string> | Iterable<string>,
  name: string,
): Response {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)]!;
  return new Response(ReadableStream.from(parts).pipeThrough(new TextEncoderStream()), {
    headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` },
  });
}
