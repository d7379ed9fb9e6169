/** What the store needs of an engine: a few operations on ordered keys; each ends in time and says how. @module */
import { Buffer } from "node:buffer";

/** Texts sort by their UTF-8 bytes, numbers by their value; a key sorts before the longer keys that begin with it. */
export type Key = readonly (string | number)[];

/** Tells one write of a key from every other; never used twice, so that a key that was made again fails old checks. */
export type Version = string;

/** A value is JSON, the number of a counter, or bytes that are packed already; an engine keeps 65,535 bytes at most. */
export interface Entry<T = unknown> {
  key: Key;
  value: T;
  version: Version;
}

export type MaybeEntry<T = unknown> = Entry<T> | { key: Key; value: null; version: null };

/** An entry whose value the engine has and cannot read, as after a fault of the disk. */
export interface Unreadable {
  key: Key;
  fault: string;
}

/** Selects keys that begin with a prefix and go on behind it. A range does not end before it begins. */
export interface Selector {
  prefix: Key;
  /** The first key, which is included; not together with `after`. */
  start?: Key;
  /** Begins behind this key, which need not exist. */
  after?: Key;
  end?: Key;
}

export interface ListOptions {
  /** From 1 on. */
  limit: number;
  reverse?: boolean;
}

/** What an engine takes (measured with Deno 2.9 and PostgreSQL 15). */
export interface EngineTraits {
  /** The most checks in a commit, which limit the sign-ups that share one. */
  checksPerCommit: number;
  /** Commits that are sent without waiting for each other. */
  commitsInFlight: number;
  /** The milliseconds in which a busy engine gathers sign-ups; the event loop's turn if absent. */
  busyGatherMs?: number;
  /** Whether a commit waits, while another one is under way, for as many sign-ups as the latest one had. */
  waitsForAsMany?: boolean;
  /**
   * Whether a read may show a commit that is not confirmed, as where a server has it and its synchronous standby does
   * not yet. A commit that is acknowledged afterwards confirms it.
   */
  readsUnconfirmed?: boolean;
  /** Its name in the metrics (semantic conventions for databases); `deno.kv` if absent. */
  system?: string;
}

/** The calls that every layer of the store offers, from the engine up. */
interface Calls {
  readonly traits: EngineTraits;
  /** How long a call may take, in milliseconds. A read then rejects with a `DeadlineError`. */
  readonly deadlineMs: number;
  /** Reads entries in the order of their keys given; up to ten are one snapshot, unless one cannot be read. */
  get<T>(keys: readonly Key[]): Promise<(MaybeEntry<T> | Unreadable)[]>;
  /** Reads a page in the order of the keys; a page is one snapshot. */
  list<T>(selector: Selector, options: ListOptions): Promise<(Entry<T> | Unreadable)[]>;
  /** Calls a function when the watch begins, and at each change by any process; maybe only of keys of `isWatched()`. */
  watch(key: Key, onChange: () => void): { close: () => Promise<void> };
  /** Removes what the store keeps for itself and needs no longer. @param now in milliseconds since 1970 */
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
  /** Gives a text that no other process gets, or ever got. */
  newId(): Promise<string>;
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

/** What an engine knows of its store from memory, in sentences; each is absent where all is well. */
export interface StoreHealth {
  /** The store is gone. */
  vanished?: string;
  /** Why no commit goes through now. */
  refusal?: string;
  /** What does not keep the store from working, and is wrong all the same. */
  warning?: string;
}

/** How many checks a commit may have besides those of the schema and of `others`, which it has whatever its size. */
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

/** Deno KV takes 1,000 writes and 81,920 bytes of keys, and its engine adds a few of each. */
const MAX_WRITES = 950, MAX_KEY_BYTES = 80_000;

/** What is to be written together: at most 950 writes, 80 KB of keys, and 800 KB in all. */
export class Commit {
  readonly checks: Pick<MaybeEntry, "key" | "version">[] = [];
  /** In order; of several writes of a key, the last one counts. */
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

  /** Whether an engine takes as many writes, and as many bytes of keys. */
  get fits(): boolean {
    if (this.writes.length > MAX_WRITES) return false;
    let bytes = 0;
    for (const { key } of this.checks) bytes += keyBytes(key);
    for (const { key } of this.writes) bytes += keyBytes(key);
    return bytes <= MAX_KEY_BYTES;
  }

  /** Adds a whole number, which may be negative, to a counter; one that is missing begins at 0. */
  add(key: Key, by: number): this {
    this.writes.push({ type: "add", key, by });
    return this;
  }
}

/** As Deno KV counts them: two bytes more for each text, and nine for a number. */
function keyBytes(key: Key): number {
  let bytes = 0;
  for (const part of key) bytes += typeof part === "string" ? Buffer.byteLength(part) + 2 : 9;
  return bytes;
}
