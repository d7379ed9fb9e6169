import { readLines } from "../../../shared/lines.ts";
import { UsageError } from "../../cli_error.ts";
import { LINE_FAULTS } from "../import/rows.ts";
import type { InputFile } from "../input_file.ts";
import { type Progress, shareOf } from "../progress.ts";
import { BackupFault, BackupVerifier, type VerifiedBackup } from "./verifier.ts";

/** Reads a whole backup and checks it; throws a `UsageError` where it is damaged or none. */
export async function verifyBackup(
  path: string,
  file: InputFile,
  progress: Progress,
): Promise<VerifiedBackup> {
  const verifier = new BackupVerifier();
  let bytesRead = 0;
  async function* read() {
    for await (const bytes of file.read()) {
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

/** The lines of a backup between two places, as they are to be sent; nothing is checked again. */
export async function* linesBetween(file: InputFile, from: number, to: number) {
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
