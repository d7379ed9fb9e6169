/**
 * Counts the test letters that operators send, because an operator may send only a few of each kind on one UTC day. An
 * operator has one entry for each kind, which the first test letter of the next day overwrites. A backup holds no such
 * entries. `operator/test_letters.ts` sends the test letters. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { utcDay } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import { changeEntry, type Kv, testLettersKey } from "../kv/mod.ts";

/** The stored number of test letters of one kind that an operator has sent on a UTC day. */
export interface TestLetterCount {
  /** The UTC day, as `YYYY-MM-DD`. */
  day: string;
  /** The number of test letters. */
  letters: number;
}

/** Test letters of one kind that an operator is about to send. */
export interface TestLetterBatch {
  operator: string;
  kind: "letter" | "invitation";
  /** The number of the letters. */
  size: number;
}

/** What the operator's operations do with the number of test letters. */
export interface TestLetterStore {
  /**
   * Counts test letters before they are sent, and writes the audit entry in the same commit. Does neither if the
   * operator would have sent more than `maxPerDay` letters of this kind today.
   * @returns how many letters of this kind the operator had sent earlier today, and whether the new letters were
   * counted
   */
  countTestLetters: (
    batch: TestLetterBatch,
    maxPerDay: number,
    audit: AuditEntry,
  ) => Promise<{ sentToday: number; isCounted: boolean }>;
}

/** Makes the store for one call of an operator. All reads and commits of the store end at the deadline of this call. */
export function createTestLetterStore(
  { kv, now }: Pick<Runtime, "now"> & { kv: Kv },
): TestLetterStore {
  return {
    countTestLetters({ operator, kind, size }, maxPerDay, audit) {
      const day = utcDay(now());
      return changeEntry<TestLetterCount, { sentToday: number; isCounted: boolean }>(
        kv,
        testLettersKey(kind, operator),
        (stored) => {
          const sentToday = stored?.day === day ? stored.letters : 0;
          const letters = sentToday + size;
          if (letters > maxPerDay) return { result: { sentToday, isCounted: false } };
          return { newValue: { day, letters }, result: { sentToday, isCounted: true } };
        },
        (commit) => setAuditEntry(commit, audit),
      );
    },
  };
}
