import { readLines } from "../../../shared/lines.ts";
import { UsageError } from "../../errors.ts";
import { type InputFile, LINE_FAULTS } from "../../files.ts";
import type { JsonLine } from "../../operator/chunks.ts";
import { shareOf, type WorkProgress } from "../../operator/progress.ts";
import { BackupFault, BackupVerifier, type VerifiedBackup } from "./verifier.ts";

/** Reads and checks a whole file; throws a `UsageError` where it is damaged, or is no backup. */
export async function verifyBackup(
  path: string,
  file: InputFile,
  progress: WorkProgress,
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
      progress.show(`Checking ${path}`, shareOf(bytesRead, file.size));
    }
    return verifier.finish();
  } catch (error) {
    if (!(error instanceof BackupFault)) throw error;
    throw new UsageError(`'${path}' cannot be restored: ${error.message}; nothing was written`);
  } finally {
    progress.end();
  }
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
