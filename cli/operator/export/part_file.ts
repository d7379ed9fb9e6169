import { CliError } from "../../cli_error.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit_codes.ts";
import type { Position } from "./pull_signups.ts";

/** What an export is of; another one never goes on with its part. */
export interface ExportDescription {
  baseUrl: string;
  format: string;
  lang?: string | undefined;
  since?: string | undefined;
}

/** What stands beside a part: what it is of, how much of it is whole, and where to go on. */
interface State {
  description: ExportDescription;
  position: Position;
  bytes: number;
}

/** How long a part is good for, in milliseconds: the list behind it goes on changing. */
const GOOD_FOR_MS = 24 * 60 * 60 * 1000;

/** How many bytes may be written before the state is. */
const SAVE_EVERY = 250_000;

/** A file that an export is written to, which bears its name only once it is whole. */
export interface PartFile extends Disposable {
  /** Where an earlier run has left off; a count of 0 where there is none. */
  position: Position;
  append: (text: string, position: Position) => Promise<void>;
  /** Gives the file its name. */
  finish: () => Promise<void>;
}

/**
 * Opens `<path>.part` to go on with what an earlier run has left, or to begin. `<path>.part.json` says
 * up to which byte it is whole: what a crash has left behind it is cut off.
 *
 * @throws {CliError} where a file cannot be written, such as on a full disk
 */
export async function openPartFile(
  path: string,
  description: ExportDescription,
  { files, clock }: Context,
): Promise<PartFile> {
  const [part, stateFile] = [`${path}.part`, `${path}.part.json`];
  const encoder = new TextEncoder();
  const state = await readState() ?? { description, position: { count: 0, scanned: 0 }, bytes: 0 };
  const file = await tell(() => files.openAt(part, state.bytes));
  let saved = state.bytes;

  async function readState(): Promise<State | undefined> {
    try {
      const state: State = JSON.parse(await files.readText(stateFile));
      const age = clock.now() - Date.parse(state.position.startedAt ?? "");
      const same = JSON.stringify(state.description) === JSON.stringify(description);
      if (same && age < GOOD_FOR_MS && await files.size(part) >= state.bytes) return state;
    } catch {
      // There is none, or none that can be read.
    }
    return undefined;
  }

  async function save(): Promise<void> {
    // Renamed into its place, so that it is never half.
    await files.writePrivate(`${stateFile}.new`, JSON.stringify(state));
    await files.rename(`${stateFile}.new`, stateFile);
    saved = state.bytes;
  }

  async function tell<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof Deno.errors.NotCapable
        ? "the program has no permission for it; install it with --allow-read and --allow-write"
        : `${(error as Error).message.replace(/ \(os error \d+\).*/, "")}; ` +
          "set it right and run the command again, it goes on where it was";
      throw new CliError(`Cannot write '${part}': ${reason}`, EXIT.failedCheck);
    }
  }

  return {
    position: state.position,
    append: (text, position) =>
      tell(async () => {
        const bytes = encoder.encode(text);
        await file.write(bytes);
        state.bytes += bytes.byteLength;
        state.position = position;
        if (state.bytes - saved >= SAVE_EVERY) await save();
      }),
    finish: () =>
      tell(async () => {
        await file.sync();
        await files.rename(part, path);
        await files.remove(stateFile);
      }),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}
