/**
 * Writes an export to a file so that the export can continue after a cut: the part that has arrived is in `<path>.part`,
 * and the position is in `<path>.part.json`.
 *
 * @module
 */
import type { Context } from "../../context.ts";
import { CliError, EXIT } from "../../errors.ts";
import { cannotWrite } from "../../file_errors.ts";
import type { Position } from "./pull_signups.ts";

/** The content of `<path>.part.json`. */
interface State {
  /** The settings of the export to which the part belongs. */
  description: object;
  /** Where the export continues. */
  position: Position;
  /**
   * The length of the part at this position, in bytes. Any bytes behind this length are cut off before the export
   * continues.
   */
  bytes: number;
}

/** How long an export can be continued, in milliseconds. After this time, the list may have changed too much. */
const CONTINUABLE_MS = 24 * 60 * 60 * 1000;

/** After how many bytes the state is written again. */
const SAVE_EVERY = 250_000;

/** The file of an export. It has the name `<path>.part` until the export is complete. */
export interface PartFile extends Disposable {
  /** The position from which an earlier run is continued; its `count` is 0 if there is no run to continue. */
  position: Position;
  /** Writes a text, and remembers the position after the text. */
  append: (text: string, position: Position) => Promise<void>;
  /** Gives the complete file its final name. */
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
): Promise<PartFile> {
  const [part, stateFile] = [`${path}.part`, `${path}.part.json`];
  const encoder = new TextEncoder();
  const earlier = await readState();
  const continued = earlier && await explaining(() => files.reopen(part, earlier.bytes));
  const state: State = continued
    ? earlier
    : { description, position: { count: 0, scanned: 0 }, bytes: 0 };
  const file = continued ?? await explaining(() => files.create(part));
  let saved = state.bytes;

  async function readState(): Promise<State | undefined> {
    try {
      const state: State = JSON.parse(await files.readText(stateFile));
      const age = clock.now() - Date.parse(state.position.startedAt ?? "");
      const isSame = JSON.stringify(state.description) === JSON.stringify(description);
      if (isSame && age < CONTINUABLE_MS && await files.size(part) >= state.bytes) return state;
    } catch {
      // Without a state that can be read, the export begins at the beginning of the list.
    }
    return undefined;
  }

  async function save(): Promise<void> {
    await files.writePrivate(stateFile, JSON.stringify(state));
    saved = state.bytes;
  }

  async function explaining<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const nextStep = "solve this and run the same command again, to continue where it stopped";
      throw new CliError(cannotWrite(`'${part}'`, error, { nextStep }), EXIT.failedCheck);
    }
  }

  return {
    position: state.position,
    append: (text, position) =>
      explaining(async () => {
        const bytes = encoder.encode(text);
        await file.write(bytes);
        state.bytes += bytes.byteLength;
        state.position = position;
        if (state.bytes - saved >= SAVE_EVERY) await save();
      }),
    finish: () =>
      explaining(async () => {
        await file.sync();
        await files.rename(part, path);
        await files.remove(stateFile);
      }),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}
