/**
 * The interface of an engine, and that of the store's KV above it: a few calls on ordered keys, each of which ends in
 * time. `stack.ts` lists the layers between the two. @module
 */
import { Buffer } from "node:buffer";

/**
 * Texts sort by their UTF-8 bytes before numbers, numbers by their value. A key sorts before longer keys that begin
 * with it.
 */
export type Key = readonly (string | number)[];

/**
 * Names one write of a key. No other write gets it, so that an old check fails after a key was deleted and made
 * again.
 */
export type Version = string;

/** A value is JSON, the number of a counter, or bytes. An engine takes at most 65,535 bytes of a value. */
export interface Entry<T = unknown> {
  key: Key;
  value: T;
  version: Version;
}

export type MaybeEntry<T = unknown> = Entry<T> | { key: Key; value: null; version: null };

/** An entry whose value cannot be read, as after a fault of the disk. */
export interface Unreadable {
  key: Key;
  /** Why, as a sentence. */
  fault: string;
}

/** Selects the keys that are longer than a prefix and begin with it. The end must not come before the start. */
export interface Selector {
  prefix: Key;
  /** The first key, which is included; not together with `after`. */
  start?: Key;
  /** The key behind which the range begins; it need not exist. */
  after?: Key;
  /** The key before which the range ends. */
  end?: Key;
}

export interface ListOptions {
  /** The most entries, from 1 on. */
  limit: number;
  reverse?: boolean;
}

/** The properties of an engine that decide how the store calls it (measured with Deno 2.9 and PostgreSQL 15). */
export interface EngineTraits {
  /** The most checks in a commit, which limit the number of sign-ups that share it. */
  checksPerCommit: number;
  /** How many commits are sent without waiting for each other. */
  commitsInFlight: number;
  /**
   * For how many milliseconds sign-ups are gathered while commits are under way; if absent, until the event loop's
   * turn ends.
   */
  busyGatherMs?: number;
  /** Whether a commit of sign-ups waits for as many of them as the one before had, while that one is under way. */
  waitsForAsMany?: boolean;
  /**
   * Whether a read may show a commit that is not confirmed, as where a server has it and its synchronous standby does
   * not yet. A commit that is acknowledged afterwards confirms it.
   */
  readsUnconfirmed?: boolean;
  /** The name of the engine in the metrics (OpenTelemetry's conventions for databases); `deno.kv` if absent. */
  system?: string;
}

/** The calls that every layer of the store offers, from the engine up. */
interface Calls {
  readonly traits: EngineTraits;
  /** How long a call may take, in milliseconds. A read then rejects with a `DeadlineError`. */
  readonly deadlineMs: number;
  /** Reads entries, in the order of the given keys. Up to ten are one snapshot, unless one of them cannot be read. */
  get<T>(keys: readonly Key[]): Promise<(MaybeEntry<T> | Unreadable)[]>;
  /** Reads a page of a list in the order of the keys, as one snapshot. */
  list<T>(selector: Selector, options: ListOptions): Promise<(Entry<T> | Unreadable)[]>;
  /**
   * Calls a function when the watch begins, and at each change of a key by any process. An engine may do so for the
   * keys of `isWatched()` alone.
   */
  watch(key: Key, onChange: () => void): { close: () => Promise<void> };
  /** Removes entries that only the layers below needed, and need no longer. @param now in milliseconds since 1970 */
  sweep(now: number): Promise<void>;
  close(): void;
}

/** A database, without the layers of `stack.ts` above it. */
export interface Engine extends Calls {
  /**
   * Makes all writes of a commit or none, durable once it resolves.
   * @returns `"conflict"` where an entry was no longer what was checked
   * @throws {NoAnswer} where the commit may have gone through, or may do so later
   * @throws {UnknownOutcome} where the same is true, and no later call can tell
   * @throws the engine's error where it refused the commit, which never goes through
   */
  commit(commit: Commit): Promise<Version | "conflict">;
  /** Gives a text that names this process: no other process gets it, or ever got it. */
  processId(): Promise<string>;
}

/** An open store, as all other rooms use it. */
export interface Kv extends Calls {
  /**
   * Makes all writes of a commit or none, durable once it resolves. Takes a few times as long as `deadlineMs` where the
   * outcome has to be found out.
   * @returns `"conflict"` where an entry was no longer what was checked
   * @throws {UnknownOutcome} where nothing tells whether the commit went through, or will
   * @throws the engine's error where the commit has failed, and then never goes through
   */
  commit(commit: Commit): Promise<Version | "conflict">;
}

/** A KV, and what can be asked about its store. */
export interface OpenKv {
  kv: Kv;
  /** Whether the file is still the one that was opened; absent for a KV server. */
  isThere?: () => Promise<boolean>;
  /** What a KV server's engine knows of it; absent for a file. */
  health?: () => StoreHealth;
}

/** What the work of a call is given. */
export interface CallKv {
  /** Ends with the deadline of the call; see `withinDeadline()`. */
  kv: Kv;
  /** For work that grows with the list: each of its calls of KV has a deadline, and all together have none. */
  longKv: Kv;
}

/** The troubles that an engine knows from memory, as sentences; each is absent while there is none. */
export interface StoreHealth {
  /** Why the store is taken for gone. */
  vanished?: string;
  /** Why the engine takes no commits now. */
  refusal?: string;
  /** A trouble that an operator should know of, though the store works. */
  warning?: string;
}

/** How many checks are left in a commit besides the schema's and so many others, which it needs in any case. */
export const checksFor = ({ traits }: Pick<Kv, "traits">, others = 0) =>
  traits.checksPerCommit - 1 - others;

/** The engine has not said what became of a commit; `outcomes.ts` finds it out. */
export class NoAnswer extends Error {
  override name = "NoAnswer";

  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
  }
}

/** Nothing tells whether a commit has gone through, or will. */
export class UnknownOutcome extends Error {
  override name = "UnknownOutcome";

  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
  }
}

export type Write =
  | { type: "set"; key: Key; value: unknown }
  | { type: "delete"; key: Key }
  | { type: "add"; key: Key; by: number };

/** Deno KV takes 1,000 writes, of which the proof of the commit is one. */
const MAX_WRITES = 950;

/** Deno KV takes 81,920 bytes of keys, of which those of the proof are a few. */
const MAX_KEY_BYTES = 80_000;

/** Writes that are made together, and what they depend on: at most 950 writes, 80 KB of keys, and 800 KB in all. */
export class Commit {
  readonly checks: Pick<MaybeEntry, "key" | "version">[] = [];
  /** In their order: the last one of several writes of a key counts. */
  readonly writes: Write[] = [];

  /** Lets the commit go through only while these entries are as they were read, or still absent. */
  check(...entries: Pick<MaybeEntry, "key" | "version">[]): this {
    this.checks.push(...entries);
    return this;
  }

  set(key: Key, value: unknown): this {
    this.writes.push({ type: "set", key, value });
    return this;
  }

  delete(key: Key): this {
    this.writes.push({ type: "delete", key });
    return this;
  }

  /** Whether every engine takes so many writes and bytes of keys. */
  get fits(): boolean {
    if (this.writes.length > MAX_WRITES) return false;
    let bytes = 0;
    for (const { key } of this.checks) bytes += keyBytes(key);
    for (const { key } of this.writes) bytes += keyBytes(key);
    return bytes <= MAX_KEY_BYTES;
  }

  /** Adds a whole number, which may be negative, to a counter. An absent counter begins at 0. */
  add(key: Key, by: number): this {
    this.writes.push({ type: "add", key, by });
    return this;
  }
}

/** Counts the bytes of a key as Deno KV does: two more than its own for each text, and nine for a number. */
function keyBytes(key: Key): number {
  let bytes = 0;
  for (const part of key) bytes += typeof part === "string" ? Buffer.byteLength(part) + 2 : 9;
  return bytes;
}
