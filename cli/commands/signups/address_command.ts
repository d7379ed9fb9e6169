/**
 * Defines the commands on the addresses of people, all in the same way. Such a command authenticates with the operator
 * key, and ends with exit code 1 if its answer names an address for which nothing was done. It asks for confirmation
 * only by `confirm()`.
 *
 * @module
 */
import { askFirst } from "../../ask_first.ts";
import {
  type CommandDefinition,
  defineCommand,
  type RunnableCommand,
  type Session,
} from "../../command.ts";
import { EXIT } from "../../errors.ts";
import type { FlagValues } from "../../flag_values.ts";
import { OPERATOR_ACCESS, type OperatorClient } from "../../operator/client.ts";
import { createProgress, type WorkProgress } from "../../operator/progress.ts";
import type { CommandAnswer } from "../../print.ts";

/** The definition of a command on addresses. */
interface AddressCommand<Options>
  extends
    Pick<CommandDefinition<Options, OperatorClient>, "examples" | "resumeAdvice" | "declare"> {
  /** The argument of the command line, such as `<email>` or `[email...]`, and its description. */
  addresses: [argument: string, description: string];
  /** Whether the command has the flag `--yes`. Every command that calls `confirm()` has this flag. */
  hasYes?: true;
  /** Makes the options from addresses and flags. Throws a `UsageError` if an address or a flag is wrong. */
  parse: (emails: string[], flags: FlagValues) => Options;
  /** Does the work of the command. */
  act: (options: Options, session: AddressSession) => Promise<AddressAnswer>;
}

/** What a command on addresses gets besides its own options. */
export interface AddressSession extends Session<OperatorClient> {
  progress: WorkProgress;
  /** Whether `--yes` is given. */
  yes: boolean;
  /**
   * Asks a question, unless `--yes` is given. Throws a `UsageError` if the answer is not yes, or if there is no
   * terminal.
   */
  confirm: (question: string) => Promise<void>;
}

/** The answer of the command. */
interface AddressAnswer extends Omit<CommandAnswer, "exitCode"> {
  /** Lines to print in front of the text, one for each address for which nothing was done. */
  notDoneLines?: string[];
}

/** Makes a command on addresses. */
export function defineAddressCommand<Options>(
  { addresses, hasYes, declare, parse, act, ...definition }: AddressCommand<Options>,
): RunnableCommand {
  return defineCommand<{ options: Options; yes: boolean }, OperatorClient>({
    ...definition,
    access: OPERATOR_ACCESS,
    declare(command) {
      command.argument(...addresses);
      declare?.(command);
      if (hasYes) command.option("-y, --yes", "do not ask first");
    },
    parse: ({ args, flags }) => ({ options: parse(args, flags), yes: flags.yes === true }),
    async run({ options, yes }, session) {
      const { context, settings, print } = session;
      using progress = createProgress(context, settings);
      const confirm = async (question: string) => {
        if (!yes) await askFirst(question, context);
      };
      const answer = await act(options, { ...session, progress, yes, confirm });
      progress.end();
      const { notDoneLines = [], text } = answer;
      return print({
        ...answer,
        text: (style) => notDoneLines.join("") + text(style),
        exitCode: notDoneLines.length > 0 ? EXIT.failedCheck : EXIT.fine,
      });
    },
  });
}
