/**
 * Asks the user for confirmation before a command changes something.
 *
 * @module
 */
import type { Context } from "./context.ts";
import { UsageError } from "./errors.ts";

/**
 * Asks a question, and ends the command with a `UsageError` unless the answer is yes.
 *
 * @param refusals.unasked the message if there is no terminal
 * @param refusals.cancelled the message if the answer is not yes
 */
export async function askFirst(
  question: string,
  context: Context,
  refusals: { unasked?: string; cancelled?: string } = {},
): Promise<void> {
  const { unasked, cancelled = "Cancelled; nothing was sent" } = refusals;
  needTerminal(context, unasked);
  if (!await context.prompt.confirm(question)) throw new UsageError(cancelled);
}

/**
 * Throws a `UsageError` if there is no terminal. A command that will have to ask a question after long work calls this
 * function before the work.
 */
export function needTerminal(
  { stdin, stderr }: Context,
  unasked = "This cannot be undone, and without a terminal the command cannot ask you; add --yes " +
    "to confirm it",
): void {
  if (!stdin.isTerminal || !stderr.isTerminal) throw new UsageError(unasked);
}

/** Asks before the command replaces a file. It asks nothing if the file does not exist. */
export async function askToReplace(path: string, context: Context): Promise<void> {
  const exists = await context.files.size(path).then(() => true, () => false);
  if (!exists) return;
  await askFirst(`Replace the file ${path}?`, context, {
    unasked: `'${path}' exists already; add --yes to replace it`,
    cancelled: `Cancelled; '${path}' was not changed`,
  });
}
