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
 * @param messages.noTerminal the message of the error if there is no terminal
 * @param messages.cancelled the message of the error if the answer is not yes
 */
export async function askFirst(
  question: string,
  context: Context,
  messages: { noTerminal?: string; cancelled?: string } = {},
): Promise<void> {
  const { noTerminal, cancelled = "Cancelled; nothing was sent" } = messages;
  requireTerminal(context, noTerminal);
  if (!await context.prompt.confirm(question)) throw new UsageError(cancelled);
}

/**
 * Throws a `UsageError` if there is no terminal. A command that will have to ask a question after long work calls this
 * function before the work.
 */
export function requireTerminal(
  { stdin, stderr }: Context,
  message =
    "This command cannot be undone, and without a terminal it cannot ask you first; add --yes " +
    "to run the command without this question",
): void {
  if (!stdin.isTerminal || !stderr.isTerminal) throw new UsageError(message);
}

/** Asks before the command replaces a file. It asks nothing if the file does not exist. */
export async function askToReplace(path: string, context: Context): Promise<void> {
  const exists = await context.files.size(path).then(() => true, () => false);
  if (!exists) return;
  await askFirst(`Replace the file ${path}?`, context, {
    noTerminal: `'${path}' exists already; add --yes to replace it`,
    cancelled: `Cancelled; '${path}' was not changed`,
  });
}
