import { CliError } from "../../cli_error.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit_codes.ts";
import type { OperatorClient } from "../client.ts";
import { type Progress, shareOf } from "../progress.ts";
import { BackupFault, BackupVerifier, type VerifiedBackup } from "./verifier.ts";

/** Bytes that are gathered before they are written. */
const WRITE_AT = 1_000_000;

/**
 * Writes a backup into a file. It is checked as it comes, and bears its name only once it is whole; a
 * backup that fails leaves no file behind, and one that was there as it was.
 */
export async function saveBackup(
  path: string,
  { client, context, progress }: {
    client: OperatorClient;
    context: Context;
    progress: Progress;
  },
): Promise<VerifiedBackup> {
  const { files } = context;
  const part = `${path}.part`;
  let opened = false;
  try {
    using file = await files.openAt(part, 0);
    opened = true;
    const verifier = new BackupVerifier();
    const encoder = new TextEncoder();
    let count = 0;
    let total: number | undefined;
    let text = "";
    for await (
      const lines of client.lines("/operator/v1/backup", {}, (signUps) => total = signUps)
    ) {
      for (const line of lines) {
        verifier.add(line);
        text += `${line}\n`;
      }
      count += lines.length;
      progress.show(`${count.toLocaleString("en")} lines`, shareOf(count, total));
      if (text.length < WRITE_AT) continue;
      await file.write(encoder.encode(text));
      text = "";
    }
    await file.write(encoder.encode(text));
    const verified = verifier.finish();
    await file.sync();
    await files.rename(part, path);
    return verified;
  } catch (error) {
    if (opened) await files.remove(part).catch(() => {});
    throw explain(path, error);
  } finally {
    progress.end();
  }
}

function explain(path: string, error: unknown): unknown {
  if (error instanceof CliError) return error;
  if (error instanceof BackupFault) {
    const message = `The backup did not arrive whole: ${error.message}; run the command again`;
    return new CliError(message, EXIT.cannotConnect);
  }
  const reason = error instanceof Deno.errors.NotCapable
    ? "the program has no permission for it; install it with --allow-read and --allow-write"
    : `${
      (error as Error).message.replace(/ \(os error \d+\).*/, "")
    }; set it right and run it again`;
  return new CliError(`Cannot write '${path}': ${reason}`, EXIT.failedCheck);
}
