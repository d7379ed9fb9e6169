import type { Command } from "commander";
import { UsageError } from "../cli_error.ts";
import type { CommandInput } from "../command.ts";
import type { Context } from "../context.ts";
import { addInsecureFlag, refuseClearText, type Settings } from "../settings.ts";

/** Where the operator key comes from; it is never a flag's value. */
export interface KeySource {
  key: string | undefined;
  fromStdin: boolean;
}

/** The flags that say where the key comes from and how it may be sent. */
export function addKeyFlags(command: Command): void {
  command.option("--key-stdin", "read the operator key from standard input");
  addInsecureFlag(command);
}

/** Reads where the key comes from; throws a `UsageError` where it would travel in clear text. */
export function readKeySource({ flags, variables }: CommandInput, settings: Settings): KeySource {
  refuseClearText("The operator key", settings);
  return {
    key: variables.WAITLIST_OPERATOR_KEY || undefined,
    fromStdin: flags.keyStdin === true,
  };
}

/** Gets the key, asking for it where there is a terminal; from here on it is hidden in all output. */
export async function getKey(source: KeySource, context: Context): Promise<string> {
  const key = await readKey(source, context);
  // Quoted nowhere, and a header could not carry it.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      "The operator key is empty or has a character that no key can have; " +
        "set WAITLIST_OPERATOR_KEY to the service's OPERATOR_KEY",
    );
  }
  context.hide(key);
  return key;
}

async function readKey(
  { key, fromStdin }: KeySource,
  { stdin, stderr, prompt }: Context,
): Promise<string> {
  if (key !== undefined && !fromStdin) return key;
  // A terminal would show what is typed into its standard input.
  if (fromStdin && !stdin.isTerminal) return (await stdin.readText()).replace(/\r?\n$/, "");
  if (!stdin.isTerminal || !stderr.isTerminal) {
    throw new UsageError(
      "There is no operator key and no terminal to ask on; " +
        "set WAITLIST_OPERATOR_KEY or use --key-stdin",
    );
  }
  const typed = await prompt.secret("Operator key");
  if (typed === undefined) throw new UsageError("Cancelled; nothing was sent");
  return typed;
}
