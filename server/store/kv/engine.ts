/**
 * The interface of a database engine, and the interface `Kv`, through which the store calls an engine: a few calls on
 * ordered keys, each with a deadline. `stack.ts` lists the layers between the two. @module
 */
import { Buffer } from "node:buffer";

/**
 * A list of texts and numbers. Texts sort before numbers. Texts sort by their UTF-8 bytes, and numbers by their value.
 * A key sorts before longer keys that begin with it.
 */
export type Key = readonly (string | number)[];

/**
 * Names one write of a key. No later write gets the same version, so that a check of an old version fails even if the
 * key was deleted and written again. The version of a commit is higher than the versions of all entries that the commit
 * has checked, except counters, because on PostgreSQL the version of a counter is a sum. Versions do not tell which of
 * two commits came first, unless one of them has checked what the other one has written.
 */
export type Version = string;

/**
 * Whether a version is higher than another version of the same store. A longer version is higher than a shorter one. Not
 * for versions of counters.
 */
export const isHigherVersion = (version: Version, other: Version): boolean =>
  version.length === other.length ? version > other : version.length > other.length;

/**
 * A key with its value and its version. A value is JSON, the number of a counter, or bytes, and has at most 65,535
 * bytes.
 */
export interface Entry<T = unknown> {
  key: Key;
  value: T;
  version: Version;
}

export type MaybeEntry<T = unknown> = Entry<T> | { key: Key; value: null; version: null };

/** An entry whose value cannot be read, as after a fault of the disk. */
export interface UnreadableEntry {
  key: Key;
  /** Why the value cannot be read, as a sentence. */
  fault: string;
}

/** Selects the keys that are longer than a prefix and begin with it. The end must not come before the start. */
export interface Selector {
  prefix: Key;
  /** The first key, which is included; not together with `after`. */
  start?: Key;
  /** The key after which the range begins; it need not exist. */
  after?: Key;
  /** The key at which the range ends; it is not included. */
  end?: Key;
}

export interface ListOptions {
  /** How many entries the page has at most; the limit is at least 1. */
  limit: number;
  reverse?: boolean;
}

/** The properties of an engine that decide how the store calls it (measured with Deno 2.9 and PostgreSQL 15). */
export interface EngineTraits {
  /**
   * How many checks a commit may have at most, not counting the check of its proof (`outcomes.ts`). This limits the
   * number of sign-ups that share a commit.
   */
  checksPerCommit: number;
  /** How many commits are under way at the same time at most. */
  commitsInFlight: number;
  /**
   * How long sign-ups are gathered for the next commit while other commits are under way, in milliseconds. If the field
   * is absent, they are gathered until the event loop's turn ends.
   */
  busyGatherMs?: number;
  /**
   * Whether sign-ups wait, while another commit of sign-ups is under way, until there are as many of them as in the
   * other commit.
   */
  waitsForEqualBatch?: boolean;
  /**
   * Whether a read may show a commit that is not confirmed yet: the server has the commit, and its synchronous standby
   * does not have it yet. Any later commit that is acknowledged confirms the earlier one.
   */
  readsUnconfirmed?: boolean;
  /** Whether a read keeps the event loop busy until the read has its result, as a read of a KV file does. */
  readsBlock?: boolean;
  /** The name of the engine in the metrics (OpenTelemetry's conventions for databases); by default, `deno.kv`. */
  system?: string;
}

/** The calls that every layer of the store offers, from the engine up. */
interface Calls {
  readonly traits: EngineTraits;
  /** How long a call may take, in milliseconds. A read that takes longer rejects with a `DeadlineError`. */
  readonly deadlineMs: number;
  /**
   * Reads entries, in the order of the given keys. Up to ten entries are one snapshot, unless one of them cannot be
   * read.
   */
  get<T>(keys: readonly Key[]): Promise<(MaybeEntry<T> | UnreadableEntry)[]>;
  /** Reads a page of a list in the order of the keys, as one snapshot. */
  list<T>(selector: Selector, options: ListOptions): Promise<(Entry<T> | UnreadableEntry)[]>;
  /**
   * Watches a key: calls `onChange` when the watch begins, and at each change of the key by any process. An engine may
   * report only the changes of keys for which `isWatched()` is true.
   */
  watch(key: Key, onChange: () => void): { close: () => Promise<void> };
  /**
   * Removes entries that the engine or a lower layer has written for itself and needs no longer.
   * @param now in milliseconds since 1970
   */
  sweep(now: number): Promise<void>;
  close(): void;
}

/** A database, without the layers of `stack.ts` above it. */
export interface Engine extends Calls {
  /**
   * Makes all writes of a commit or none. The writes are durable once the promise resolves.
   * @returns the version of the writes; `"conflict"` if a check failed, so that nothing was written
   * @throws {NoAnswer} if the commit may have gone through, or may do so later
   * @throws {UnknownOutcome} if the commit may have gone through, and no later call can find out whether it did
   * @throws the engine's error if the engine refused the commit, which then never goes through
   */
  commit(commit: Commit): Promise<Version | "conflict">;
  /** Gives a text that names this process. No other process has had this name, or will get it. */
  processId(): Promise<string>;
}

/** An open store, as the other folders of the store use it. */
export interface Kv extends Calls {
  /**
   * Makes all writes of a commit or none. The writes are durable once the promise resolves. A commit may take a few
   * times `deadlineMs`, because its outcome may have to be found out.
   * @returns the version of the writes; `"conflict"` if a check failed, so that nothing was written
   * @throws {UnknownOutcome} if nothing tells whether the commit went through, or will go through later
   * @throws the error of the engine or of a layer if the commit has failed and never goes through
   */
  commit(commit: Commit): Promise<Version | "conflict">;
}

/** An open KV, and functions that tell the state of its store. */
export interface OpenKv {
  kv: Kv;
  /** Whether the KV file is still the file that was opened; absent if the store is not a file. */
  isThere?: () => Promise<boolean>;
  /** The troubles that the engine for PostgreSQL knows of; absent for other engines. */
  health?: () => StoreHealth;
}

/** The troubles that an engine knows from memory, as sentences. A field is absent while there is no such trouble. */
export interface StoreHealth {
  /** Why the store counts as vanished. */
  vanished?: string;
  /** Why the engine accepts no commits now. */
  refusal?: string;
  /** A trouble that an operator should know of although the store works. */
  warning?: string;
}

/**
 * Gives how many checks of a commit are left for people or items. One check is kept for the schema, and `reserved`
 * checks are for other entries that each of the caller's commits checks.
 */
export const checksFor = ({ traits }: Pick<Kv, "traits">, reserved = 0) =>
  traits.checksPerCommit - 1 - reserved;

/** Is thrown if an engine has not said whether a commit went through; `outcomes.ts` then finds out the outcome. */
export class NoAnswer extends Error {
  override name = "NoAnswer";

  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
  }
}

/** Is thrown if nothing tells whether a commit has gone through, or will go through later. */
export class UnknownOutcome extends Error {
  override name = "UnknownOutcome";

  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
  }
}

export type Write =
  | { type: "set"; key: Key; value: unknown }
  | { type: "delete"; key: Key }
  | { type: "add"; key: Key; amount: number };

/**
 * The most writes of a commit. Deno KV accepts 1,000 writes, and the proof of the commit (`outcomes.ts`) is one of
 * them.
 */
const MAX_WRITES = 950;

/**
 * The most bytes of the keys of a commit. Deno KV accepts 81,920 bytes, and the key of the proof (`outcomes.ts`) needs
 * a few of them.
 */
const MAX_KEY_BYTES = 80_000;

/**
 * Writes that are made together, and the checks on which they depend. Deno KV accepts at most 800 KB of keys and values
 * in a commit. This class counts only the bytes of the keys, because the callers put so few entries into a commit that
 * the values never reach the limit.
 */
export class Commit {
  readonly checks: Pick<MaybeEntry, "key" | "version">[] = [];
  /**
   * The writes, in the order in which they were added. A `set` or a `delete` replaces all earlier writes of its key. The
   * amounts of several `add` of a key are summed.
   */
  readonly writes: Write[] = [];

  /** Lets the commit go through only while the given entries are as they were read, or still absent. */
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

  /** Adds a whole number, which may be negative, to a counter. An absent counter begins at 0. */
  add(key: Key, amount: number): this {
    this.writes.push({ type: "add", key, amount });
    return this;
  }

  /** Whether the commit has few enough writes and bytes of keys for every engine. */
  get fits(): boolean {
    if (this.writes.length > MAX_WRITES) return false;
    let bytes = 0;
    for (const { key } of this.checks) bytes += keyBytes(key);
    for (const { key } of this.writes) bytes += keyBytes(key);
    return bytes <= MAX_KEY_BYTES;
  }
}

/** Counts the bytes of a key as Deno KV does: for each text its length in UTF-8 and two more, for each number nine. */
function keyBytes(key: Key): number {
  let bytes = 0;
  for (const part of key) bytes += typeof part === "string" ? Buffer.byteLength(part) + 2 : 9;
  return bytes;
}
