import { isObject } from "../../shared/shapes.ts";
import { CliError } from "../cli_error.ts";
import { EXIT } from "../exit_codes.ts";
import type { OperatorClient } from "./client.ts";
import { CutError } from "./lines.ts";
import { type Progress, shareOf } from "./progress.ts";

/**
 * Asks for long work on records and shows its progress.
 *
 * @param T the work's result, the last line of the answer
 */
export async function longWork<T extends { complete: boolean }>(
  path: Parameters<OperatorClient["lines"]>[0],
  { client, progress }: { client: OperatorClient; progress: Progress },
): Promise<T> {
  let result: T | undefined;
  let total: number | undefined;
  try {
    for await (const lines of client.lines(path, {}, (count) => total = count)) {
      for (const line of lines) {
        const value = parse(line);
        if (value.complete === true) result = value as T;
        else {
          const records = Number(value.progress);
          progress.show(`${records.toLocaleString("en")} records`, shareOf(records, total));
        }
      }
    }
  } finally {
    progress.end();
  }
  if (!result) throw new CutError("The answer ended before the work was complete");
  return result;
}

function parse(line: string): Record<string, unknown> {
  try {
    const value = JSON.parse(line);
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new CliError("The service sent a line that is no JSON; check --base-url", EXIT.failedCheck);
}
