/**
 * Commits whose outcome is known. A commit that gives no answer may have gone through, or may go through later, as
 * the client of a KV server cannot be stopped. So each commit also checks and writes a slot, an entry of this
 * process that no other commit uses at the same time. To rewrite the slot tells the outcome: either the slot has
 * what the commit wrote, or the commit finds another slot than it checks, and can never go through. @module
 */
import { retry } from "./calls.ts";
import { type Commit, UnknownOutcome, type Version } from "./engine.ts";
import { COMMIT_SLOTS, slotKey } from "./keys.ts";
import { decodeValue, encodeValue, encodeValues } from "./values.ts";

/** An entry that one commit at a time checks and writes. */
interface Slot {
  key: Deno.KvKey;
  versionstamp: string | null;
  commits: number;
}

/** In milliseconds: far longer than any commit is under way. */
const UNUSED_MS = 60 * 60 * 1000;

/** The slots of a process. */
export class CommitSlots {
  readonly #kv: Deno.Kv;
  readonly #bounded: <T>(call: Promise<T>) => Promise<T>;
  /** A slot whose commit has no known outcome does not come back. */
  readonly #free: Slot[] = [];
  #made = 0;
  #isClosed = false;
  #process: Promise<string> | undefined;
  #lookedAt = -Infinity;
  #seen = new Map<string, string>();

  /** @param bounded rejects with an error where a call takes too long */
  constructor(kv: Deno.Kv, bounded: <T>(call: Promise<T>) => Promise<T>) {
    this.#kv = kv;
    this.#bounded = bounded;
  }

  /** Makes a commit, and finds out what became of it where KV gives no answer; see `Kv.commit()`. */
  async commit({ checks, writes }: Commit): Promise<Version | "conflict"> {
    const values = encodeValues(
      writes.map((write) => write.type === "set" ? write.value : null),
    );
    const slot = this.#free.pop() ?? await this.#make();
    for (;;) {
      const before = slot.versionstamp;
      const atomic = this.#kv.atomic().check(slot);
      for (const { key, version } of checks) atomic.check({ key, versionstamp: version });
      writes.forEach((write, index) => {
        if (write.type === "set") atomic.set(write.key, values[index]);
        else if (write.type === "delete") atomic.delete(write.key);
        // KV adds modulo 2^64 and takes no sign.
        else atomic.sum(write.key, BigInt.asUintN(64, BigInt(write.by)));
      });
      const outcome = await this.#send(atomic, slot);
      // Where a sweep has removed the slot, the commit failed by that alone.
      if (outcome === "conflict" && slot.versionstamp !== before) continue;
      this.#free.push(slot);
      if (outcome === "done") return slot.versionstamp!;
      if (outcome === "conflict") return outcome;
      throw outcome.error;
    }
  }

  /** Sends a commit, which has not gone through and never will where it gives an error. */
  async #send(atomic: Deno.AtomicOperation, slot: Slot) {
    const id = ++slot.commits;
    atomic.set(slot.key, encodeValue(id));
    try {
      const result = await this.#bounded(atomic.commit());
      if (result.ok) slot.versionstamp = result.versionstamp;
      // A client that got no answer may have sent the commit twice, so that a failed check does not tell yet that
      // another commit came first.
      return result.ok || await this.#hasWritten(slot, id) ? "done" : "conflict";
    } catch (error) {
      const isWritten = await this.#settle(slot, id).catch(() => {
        throw new UnknownOutcome(error);
      });
      return isWritten ? "done" : { error };
    }
  }

  /**
   * Removes slots that no commit has used since it looked last, such as those of processes that have ended. A process
   * whose slot is gone finds so at its next commit, and makes it again.
   */
  async sweep(now: number): Promise<void> {
    if (Math.abs(now - this.#lookedAt) < UNUSED_MS) return;
    this.#lookedAt = now;
    const slots = await this.#bounded(Array.fromAsync(this.#kv.list(COMMIT_SLOTS)));
    const nameOf = ({ key }: Deno.KvEntry<unknown>) => JSON.stringify(key);
    const unused = slots.filter((slot) => this.#seen.get(nameOf(slot)) === slot.versionstamp);
    this.#seen = new Map(slots.map((slot) => [nameOf(slot), slot.versionstamp]));
    for (const slot of unused) {
      await this.#bounded(this.#kv.atomic().check(slot).delete(slot.key).commit());
    }
  }

  async #make(): Promise<Slot> {
    // KV gives no versionstamp twice, so it names the process.
    this.#process ??= this.#bounded(this.#kv.set(COMMIT_SLOTS.prefix, encodeValue(true)))
      .then(({ versionstamp }) => versionstamp);
    try {
      return { key: slotKey(await this.#process, this.#made++), versionstamp: null, commits: 0 };
    } catch (error) {
      this.#process = undefined;
      throw error;
    }
  }

  async #hasWritten(slot: Slot, id: number): Promise<boolean> {
    const entry = await this.#bounded(this.#kv.get<Uint8Array>(slot.key));
    slot.versionstamp = entry.versionstamp;
    return entry.value !== null && decodeValue(entry.value) === id;
  }

  /** Finds out whether a commit without an answer has gone through, and keeps one that has not from doing so later. */
  #settle(slot: Slot, id: number): Promise<boolean> {
    return retry(async () => {
      for (;;) {
        if (await this.#hasWritten(slot, id)) return true;
        const rewrite = this.#kv.atomic().check(slot).set(slot.key, encodeValue(-id));
        const result = await this.#bounded(rewrite.commit());
        if (!result.ok) continue;
        slot.versionstamp = result.versionstamp;
        return false;
      }
    }, () => this.#isClosed);
  }

  close(): void {
    this.#isClosed = true;
  }
}
