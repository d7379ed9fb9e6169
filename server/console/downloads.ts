/** Answers of the console with a file to download. @module */
import type { ExportRequest } from "../../shared/operator_schemas.ts";
import {
  createFormat,
  type Format,
  type FormatName,
  LINKED_FIELDS,
  SIGN_UP_FIELDS,
} from "../../shared/signup_formats.ts";
import { utcDay } from "../waitlist/mod.ts";
import { failedView } from "./components.ts";
import type { PageContext, View } from "./page_context.ts";

/**
 * Answers with the exported list as a file.
 *
 * @param request which people the list has
 * @param options.back the path to which the page about a failure links
 */
export async function downloadList(
  { operations, texts, now, yieldToCalls }: PageContext,
  request: ExportRequest,
  { format, back }: { format: FormatName; back: string },
): Promise<View | Response> {
  const exported = await operations.exportSignups(request);
  if ("failure" in exported) return failedView(exported, texts, { title: texts.data.export, back });
  const { lines } = exported;
  async function* people() {
    for await (const batch of lines) {
      yield batch.filter((line) => "email" in line);
      await yieldToCalls();
    }
  }
  const fields = request.links ? LINKED_FIELDS : SIGN_UP_FIELDS;
  const rows = createFormat(format, fields, texts.lang);
  return downloadPeople(people(), rows, `waitlist-${utcDay(now)}.${format}`);
}

/**
 * Answers with a list of people as a file. If an error ends the reading of people, the download fails, so that nobody
 * takes a part of the list for the whole list.
 *
 * @param name the name of the file. It must hold no e-mail address, because browsers keep their lists of downloads.
 */
export function downloadPeople(
  people: AsyncIterable<readonly object[]>,
  { head, rows }: Format,
  name: string,
): Response {
  async function* file(): AsyncGenerator<string> {
    yield head;
    for await (const batch of people) {
      if (batch.length > 0) yield rows(batch.map((person) => JSON.stringify(person)));
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

/** Answers with a text as a file. @param name the name of the file, with the extension `csv`, `json` or `ndjson` */
export function downloadText(
  parts: AsyncIterable<string> | Iterable<string>,
  name: string,
): Response {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)]!;
  return new Response(ReadableStream.from(parts).pipeThrough(new TextEncoderStream()), {
    headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` },
  });
}
