import type { Files } from "./files.ts";
import type { Clock } from "../shared/clock.ts";

/** The environment variables that the program reads. */
export const VARIABLES = [
  "WAITLIST_BASE_URL",
  "WAITLIST_CLIENT_ID",
  "WAITLIST_CLIENT_SECRET",
  "WAITLIST_OPERATOR_KEY",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "NO_COLOR",
] as const;

/** The values of the variables that are set. */
export type Variables = Partial<Record<(typeof VARIABLES)[number], string>>;

/** Where a command writes to. */
export interface Output {
  write: (text: string) => void;
  isTerminal: boolean;
  /** The width of the terminal, now. */
  columns: () => number;
}

/** Where a command writes its results to. */
export interface ResultOutput extends Output {
  /** Whether the results go to a file, rather than to a terminal or another program. */
  isFile: boolean;
}

/** The output of results as commands see it: `write` escapes what could change a terminal's display. */
export interface PrintingOutput extends ResultOutput {
  /** Writes in the place of what the screen shows. */
  redraw: (text: string) => void;
  /** Writes data for files and programs just as they are; on a terminal, they are escaped too. */
  writeData: (text: string) => void;
}

/** Looks names up; what there is no record of is empty. It throws where DNS does not answer. */
export interface Dns {
  txt: (name: string) => Promise<string[]>;
  /** The hosts, the preferred first. */
  mx: (name: string) => Promise<string[]>;
}

/** Everything that a command takes from outside: tests give it other values. */
export interface Context {
  /** For results. */
  stdout: PrintingOutput;
  /** For errors, notes, questions and what `--verbose` shows. */
  stderr: Output;
  stdin: {
    isTerminal: boolean;
    readText: () => Promise<string>;
    /** Reads its bytes as they come. */
    read: () => AsyncIterable<Uint8Array<ArrayBuffer>>;
  };
  variables: Variables;
  clock: Clock;
  fetch: typeof fetch;
  dns: Dns;
  prompt: Prompt;
  files: Files;
  /** From the first call on, Ctrl+C aborts this signal and no longer ends the program. */
  interrupted: () => AbortSignal;
  /** Hides a secret in everything that is written from now on. */
  hide: (secret: string) => void;
}

/** Questions to a person at a terminal; `undefined` where the person cancels. */
export interface Prompt {
  /** Reads a line without showing it. */
  secret: (question: string) => Promise<string | undefined>;
  confirm: (question: string) => Promise<boolean | undefined>;
}
