/**
 * Counts the test letters and test invitations of operators, because an operator may send only a few on one UTC day. An
 * operator has one entry of each kind, which the next day's first letter overwrites. A backup holds no such entries.
 * @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { utcDay } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import { changeEntry, type Kv, testLettersKey } from "../kv/mod.ts";

/** The test letters of one kind that an operator has sent on a UTC day. */
export interface TestLetters {
  day: string;
  letters: number;
}

/** What the operator's operations do with the number of test letters. */
export interface TestLetterStore {
  /**
   * Counts letters of one kind that an operator is about to send, and writes the audit entry in the same commit. Does
   * neither if the operator would have sent more than `most` letters of this kind today.
   * @returns how many letters of this kind the operator had sent earlier today, and whether the new letters were
   * counted
   */
  countTestLetters: (
    counted: { operator: string; kind: "letter" | "invitation" },
    wanted: { letters: number; most: number },
    audit: AuditEntry,
  ) => Promise<{ before: number; isCounted: boolean }>;
}

/** Makes the store for one call of an operator, on the KV of the call. */
export function createTestLetterStore(
  { kv, now }: Pick<Runtime, "now"> & { kv: Kv },
): TestLetterStore {
  return {
    countTestLetters({ operator, kind }, { letters, most }, audit) {
      const day = utcDay(now(), 0);
      return changeEntry<TestLetters, { before: number; isCounted: boolean }>(
        kv,
        testLettersKey(kind, operator),
        (stored) => {
          const before = stored?.day === day ? stored.letters : 0;
          if (before + letters > most) return { result: { before, isCounted: false } };
          const newValue = { day, letters: before + letters };
          return { newValue, result: { before, isCounted: true } };
        },
        (commit) => setAuditEntry(commit, audit),
      );
    },
  };
}
