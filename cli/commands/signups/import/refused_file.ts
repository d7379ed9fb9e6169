/** Writes the rows that an import refuses to the file of `--refused`. @module */
import { makeRefusedRows } from "../../../../shared/import_file/refused_rows.ts";
import type { Refusal } from "../../../../shared/operator_schemas.ts";
import type { FormatName } from "../../../../shared/signup_formats.ts";
import { askToReplace } from "../../../ask_first.ts";
import type { Context } from "../../../context.ts";
import { UsageError } from "../../../errors.ts";
import type { InputFile } from "../../../input.ts";
import { writeWhole } from "../../../whole_file.ts";

/** The file into which the command writes the refused rows. */
export interface RefusedFile {
  path: string;
  /** Whether an existing file is replaced without a question. */
  yes: boolean;
}

/**
 * Checks, before the import, that the refused rows can be written, and asks before an existing file is replaced.
 *
 * @param file the imported file, which is read a second time for the refused rows
 * @throws {UsageError} if the imported file is not CSV or is a stream, or if the user does not want to replace the file
 */
export async function prepareRefusedFile(
  { path, yes }: RefusedFile,
  { file, format }: { file: InputFile; format: FormatName },
  context: Context,
): Promise<void> {
  if (format !== "csv") {
    throw new UsageError(
      "--refused writes rows of CSV, and this file is NDJSON; leave --refused out",
    );
  }
  if (file.size === undefined) {
    throw new UsageError(
      "--refused reads the imported file a second time, so it needs a file in place of a pipe or standard input",
    );
  }
  if (!yes) await askToReplace(path, context);
}

/**
 * Writes the refused rows, each with the number of its line and the reason, so that they can be corrected and imported.
 *
 * @throws {CliError} if the file cannot be written; the import itself is done then
 */
export async function writeRefusedFile(
  path: string,
  { file, refusals }: { file: InputFile; refusals: Refusal[] },
  { files }: Pick<Context, "files">,
): Promise<void> {
  const encoder = new TextEncoder();
  const nextStep =
    "the import itself is done; give --refused another file, and run the command again";
  await writeWhole(path, async (written) => {
    const rows = await makeRefusedRows(file.read(), refusals);
    if (!rows) return;
    await written.write(encoder.encode(rows.head));
    for await (const lines of rows.groups) await written.write(encoder.encode(lines.join("")));
  }, { files, nextStep });
}
