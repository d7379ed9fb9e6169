import type { Context } from "../../context.ts";
import { CliError, EXIT } from "../../errors.ts";
import { cannotWrite } from "../../files.ts";
import type { Position } from "./pull_signups.ts";

/** The file beside a part: what the part holds, how much of it is whole, and where to go on. */
interface State {
  description: object;
  position: Position;
  bytes: number;
}

/** How long a part can be used, in milliseconds: the list changes meanwhile. */
const GOOD_FOR_MS = 24 * 60 * 60 * 1000;

/** How many bytes are written before the state is written again. */
const SAVE_EVERY = 250_000;

/** A file that an export is written to. It gets its name only once it is whole. */
export interface PartFile extends Disposable {
  /** Where an earlier run was cut; its count is 0 where there was no earlier run. */
  position: Position;
  append: (text: string, position: Position) => Promise<void>;
  /** Gives the file its name. */
  finish: () => Promise<void>;
}

/**
 * Opens `<path>.part` to begin an export, or to go on with one that was cut. `<path>.part.json` says up
 * to which byte the part is whole; what a crash has left behind that byte is cut off.
 *
 * @param description what the export holds; an export never goes on with the part of another one
 * @throws {CliError} where a file cannot be written, such as on a full disk
 */
export async function openPartFile(
  path: string,
  description: object,
  { files, clock }: Context,
): Promise<PartFile> {
  const [part, stateFile] = [`${path}.part`, `${path}.part.json`];
  const encoder = new TextEncoder();
  const begun = await readState();
  const continued = begun && await explaining(() => files.goOn(part, begun.bytes));
  const state: State = continued
    ? begun
    : { description, position: { count: 0, scanned: 0 }, bytes: 0 };
  const file = continued ?? await explaining(() => files.create(part));
  let saved = state.bytes;

  async function readState(): Promise<State | undefined> {
    try {
      const state: State = JSON.parse(await files.readText(stateFile));
      const age = clock.now() - Date.parse(state.position.startedAt ?? "");
      const same = JSON.stringify(state.description) === JSON.stringify(description);
      if (same && age < GOOD_FOR_MS && await files.size(part) >= state.bytes) return state;
    } catch {
      // There is no state, or it cannot be read.
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
      const nextStep = "set it right and run the command again, it goes on where it was";
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
