/**
 * Reads secrets, and keeps them out of all output. A secret is never the value of a flag, because other users of the
 * computer can see command lines.
 *
 * @module
 */
import type { Context, Output } from "./context.ts";
import { UsageError } from "./errors.ts";

/** The places from which a secret can be read. */
export interface SecretSource {
  /** The secret's name within a sentence, such as `operator key`. */
  name: string;
  /** The environment variable with the secret. */
  variable: "WAITLIST_CLIENT_SECRET" | "WAITLIST_OPERATOR_KEY";
  /** The flag that reads the secret from standard input. */
  stdinFlag: "--secret-stdin" | "--key-stdin";
  /** Whether `stdinFlag` is given. If so, the secret is read from standard input, even if the variable is set. */
  fromStdin: boolean;
  /** The question to the user at a terminal. */
  question: string;
}

/**
 * Reads a secret from standard input or from the environment, or asks the user at a terminal.
 *
 * @throws {UsageError} if there is neither a secret nor a terminal, or if the user cancels
 */
export async function readSecret(
  { name, variable, stdinFlag, fromStdin, question }: SecretSource,
  { stdin, stderr, prompt, variables }: Context,
): Promise<string> {
  const secretInVariable = variables[variable];
  if (secretInVariable && !fromStdin) return secretInVariable;
  // On a terminal, the user is asked even with the flag, because a terminal shows what is typed into standard input.
  if (fromStdin && !stdin.isTerminal) return (await stdin.readText()).replace(/\r?\n$/, "");
  if (!stdin.isTerminal || !stderr.isTerminal) {
    throw new UsageError(
      `The ${name} is missing, and the command cannot ask you for it without a terminal; set ` +
        `${variable}, or pipe the ${name} into the command with ${stdinFlag}`,
    );
  }
  const typedSecret = await prompt.secret(question);
  if (typedSecret === undefined) throw new UsageError("Cancelled; nothing was sent");
  return typedSecret;
}

/** A collection of secrets that must not be written. */
export interface Secrets {
  /** Adds a secret, which all outputs then hide. */
  hide: (secret: string) => void;
  /** Wraps an output so that it writes `***` in place of each secret in the collection. */
  keepOutOf: <T extends Output>(output: T) => T;
}

/** The shortest secret that is hidden, in characters. A shorter secret may be part of an ordinary word. */
const MIN_HIDDEN_LENGTH = 4;

/** Makes an empty collection of secrets. */
export function createSecrets(): Secrets {
  /** The texts to hide: each secret in the forms in which it can be written. */
  const hiddenForms = new Set<string>();
  return {
    hide(secret) {
      if (secret.length < MIN_HIDDEN_LENGTH) return;
      // The forms are the secret itself, and the secret in a URL, in the body of a form and in JSON.
      for (const encode of [String, encodeURIComponent, formEncode, JSON.stringify]) {
        // The quotation marks of JSON are removed, because the secret may be a part of a longer text.
        hiddenForms.add(encode(secret).replace(/^"(.*)"$/, "$1"));
      }
    },
    keepOutOf: (output) => ({
      ...output,
      write(text) {
        let maskedText = text;
        for (const form of hiddenForms) maskedText = maskedText.replaceAll(form, "***");
        output.write(maskedText);
      },
    }),
  };
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
