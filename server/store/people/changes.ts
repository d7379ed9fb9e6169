/** Changes many people: asks again to confirm, marks as undeliverable, erases by state and age. @module */
import type { AuditEntry, NotReminded, StateErasure } from "../../../shared/operator_schemas.ts";
import { askToConfirm, type Leave, noteUndeliverable, type Step } from "../../waitlist/mod.ts";
import { addressesOf, checksFor, type Kv, oldPeopleSelector, pages } from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { changeRecords, PEOPLE_IN_COMMIT, type PersonDecision } from "./commit.ts";
import { readPeople } from "./records.ts";

export interface ChangeOptions {
  kv: Kv;
  outbox: OutboxOptions;
  /** Milliseconds since 1970. */
  at: number;
  /** Each commit writes the entry as it stands then, so that the caller can add its counts between steps. */
  audit?: AuditEntry | undefined;
  /** Ends the work between two commits. */
  signal?: AbortSignal | undefined;
}

type Decide<Outcome> = (
  ...known: Parameters<PersonDecision["decide"]>
) => { outcome: Outcome; change?: Step | Leave };

export interface PersonOutcome<Outcome> {
  email: string;
  outcome: Outcome | "unreadable";
}

/** Changes people, some in a commit; yields what was decided on those of each commit. */
export async function* changePeople<Outcome>(
  { kv, ...options }: Pick<ChangeOptions, "kv" | "outbox" | "audit" | "signal">,
  emails: Iterable<string>,
  decide: Decide<Outcome>,
): AsyncGenerator<PersonOutcome<Outcome>[]> {
  const size = Math.min(checksFor(kv), PEOPLE_IN_COMMIT);
  const rest = [...new Set(emails)];
  while (rest.length > 0) {
    const batch = rest.splice(0, size);
    const outcomes = new Map<string, Outcome>();
    const decisions = batch.map((email): PersonDecision => ({
      email,
      decide(...known) {
        const { outcome, change = "unchanged" } = decide(...known);
        outcomes.set(email, outcome);
        return change;
      },
    }));
    await changeRecords(kv, decisions, options);
    yield batch.map((email) => ({ email, outcome: outcomes.get(email) ?? "unreadable" }));
  }
}

export type ReminderOutcome = "reminded" | NotReminded["notReminded"]["reason"];

/** Asks people again to confirm, within the letter limits: those with the addresses, or all who have not confirmed. */
export async function* remindPeople(
  { once = false, ...options }: ChangeOptions & { once?: boolean },
  emails: string[] | undefined,
): AsyncGenerator<PersonOutcome<ReminderOutcome>[]> {
  const at = new Date(options.at).toISOString();
  const decide: Decide<ReminderOutcome> = (record, { letterLimit }) => {
    if (!record) return { outcome: "unknown" };
    if (record.state !== "unconfirmed") return { outcome: "confirmed" };
    if (record.undeliverableAt || record.complainedAt) return { outcome: "undeliverable" };
    if (once && (record.confirmations?.count ?? 0) > 1) return { outcome: "asked" };
    const step = askToConfirm(record, at, letterLimit);
    return step.letter ? { outcome: "reminded", change: step } : { outcome: "asked" };
  };
  if (emails) return yield* changePeople(options, emails, decide);
  for await (const people of readPeople(options.kv, { list: "unconfirmed" })) {
    yield* changePeople(options, people.map(({ email }) => email), decide);
  }
}

/** Marks people as undeliverable; who is marked already keeps the time of that mark. */
export function markUndeliverable(
  options: ChangeOptions,
  emails: string[],
): AsyncGenerator<PersonOutcome<"marked" | "unknown">[]> {
  const at = new Date(options.at).toISOString();
  return changePeople(options, emails, (record) => {
    if (!record) return { outcome: "unknown" };
    const marked = noteUndeliverable(record, at);
    return { outcome: "marked", ...marked !== record && { change: { record: marked } } };
  });
}

/** Who is in a state, and signed up first before a date-time. */
export type ErasureSelection = Pick<StateErasure, "state" | "before">;

/** Erases who is in a state and signed up first before a date-time, with marks; yields the number after each commit. */
export async function* erasePeople(options: ChangeOptions, { state, before }: ErasureSelection) {
  for await (const old of pages(options.kv, oldPeopleSelector(state, before))) {
    const leaving = changePeople(options, addressesOf(old), (record) => {
      const outcome = record?.state === state && record.createdAt < before;
      return { outcome, ...outcome && { change: { leaves: "operator", at: options.at } } };
    });
    for await (const outcomes of leaving) {
      yield outcomes.filter(({ outcome }) => outcome === true).length;
    }
  }
}

/** Counts whom {@linkcode erasePeople} would erase; yields how many since the last step. */
export async function* countPeople(
  kv: Kv,
  { state, before }: ErasureSelection,
): AsyncGenerator<number> {
  for await (const old of pages(kv, oldPeopleSelector(state, before))) yield old.length;
}
