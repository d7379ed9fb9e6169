/**
 * Changes many people, some in each commit: by any decision about each person, by asking people again to confirm, by
 * marking people as undeliverable, or by erasing people by state and age. @module
 */
import type { AuditEntry, NotReminded, StateErasure } from "../../../shared/operator_schemas.ts";
import {
  askToConfirm,
  type Leave,
  noteUndeliverable,
  type SignUpRecord,
  type Step,
} from "../../waitlist/mod.ts";
import { addressesOf, type Kv, oldPeopleSelector, pages } from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { changeRecords, type DecisionContext, type PersonDecision } from "./change_records.ts";
import { maxPeopleInCommit } from "./commit_size.ts";
import { readPeople } from "./people_lists.ts";

/** What a change of many people needs. */
export interface ChangeOptions {
  kv: Kv;
  outbox: OutboxOptions;
  /** The present moment, in milliseconds since 1970. */
  now: number;
  /**
   * The audit entry. Each commit writes the entry again, with the changes that the caller has made to it meanwhile. So
   * the caller can add counts to the entry between two steps.
   */
  audit?: AuditEntry | undefined;
  /** The model of an audit entry about each changed person. The commit adds the hash of the address. */
  auditPerPerson?: AuditEntry | undefined;
}

/** Decides on the change of a person, and gives the outcome. The person stays unchanged if `change` is absent. */
type DecideOutcome<Outcome> = (
  record: SignUpRecord | undefined,
  context: DecisionContext,
) => { outcome: Outcome; change?: Step | Leave };

/** The outcome of a change for one person. */
export interface PersonOutcome<Outcome> {
  email: string;
  outcome: Outcome | "unreadable";
}

/** Changes people, some in each commit. Yields, after each commit, the outcomes for its people. */
export async function* changePeople<Outcome>(
  { kv, outbox, audit, auditPerPerson }: Omit<ChangeOptions, "now">,
  emails: Iterable<string>,
  decideOutcome: DecideOutcome<Outcome>,
): AsyncGenerator<PersonOutcome<Outcome>[]> {
  const maxPeople = maxPeopleInCommit(kv);
  const remainingEmails = [...new Set(emails)];
  while (remainingEmails.length > 0) {
    const batch = remainingEmails.splice(0, maxPeople);
    const outcomeByEmail = new Map<string, Outcome>();
    const decisions = batch.map((email): PersonDecision => ({
      email,
      decide(record, context) {
        const { outcome, change = "unchanged" } = decideOutcome(record, context);
        outcomeByEmail.set(email, outcome);
        return change;
      },
    }));
    await changeRecords(kv, decisions, { outbox, audit, auditPerPerson });
    yield batch.map((email) => ({ email, outcome: outcomeByEmail.get(email) ?? "unreadable" }));
  }
}

/**
 * Whether a person was reminded, or the reason why not. `confirmed` means that the person has confirmed already, and
 * `asked` that the person was asked too recently or too often to be asked again.
 */
export type ReminderOutcome = "reminded" | NotReminded["notReminded"]["reason"];

interface ReminderOptions extends ChangeOptions {
  /** Whether each person gets only one reminder: leaves out people who have been asked to confirm more than once. */
  remindsOnce?: boolean;
}

/**
 * Asks people again to confirm, within the letter limits: either the people with the given addresses, or all people who
 * have not confirmed.
 */
export async function* remindPeople(
  { remindsOnce = false, ...options }: ReminderOptions,
  emails: string[] | undefined,
): AsyncGenerator<PersonOutcome<ReminderOutcome>[]> {
  const at = new Date(options.now).toISOString();
  const decideOutcome: DecideOutcome<ReminderOutcome> = (record, { letterLimit }) => {
    if (!record) return { outcome: "unknown" };
    if (record.state !== "unconfirmed") return { outcome: "confirmed" };
    if (record.undeliverableAt || record.complainedAt) return { outcome: "undeliverable" };
    if (remindsOnce && (record.confirmations?.count ?? 0) > 1) return { outcome: "asked" };
    const step = askToConfirm(record, at, letterLimit);
    return step.letter ? { outcome: "reminded", change: step } : { outcome: "asked" };
  };
  if (emails) return yield* changePeople(options, emails, decideOutcome);
  for await (const people of readPeople(options.kv, { list: "unconfirmed" })) {
    yield* changePeople(options, people.map(({ email }) => email), decideOutcome);
  }
}

/** Marks people as undeliverable. If a person is already undeliverable, the stored moment stays unchanged. */
export function markUndeliverable(
  options: ChangeOptions,
  emails: string[],
): AsyncGenerator<PersonOutcome<"marked" | "unknown">[]> {
  const at = new Date(options.now).toISOString();
  return changePeople(options, emails, (record) => {
    if (!record) return { outcome: "unknown" };
    const markedRecord = noteUndeliverable(record, at);
    const isChanged = markedRecord !== record;
    return { outcome: "marked", ...isChanged && { change: { record: markedRecord } } };
  });
}

/** Selects the people in a state whose `createdAt` is before a date-time. */
export type ErasureSelection = Pick<StateErasure, "state" | "before">;

/** Erases the selected people and leaves erasure marks. Yields the number of erased people after each commit. */
export async function* erasePeople(
  options: ChangeOptions,
  { state, before }: ErasureSelection,
): AsyncGenerator<number> {
  const decideOutcome: DecideOutcome<"erased" | "unselected"> = (record) => {
    const isSelected = record?.state === state && record.createdAt < before;
    if (!isSelected) return { outcome: "unselected" };
    return { outcome: "erased", change: { leaves: "operator", at: options.now } };
  };
  for await (const people of pages(options.kv, oldPeopleSelector(state, before))) {
    for await (const outcomes of changePeople(options, addressesOf(people), decideOutcome)) {
      yield outcomes.filter(({ outcome }) => outcome === "erased").length;
    }
  }
}

/** Counts the people whom {@linkcode erasePeople} would erase. Yields the number of people on each page. */
export async function* countPeople(
  kv: Kv,
  { state, before }: ErasureSelection,
): AsyncGenerator<number> {
  for await (const people of pages(kv, oldPeopleSelector(state, before))) yield people.length;
}
