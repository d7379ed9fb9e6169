import type { Clock } from "../shared/send.ts";

/** The environment variables that the program reads. */
export const VARIABLES = [
  "WAITLIST_BASE_URL",
  "WAITLIST_CLIENT_ID",
  "WAITLIST_CLIENT_SECRET",
  "WAITLIST_OPERATOR_KEY",
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

/** Where results go. */
export interface ResultOutput extends Output {
  /** Whether that is a file, rather than a terminal or another program. */
  isFile: boolean;
}

/** Everything that a command takes from its dependencies. */
export interface Context {
  /** The results. */
  stdout: ResultOutput;
  /** Errors, notes, questions and what `--verbose` tells. */
  stderr: Output;
  stdin: { isTerminal: boolean; readText: () => Promise<string> };
  variables: Variables;
  clock: Clock;
  fetch: typeof fetch;
  prompt: Prompt;
  files: {
    readText: (path: string) => Promise<string>;
    writeText: (path: string, text: string) => Promise<void>;
    /** Writes a file that, where it is new, only its owner can read. */
    writePrivate: (path: string, text: string) => Promise<void>;
    /** The bytes from a position on, or of the whole file. */
    read: (path: string, from?: number) => AsyncIterable<Uint8Array<ArrayBuffer>>;
    /** In bytes. */
    size: (path: string) => Promise<number>;
    /**
     * Opens a file to write on behind its first `length` bytes; what comes after them is cut off. Where it is
     * new, only its owner can read it.
     */
    openAt: (path: string, length: number) => Promise<WritableFile>;
    rename: (from: string, to: string) => Promise<void>;
    /** Removes a file, if it is there. */
    remove: (path: string) => Promise<void>;
  };
  /** From the first call on, Ctrl-C aborts this signal and no longer ends the program. */
  interrupted: () => AbortSignal;
  /** Hides a secret wherever it would be written to. */
  hide: (secret: string) => void;
}

/** A file that is written to its end. */
export interface WritableFile extends Disposable {
  write: (bytes: Uint8Array) => Promise<void>;
  /** Resolves once what was written is on the disk. */
  sync: () => Promise<void>;
}

/** Questions on a terminal; `undefined` when they are cancelled. */
export interface Prompt {
  /** Reads a line without showing it. */
  secret: (question: string) => Promise<string | undefined>;
  confirm: (question: string) => Promise<boolean | undefined>;
}
