import { UsageError } from "../cli_error.ts";
import type { Context } from "../context.ts";

/** Asks before something that cannot be undone; ends the command unless the answer is yes. */
export async function askFirst(
  question: string,
  { stdin, stderr, prompt }: Context,
): Promise<void> {
  if (!stdin.isTerminal || !stderr.isTerminal) {
    throw new UsageError("This cannot be undone and there is no terminal to ask on; add --yes");
  }
  if (!await prompt.confirm(question)) throw new UsageError("Cancelled; nothing was sent");
}
