/**
 * Reads an opened backup: checks the whole backup, or yields the lines between two positions. `verifier.ts` has the
 * rules for the lines.
 *
 * @module
 */
import { readBackupLine } from "../../../shared/backup_lines.ts";
import { type Line, LINE_FAULTS, readLines } from "../../../shared/lines.ts";
import { CliError, type ExitCode } from "../../errors.ts";
import type { InputFile } from "../../input.ts";
import type { JsonLine } from "../../operator/chunks.ts";
import { shareOf, type WorkProgress } from "../../operator/progress.ts";
import { BackupFault } from "./backup_fault.ts";
import { DecodeFault } from "./decode.ts";
import type { OpenedFile } from "./places.ts";
import { BackupVerifier, type VerifiedBackup } from "./verifier.ts";

/**
 * How a command reports a faulty backup: with an exit code, and with a message such as "'x' cannot be restored: …;
 * nothing was written".
 */
export interface FaultReport {
  exitCode: ExitCode;
  /** What the message says about the file, such as `cannot be restored`. */
  statement: string;
  /** The end of the message, behind the fault and the next step, such as `; nothing was written`. */
  end?: string;
}

/** Makes the error about a faulty backup. */
function faultError(
  path: string,
  { message, nextStep }: BackupFault,
  { exitCode, statement, end = "" }: FaultReport,
): CliError {
  return new CliError(`'${path}' ${statement}: ${message}; ${nextStep}${end}`, exitCode);
}

/**
 * Reads and checks a whole backup.
 *
 * @throws {CliError} as `faultReport` says, if the file is damaged or no backup
 */
export async function verifyBackup(
  path: string,
  file: InputFile,
  { progress, faultReport }: { progress: WorkProgress; faultReport: FaultReport },
): Promise<VerifiedBackup> {
  const verifier = new BackupVerifier();
  let bytesRead = 0;
  async function* readChecked() {
    for await (const bytes of file.read()) {
      checkUnchanged(bytes, bytesRead);
      bytesRead += bytes.byteLength;
      yield bytes;
    }
  }
  try {
    for await (const lines of readLines(readChecked())) {
      for (const line of lines) {
        if ("fault" in line) {
          throw new BackupFault(`line ${line.number} ${LINE_FAULTS[line.fault]}`);
        }
        verifier.checkLine(line.text);
      }
      progress.show(`Checking ${path}`, shareOf(file.position(), file.size));
    }
    return verifier.finish();
  } catch (error) {
    if (error instanceof BackupFault) throw faultError(path, error, faultReport);
    if (!(error instanceof DecodeFault)) throw error;
    const fault = new BackupFault(
      `${error.message} (the last good line is ${verifier.lineCount})`,
    );
    throw faultError(path, fault, faultReport);
  } finally {
    progress.end();
  }
}

/**
 * Checks and counts the erasure marks beside a backup.
 *
 * @throws {CliError} as `faultReport` says, if a file is damaged
 */
export async function countErasures(
  erasures: OpenedFile[],
  faultReport: FaultReport,
): Promise<number> {
  let count = 0;
  for (const { path, file } of erasures) {
    try {
      for await (const line of eachLine(file)) {
        const kind = "text" in line ? readBackupLine(line.text)?.kind : undefined;
        if (kind !== "erased" && kind !== "erasure_key") {
          throw new BackupFault(`line ${line.number} is not an erasure mark`);
        }
        if (kind === "erased") count++;
      }
    } catch (error) {
      if (!(error instanceof BackupFault || error instanceof DecodeFault)) throw error;
      throw faultError(path, new BackupFault(error.message), faultReport);
    }
  }
  return count;
}

/** Yields the lines of a file one by one. */
async function* eachLine(file: InputFile): AsyncGenerator<Line> {
  for await (const lines of readLines(file.read())) yield* lines;
}

/** Yields the erasure marks beside a backup, which {@linkcode countErasures} has checked. */
export async function* erasureLines(erasures: OpenedFile[]): AsyncGenerator<JsonLine[]> {
  for (const { file } of erasures) yield* linesBetween(file, 0, Infinity);
}

/** The bytes of a byte order mark in UTF-8. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The byte of a carriage return. */
const CR = 0x0d;

/**
 * Throws a {@linkcode BackupFault} if an editor, or a transfer in text mode, has added a byte order mark or CRs.
 * `readLines()` drops these bytes, so the positions of lines would be wrong, because this program computes them from
 * the lengths of the lines.
 *
 * @param position how many bytes of the file come before `bytes`
 */
function checkUnchanged(bytes: Uint8Array, position: number): void {
  const options = { nextStep: "get the unchanged file again, and copy it as binary data" };
  if (position === 0 && BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte)) {
    throw new BackupFault(
      "it begins with a byte order mark, so a program has changed the file",
      options,
    );
  }
  // A CR means that the file was changed, because the JSON of a backup escapes control characters.
  if (bytes.includes(CR)) {
    throw new BackupFault(
      "it has CRLF line ends or other CR characters, so a program has changed the file",
      options,
    );
  }
}

/** Yields the lines of a checked backup between two positions, in bytes. */
export async function* linesBetween(
  file: InputFile,
  from: number,
  to: number,
): AsyncGenerator<JsonLine[]> {
  async function* readBytes() {
    let position = from;
    for await (const bytes of file.read(from)) {
      if (position >= to) return;
      yield bytes.subarray(0, to - position);
      position += bytes.byteLength;
    }
  }
  for await (const lines of readLines(readBytes())) {
    yield lines.flatMap((line) => "text" in line ? [{ number: line.number, json: line.text }] : []);
  }
}
