import { readLines } from "../../../shared/lines.ts";
import { readBackupLine } from "../../../shared/backup_lines.ts";
import { CliError, type ExitCode } from "../../errors.ts";
import { LINE_FAULTS } from "../../files.ts";
import type { InputFile } from "../../input.ts";
import type { JsonLine } from "../../operator/chunks.ts";
import { shareOf, type WorkProgress } from "../../operator/progress.ts";
import type { OpenedFile } from "./places.ts";
import { SealFault } from "./unseal.ts";
import { BackupFault, BackupVerifier, type VerifiedBackup } from "./verifier.ts";

/** How a command ends where a backup is damaged: "'x' cannot be restored: …; nothing was written". */
export interface DamageReport {
  exitCode: ExitCode;
  verb: string;
  end?: string;
}

const damaged = (path: string, fault: string, { exitCode, verb, end = "" }: DamageReport) =>
  new CliError(`'${path}' ${verb}: ${fault}${end}`, exitCode);

/** Reads and checks a whole file; throws what `failure` says where it is damaged, or is no backup. */
export async function verifyBackup(
  path: string,
  file: InputFile,
  { progress, failure }: { progress: WorkProgress; failure: DamageReport },
): Promise<VerifiedBackup> {
  const verifier = new BackupVerifier();
  let bytesRead = 0;
  async function* read() {
    for await (const bytes of file.read()) {
      checkUnchanged(bytes, bytesRead);
      bytesRead += bytes.byteLength;
      yield bytes;
    }
  }
  try {
    for await (const lines of readLines(read())) {
      for (const line of lines) {
        if ("fault" in line) throw new BackupFault(LINE_FAULTS[line.fault]);
        verifier.add(line.text);
      }
      progress.show(`Checking ${path}`, shareOf(file.position(), file.size));
    }
    return verifier.finish();
  } catch (error) {
    if (error instanceof BackupFault) throw damaged(path, error.message, failure);
    if (!(error instanceof SealFault)) throw error;
    const fault = `${error.message}; the last good line is ${verifier.lines}`;
    throw damaged(path, fault, failure);
  } finally {
    progress.end();
  }
}

/** Counts the marks of erasures beside a backup; throws what `failure` says where a file is damaged. */
export async function countErasures(
  erasures: OpenedFile[],
  failure: DamageReport,
): Promise<number> {
  let count = 0;
  for (const { path, file } of erasures) {
    let number = 0;
    try {
      for await (const lines of readLines(file.read())) {
        for (const line of lines) {
          number++;
          const kind = "text" in line ? readBackupLine(line.text)?.kind : undefined;
          if (kind !== "erased" && kind !== "erasure_key") {
            throw new SealFault(`line ${number} is not a mark of an erasure`);
          }
          if (kind === "erased") count++;
        }
      }
    } catch (error) {
      throw error instanceof SealFault ? damaged(path, error.message, failure) : error;
    }
  }
  return count;
}

/** The lines of files that {@linkcode countErasures} has checked. */
export async function* erasureLines(erasures: OpenedFile[]): AsyncGenerator<JsonLine[]> {
  for (const { file } of erasures) yield* linesBetween(file, 0, Infinity);
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const CR = 0x0d;

/**
 * Throws a {@linkcode BackupFault} where an editor or a transfer in text mode has added bytes between the
 * lines. `readLines` drops these bytes, so positions that are sums of line lengths would be wrong.
 */
function checkUnchanged(bytes: Uint8Array, position: number): void {
  const wayOut = "use the file as 'waitlist backup' wrote it, and copy it as binary";
  if (position === 0 && BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte)) {
    throw new BackupFault(`it begins with a byte order mark, which no backup does; ${wayOut}`);
  }
  // JSON escapes control characters, so a backup holds no CR.
  if (bytes.includes(CR)) {
    throw new BackupFault(
      `it has CRLF line ends or other CR characters, which no backup has; ${wayOut}`,
    );
  }
}

/** The lines of a checked backup between two positions, in bytes. */
export async function* linesBetween(
  file: InputFile,
  from: number,
  to: number,
): AsyncGenerator<JsonLine[]> {
  async function* part() {
    let position = from;
    for await (const bytes of file.read(from)) {
      const rest = to - position;
      if (rest <= 0) return;
      yield bytes.subarray(0, rest);
      position += bytes.byteLength;
    }
  }
  for await (const lines of readLines(part())) {
    yield lines.flatMap((line) => "text" in line ? [{ number: line.number, json: line.text }] : []);
  }
}
