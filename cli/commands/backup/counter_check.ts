/** Compares the counters of a backup with a recount of its sign-ups. @module */
import type { LineOf } from "../../../shared/backup_lines.ts";
import { countersOf } from "../../../shared/counters.ts";
import { BackupFault, type KeptTextLimit } from "./backup_fault.ts";

/** The kinds of counters that backups of earlier versions lack. */
const LATER_KINDS = ["withAnswers", "wentOn", "withMark", "withReferral"];

/** Returns the kind in the name of a counter, such as `byState` in `byState/waiting`. */
const kindOf = (name: string) => name.split("/")[0]!;

/**
 * Recounts the sign-ups of a backup, and compares the result with the counters in the backup. It keeps only numbers and
 * names in memory.
 */
export class CounterCheck {
  /** The recounted numbers of sign-ups, by the name of the counter. */
  readonly #recountedCounts = new Map<string, number>();
  /** The counters in the backup by name, each with the number of the line that has the counter. */
  readonly #backupCounters = new Map<string, { count: number; line: number }>();
  readonly #limit: KeptTextLimit;

  constructor(limit: KeptTextLimit) {
    this.#limit = limit;
  }

  /** Adds a sign-up to the recount. @param line the number of its line */
  countSignUp(signUp: LineOf<"sign_up">["signUp"], line: number): void {
    for (const counter of countersOf(signUp)) {
      const name = counter.join("/");
      if (!this.#recountedCounts.has(name)) this.#limit.count(name, line);
      this.#recountedCounts.set(name, (this.#recountedCounts.get(name) ?? 0) + 1);
    }
  }

  /** Remembers a counter in the backup for the comparison. @param line the number of the line that has the counter */
  addCounter({ counter: name, count }: LineOf<"counter">, line: number): void {
    this.#limit.count(name, line);
    this.#backupCounters.set(name, { count, line });
  }

  /**
   * Compares the counters with the recount.
   *
   * @throws {BackupFault} if a counter is wrong or missing
   */
  compare(): void {
    const backupKinds = new Set(Array.from(this.#backupCounters.keys(), kindOf));
    const names = new Set([...this.#backupCounters.keys(), ...this.#recountedCounts.keys()]);
    for (const name of names) {
      // If the backup has no counter of one of the `LATER_KINDS`, this kind is not compared, because a backup of an
      // earlier version has no counters of this kind.
      if (LATER_KINDS.includes(kindOf(name)) && !backupKinds.has(kindOf(name))) continue;
      const { count = 0, line } = this.#backupCounters.get(name) ?? {};
      const recounted = this.#recountedCounts.get(name) ?? 0;
      if (count === recounted) continue;
      throw new BackupFault(
        line === undefined
          ? `it lacks the counter ${name}, although a count of its sign-ups gives ${recounted}`
          : `the counter ${name} on line ${line} is ${count}, but a count of the backup's sign-ups gives ${recounted}`,
      );
    }
  }

  /** The recounted number of sign-ups in each state. */
  get states(): Record<string, number> {
    const prefix = "byState/";
    return Object.fromEntries(
      [...this.#recountedCounts].filter(([name]) => name.startsWith(prefix))
        .map(([name, count]) => [name.slice(prefix.length), count]),
    );
  }
}
