/** Changes many people: asks again to confirm, marks as undeliverable, erases by state and age. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import {
  askToConfirm,
  type Leave,
  noteUndeliverable,
  type SignUpRecord,
  type State,
  type Step,
} from "../../waitlist/mod.ts";
import { checksFor, type OpenKv } from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import { readPeople } from "./records.ts";
import {
  type AddressChange,
  type AddressHistory,
  changeRecords,
  PEOPLE_IN_COMMIT,
} from "./commit.ts";

export interface PeopleChangeOptions extends OpenKv {
  outbox: OutboxOptions;
  /** Milliseconds since 1970. */
  at: number;
  /** Each commit writes the entry as it stands then, so that the caller can add its counts between steps. */
  audit?: AuditEntry | undefined;
}

interface Decision<Outcome> {
  outcome: Outcome;
  change?: Step | Leave;
}

export interface PersonOutcome<Outcome> {
  email: string;
  outcome: Outcome | "unreadable";
}

async function* changePeople<Outcome>(
  { kv, engine, outbox, audit }: PeopleChangeOptions,
  emails: Iterable<string>,
  decide: (record: SignUpRecord | undefined, known: AddressHistory) => Decision<Outcome>,
): AsyncGenerator<PersonOutcome<Outcome>[]> {
  const size = Math.min(checksFor(engine), PEOPLE_IN_COMMIT);
  const rest = [...new Set(emails)];
  while (rest.length > 0) {
    const batch = rest.splice(0, size);
    const outcomes = new Map<string, Outcome>();
    const changes = batch.map((email): AddressChange => ({
      email,
      decide(record, known) {
        const { outcome, change } = decide(record, known);
        outcomes.set(email, outcome);
        return change ?? "unchanged";
      },
    }));
    await changeRecords(kv, changes, { outbox, engine, audit });
    yield batch.map((email) => ({ email, outcome: outcomes.get(email) ?? "unreadable" }));
  }
}

export type ReminderOutcome =
  | "reminded"
  | "unknown"
  /** The person need not confirm any more. */
  | "confirmed"
  | "undeliverable"
  /** The mailbox got a letter within the last day, or three within 30 days. */
  | "asked";

/** Asks people again to confirm, within the brakes: those with the addresses, or all who have not confirmed. */
export async function* remindPeople(
  options: PeopleChangeOptions,
  emails: string[] | undefined,
): AsyncGenerator<PersonOutcome<ReminderOutcome>[]> {
  const at = new Date(options.at).toISOString();
  const decide = (
    record: SignUpRecord | undefined,
    { brake }: AddressHistory,
  ): Decision<ReminderOutcome> => {
    if (!record) return { outcome: "unknown" };
    if (record.state !== "unconfirmed") return { outcome: "confirmed" };
    if (record.undeliverableAt) return { outcome: "undeliverable" };
    const step = askToConfirm(record, at, brake);
    return step.letter ? { outcome: "reminded", change: step } : { outcome: "asked" };
  };
  if (emails) return yield* changePeople(options, emails, decide);
  for await (const people of readPeople(options.kv, { state: "unconfirmed" })) {
    yield* changePeople(options, people.map(({ email }) => email), decide);
  }
}

export type UndeliverableOutcome = "marked" | "unknown";

/** Marks people as undeliverable; who is marked already keeps the time of that mark. */
export function markUndeliverable(
  options: PeopleChangeOptions,
  emails: string[],
): AsyncGenerator<PersonOutcome<UndeliverableOutcome>[]> {
  const at = new Date(options.at).toISOString();
  return changePeople(options, emails, (record): Decision<UndeliverableOutcome> => {
    if (!record) return { outcome: "unknown" };
    const marked = noteUndeliverable(record, at);
    return { outcome: "marked", ...marked !== record && { change: { record: marked } } };
  });
}

/** Who is in a state, and signed up first before a date-time. */
export interface ErasureSelection {
  state: State;
  before: string;
}

/**
 * Erases everybody in a state who signed up first before a date-time, and leaves erasure marks; yields how many after
 * each commit.
 */
export async function* erasePeople(
  options: PeopleChangeOptions,
  { state, before }: ErasureSelection,
): AsyncGenerator<number> {
  for await (const people of readPeople(options.kv, { state })) {
    const old = people.filter(({ createdAt }) => createdAt < before);
    const emails = old.map(({ email }) => email);
    const leaving = changePeople(options, emails, (record) => {
      const leaves = record?.state === state && record.createdAt < before;
      return leaves
        ? { outcome: true, change: { leaves: "operator", at: options.at } }
        : { outcome: false };
    });
    for await (const outcomes of leaving) {
      yield outcomes.filter(({ outcome }) => outcome === true).length;
    }
    // The list is in the order of first sign-ups, so everybody after is newer.
    if (old.length < people.length) return;
  }
}

/** Counts whom {@linkcode erasePeople} would erase; yields how many since the last step. */
export async function* countPeople(
  options: Pick<PeopleChangeOptions, "kv">,
  { state, before }: ErasureSelection,
): AsyncGenerator<number> {
  for await (const people of readPeople(options.kv, { state })) {
    const old = people.filter(({ createdAt }) => createdAt < before);
    yield old.length;
    if (old.length < people.length) return;
  }
}
