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

/** Content types by the extension of the file. */
const CONTENT_TYPES: Record<string, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json",
  ndjson: "application/x-ndjson",
};

/** The filters that the name of a downloaded list has. Their values are short and never hold an address. */
const NAMING_FILTERS = ["state", "lang", "role", "wave"] as const;

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
  const peopleExport = await operations.exportSignups(request);
  if ("failure" in peopleExport) {
    return failedView(peopleExport, texts, { title: texts.data.export, back });
  }
  const { lines } = peopleExport;
  async function* batchesOfPeople() {
    for await (const batch of lines) {
      yield batch.filter((line) => "email" in line);
      await yieldToCalls();
    }
  }
  const fields = request.links ? LINKED_FIELDS : SIGN_UP_FIELDS;
  const listFormat = createFormat(format, fields, texts.lang);
  return downloadPeople(batchesOfPeople(), listFormat, `${fileNameOf(request, now)}.${format}`);
}

/**
 * Names the file of a list by its day and by the filters in {@linkcode NAMING_FILTERS}. The other filters, such as the
 * text of a search, are left out, because the name must not show an address.
 */
function fileNameOf(request: ExportRequest, now: number): string {
  const values = NAMING_FILTERS.flatMap((name) => request[name] ?? []);
  return ["waitlist", utcDay(now), ...values].join("-").toLowerCase().replaceAll(
    /[^a-z0-9]+/g,
    "-",
  );
}

/**
 * Answers with a list of people as a file. If an error ends the reading of people, the download fails, so that nobody
 * takes a part of the list for the whole list.
 *
 * @param batches the people, in groups that are written one after the other
 * @param name the name of the file. It must hold no e-mail address, because browsers keep their lists of downloads.
 */
export function downloadPeople(
  batches: AsyncIterable<readonly object[]>,
  format: Format,
  name: string,
): Response {
  async function* fileParts(): AsyncGenerator<string> {
    yield format.head;
    for await (const people of batches) {
      if (people.length > 0) yield format.rows(people.map((person) => JSON.stringify(person)));
    }
  }
  return downloadText(fileParts(), name);
}

/** Answers with a text as a file. @param name the name of the file, with the extension `csv`, `json` or `ndjson` */
export function downloadText(
  parts: AsyncIterable<string> | Iterable<string>,
  name: string,
): Response {
  const extension = name.slice(name.lastIndexOf(".") + 1);
  const contentType = CONTENT_TYPES[extension]!;
  return new Response(ReadableStream.from(parts).pipeThrough(new TextEncoderStream()), {
    headers: {
      "Content-Type": contentType,
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
}
