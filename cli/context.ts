/**
 * Everything that commands take from outside, as types: outputs, input, environment variables, clock, network, DNS,
 * prompts and files. `main.ts` implements the types for real use, and tests implement them in other ways. `VARIABLES`
 * lists the names of the environment variables.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import type { Files } from "./files.ts";

/** The environment variables that the program reads. */
export const VARIABLES = [
  "WAITLIST_BASE_URL",
  "WAITLIST_CLIENT_ID",
  "WAITLIST_CLIENT_SECRET",
  "WAITLIST_OPERATOR_KEY",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "NO_COLOR",
  "HTTPS_PROXY",
  "https_proxy",
  "HTTP_PROXY",
  "http_proxy",
  "NO_PROXY",
  "no_proxy",
] as const;

/** The values of the variables that are set. */
export type Variables = Partial<Record<(typeof VARIABLES)[number], string>>;

/** Standard input. */
export interface Input {
  isTerminal: boolean;
  /** Reads the whole input as text. */
  readText: () => Promise<string>;
  /** Reads the bytes of the input as they arrive. */
  read: () => AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Standard output or standard error. */
export interface Output {
  write: (text: string) => void;
  isTerminal: boolean;
  /** The present width of the terminal, in characters. */
  columns: () => number;
}

/** Standard output as the program gets it. {@linkcode PrintingOutput} is standard output as commands see it. */
export interface ResultOutput extends Output {
  /** Whether the output goes to a file, and not to a terminal or another program. */
  isFile: boolean;
}

/** Standard output as commands see it: `write` escapes characters that could change a terminal's display. */
export interface PrintingOutput extends ResultOutput {
  /** Clears the screen and writes a text. */
  redraw: (text: string) => void;
  /** Writes data for files and programs, without escapes unless the output is a terminal. */
  writeData: (text: string) => void;
}

/**
 * Queries DNS. A name that has no records of the asked type gives an empty list. A query throws if DNS does not answer.
 */
export interface Dns {
  /** The texts of the TXT records. */
  txt: (name: string) => Promise<string[]>;
  /** The hosts of the MX records, the preferred one first. */
  mx: (name: string) => Promise<string[]>;
}

/** Everything that a command takes from outside. */
export interface Context {
  /** The output for results. */
  stdout: PrintingOutput;
  /** The output for errors, notes, questions, and the requests that `--verbose` shows. */
  stderr: Output;
  stdin: Input;
  variables: Variables;
  clock: Clock;
  fetch: typeof fetch;
  /** Whether `fetch` uses the proxies that the variables name. */
  usesProxies: boolean;
  dns: Dns;
  prompt: Prompt;
  files: Files;
  /** Returns a signal that Ctrl+C aborts. From the first call of this function on, Ctrl+C does not end the program. */
  catchInterrupt: () => AbortSignal;
  /** Replaces a secret by `***` in all later output. */
  hide: (secret: string) => void;
}

/** Asks the user at a terminal. The answer is `undefined` if the user cancels. */
export interface Prompt {
  /** Reads a line without showing it. */
  secret: (question: string) => Promise<string | undefined>;
  /** Asks a question for yes or no. */
  confirm: (question: string) => Promise<boolean | undefined>;
}
