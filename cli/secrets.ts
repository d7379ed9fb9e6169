/**
 * Secrets: where a command gets them from, and how they stay out of what it writes. A secret is never
 * the value of a flag, as other users of the computer can see command lines.
 *
 * @module
 */
import type { Context, Output } from "./context.ts";
import { UsageError } from "./errors.ts";

/** Where a secret comes from. */
export interface SecretSource {
  /** The secret's name within a sentence, such as `operator key`. */
  name: string;
  /** The environment variable that may hold it. */
  variable: "WAITLIST_CLIENT_SECRET" | "WAITLIST_OPERATOR_KEY";
  /** The flag that has it read from standard input. */
  stdinFlag: "--secret-stdin" | "--key-stdin";
  /** Whether the flag is given; standard input comes before the variable. */
  fromStdin: boolean;
  /** What a person is asked on a terminal. */
  question: string;
}

/** Reads a secret from standard input, from the environment, or from a person at a terminal. */
export async function readSecret(
  { name, variable, stdinFlag, fromStdin, question }: SecretSource,
  { stdin, stderr, prompt, variables }: Context,
): Promise<string> {
  const value = variables[variable];
  if (value && !fromStdin) return value;
  // A terminal would show what is typed into its standard input, so a person is asked instead.
  if (fromStdin && !stdin.isTerminal) return (await stdin.readText()).replace(/\r?\n$/, "");
  if (!stdin.isTerminal || !stderr.isTerminal) {
    throw new UsageError(
      `There is no ${name} and no terminal to ask on; set ${variable} or use ${stdinFlag}`,
    );
  }
  const typed = await prompt.secret(question);
  if (typed === undefined) throw new UsageError("Cancelled; nothing was sent");
  return typed;
}

/** Knows secrets and takes them out of what is written. */
export interface Secrets {
  hide: (secret: string) => void;
  /** The output without the secrets that are known at the time of each write. */
  keepOutOf: <T extends Output>(output: T) => T;
}

/** The shortest secret that is hidden, in characters; a shorter one may be a part of ordinary words. */
const MIN_LENGTH = 4;

/** Makes an empty collection of secrets. */
export function createSecrets(): Secrets {
  const hidden = new Set<string>();
  return {
    hide(secret) {
      if (secret.length < MIN_LENGTH) return;
      // The secret itself, and its forms in a URL, in a form body and in JSON.
      for (const encode of [String, encodeURIComponent, formEncode, JSON.stringify]) {
        hidden.add(encode(secret).replace(/^"(.*)"$/, "$1"));
      }
    },
    keepOutOf: (output) => ({
      ...output,
      write: (text) => output.write([...hidden].reduce((t, s) => t.replaceAll(s, "***"), text)),
    }),
  };
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
