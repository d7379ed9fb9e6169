/**
 * Writes an export to a file so that the export can continue after a cut: the part that has arrived is in `<path>.part`,
 * and the position is in `<path>.part.json`.
 *
 * @module
 */
import type { Context } from "../../context.ts";
import { CliError, EXIT } from "../../errors.ts";
import { cannotWrite } from "../../file_errors.ts";
import type { ExportPosition } from "./pull_signups.ts";

/** The content of `<path>.part.json`. */
interface ExportState {
  /** The settings of the export to which the part belongs. */
  description: object;
  /** Where the export continues. */
  position: ExportPosition;
  /**
   * The length of the part at this position, in bytes. Any bytes behind this length are cut off before the export
   * continues.
   */
  bytes: number;
}

/** How long an export can be continued, in milliseconds. After this time, the list may have changed too much. */
const CONTINUABLE_MS = 24 * 60 * 60 * 1000;

/** After how many bytes the state is written again. */
const SAVE_EVERY_BYTES = 250_000;

/** What an export is written to: a file, which has the name `<path>.part` until it is complete, or standard output. */
export interface ExportTarget extends Disposable {
  /** The position from which an earlier run is continued; its `count` is 0 if there is no run to continue. */
  position: ExportPosition;
  /** Writes a text, and remembers the position after the text. */
  append: (text: string, position: ExportPosition) => Promise<void>;
  /** Ends a complete export. A file gets its final name. */
  finish: () => Promise<void>;
}

/**
 * Opens the file of a new export, or of an export that was cut.
 *
 * @param description the settings of the export; the part of an export with other settings is not continued
 * @throws {CliError} if a file cannot be written, for example because the disk is full
 */
export async function openPartFile(
  path: string,
  description: object,
  { files, clock }: Context,
): Promise<ExportTarget> {
  const paths: PartPaths = { part: `${path}.part`, state: `${path}.part.json` };
  const encoder = new TextEncoder();
  const earlierState = await readState(paths, description, { files, clock });
  const earlierFile = earlierState &&
    await explainFailure(paths, () => files.reopen(paths.part, earlierState.bytes));
  const file = earlierFile ?? await explainFailure(paths, () => files.create(paths.part));
  const state: ExportState = earlierFile
    ? earlierState
    : { description, position: { count: 0, scanned: 0 }, bytes: 0 };
  /** The length of the part when the state was written for the last time, in bytes. */
  let savedBytes = state.bytes;

  return {
    position: state.position,
    append: (text, position) =>
      explainFailure(paths, async () => {
        const bytes = encoder.encode(text);
        await file.write(bytes);
        state.bytes += bytes.byteLength;
        state.position = position;
        if (state.bytes - savedBytes < SAVE_EVERY_BYTES) return;
        await files.writePrivate(paths.state, JSON.stringify(state));
        savedBytes = state.bytes;
      }),
    finish: () =>
      explainFailure(paths, async () => {
        await file.sync();
        await files.rename(paths.part, path);
        await files.remove(paths.state);
      }),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

/** The paths of the two files of an export that is not complete. */
interface PartPaths {
  /** The path of the part that has arrived. */
  part: string;
  /** The path of the file with the {@linkcode ExportState}. */
  state: string;
}

/** Reads the state of an earlier run; `undefined` if there is no run that can be continued. */
async function readState(
  paths: PartPaths,
  description: object,
  { files, clock }: Pick<Context, "files" | "clock">,
): Promise<ExportState | undefined> {
  try {
    const state: ExportState = JSON.parse(await files.readText(paths.state));
    const age = clock.now() - Date.parse(state.position.startedAt ?? "");
    const isSameExport = JSON.stringify(state.description) === JSON.stringify(description);
    const isContinuable = isSameExport && age < CONTINUABLE_MS &&
      await files.size(paths.part) >= state.bytes;
    return isContinuable ? state : undefined;
  } catch {
    // Without a state that can be read, the export begins at the beginning of the list.
    return undefined;
  }
}

/** Uses the files of an export. If this fails, throws a `CliError` with the reason and the next step. */
async function explainFailure<T>({ part }: PartPaths, useFiles: () => Promise<T>): Promise<T> {
  try {
    return await useFiles();
  } catch (error) {
    const nextStep =
      "solve this problem, and run the same command again; the new run continues where this run has stopped";
    throw new CliError(cannotWrite(`'${part}'`, error, { nextStep }), EXIT.failedCheck);
  }
}
