import type { Context } from "./context.ts";
import { UsageError } from "./errors.ts";

/**
 * Asks a person before the command goes on; ends it unless the answer is yes.
 *
 * @param refusals the messages where there is no terminal to ask on, and where the answer is not yes
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

/** Ends a command that will have to ask and has no terminal, before it does anything else. */
export function needTerminal(
  { stdin, stderr }: Context,
  unasked = "This cannot be undone and there is no terminal to ask on; add --yes",
): void {
  if (!stdin.isTerminal || !stderr.isTerminal) throw new UsageError(unasked);
}

/** Asks a person before the command replaces a file that exists. */
export async function askToReplace(path: string, context: Context): Promise<void> {
  const exists = await context.files.size(path).then(() => true, () => false);
  if (!exists) return;
  await askFirst(`Replace the file ${path}?`, context, {
    unasked: `'${path}' exists already; add --yes to replace it`,
    cancelled: `Cancelled; '${path}' is as it was`,
  });
}
