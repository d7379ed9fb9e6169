import { createFormat, type FormatName } from "../../../shared/signup_formats.ts";
import { readAnswerBatches } from "../answer_lines.ts";
import type { Fields } from "../components.ts";
import { failedView } from "../failures.ts";
import { PATHS } from "../layout.ts";
import type { PageContext, View } from "../page_context.ts";

/** The media types of the formats. */
const TYPES: Record<FormatName, string> = {
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson",
};

/** Answers with the list as a file, in the format, state and language of the form. */
export async function downloadList(
  pageContext: PageContext,
  form: Fields,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const format = form.get("format") === "ndjson" ? "ndjson" : "csv";
  // The operation says what is wrong with a value that is none of these.
  const body = {
    ...form.get("state") && { state: form.get("state") as "waiting" },
    ...form.get("lang") && { lang: form.get("lang") as "en" },
  };
  const exported = await operations.POST("/operator/v1/signups/export", {
    body,
    parseAs: "stream",
  });
  if (!exported.data) {
    return failedView(exported, texts, { title: texts.data.export, back: PATHS.data });
  }
  const file = ReadableStream.from(listFile(exported.data, format));
  return download(file, { name: `waitlist-${dayOf(pageContext)}.${format}`, type: TYPES[format] });
}

/** Answers with a backup as a file. */
export async function downloadBackup(pageContext: PageContext): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const backup = await operations.POST("/operator/v1/backup", { body: {}, parseAs: "stream" });
  if (!backup.data) {
    return failedView(backup, texts, { title: texts.data.backup, back: PATHS.data });
  }
  const name = `waitlist-backup-${dayOf(pageContext)}.ndjson`;
  return download(backup.data, { name, type: TYPES.ndjson });
}

/**
 * Puts the people of an export into a format.
 *
 * @throws where the export is not complete, so that the browser does not take a part for the whole
 */
async function* listFile(
  body: ReadableStream<Uint8Array>,
  format: FormatName,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { head, rows } = createFormat(format);
  const encoder = new TextEncoder();
  yield encoder.encode(head);
  for await (const lines of readAnswerBatches(body)) {
    const values = lines.map((line) => JSON.parse(line));
    const people = lines.filter((_, at) => values[at].email !== undefined);
    if (people.length > 0) yield encoder.encode(rows(people));
    if (values.at(-1)?.complete === true) return;
  }
  throw new Error("The export ended before it was complete");
}

function download(
  file: ReadableStream<Uint8Array>,
  { name, type }: { name: string; type: string },
): Response {
  return new Response(file, {
    headers: { "Content-Type": type, "Content-Disposition": `attachment; filename="${name}"` },
  });
}

function dayOf({ now }: PageContext): string {
  return new Date(now).toISOString().slice(0, 10);
}
