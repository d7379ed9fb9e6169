/**
 * The commit of people: the one place that writes what happens to them, with their lists, counters, erasure marks,
 * letter limits, letters, events and the audit entry. Changes that come together share a commit. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Leave, LetterLimit, SignUpRecord, Step } from "../../waitlist/mod.ts";
import { CounterChanges } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import { checksFor, Commit, commitChange, counterKey, type Kv } from "../kv/mod.ts";
import { type MaybeEntry, readWithSchema, setSchema, signUpKey } from "../kv/mod.ts";
import { outboxKey, type StoreSchema, waveNamedKey } from "../kv/mod.ts";
import type { OutboxChanges, OutboxOptions } from "../outbox/mod.ts";
import { createOutboxChanges, findItems, findItemsOf } from "../outbox/mod.ts";
import {
  createLetterLimitChanges,
  type LetterLimitChanges,
  readMailboxes,
  splitByChecks,
} from "./letter_limits.ts";
import { clearMarks, findMarks, setMarks } from "./erasure_marks.ts";
import { writeRecord } from "./records.ts";

/** What happens to a person in a commit. */
export interface PersonChange {
  email: string;
  /** The commit checks it; absent where the record cannot be read. */
  entry: MaybeEntry<SignUpRecord> | undefined;
  change: Step | Leave;
  /** How many milliseconds a letter to an unconfirmed address waits; none if absent. */
  letterDelay?: (() => number) | undefined;
  invitationUrl?: string | undefined;
  formerEmail?: string;
  /** When a letter of an earlier change is put in again, in milliseconds since 1970. */
  now?: number;
  /** Whether the address is known to have no erasure mark. */
  isUnmarked?: boolean;
  /** Whether a known address takes the time of a new one: its entries of lists are written, even where they stay. */
  rewritesLists?: boolean;
}

/** What a commit writes. */
export interface PeopleCommit {
  people: PersonChange[];
  /** Is checked, so that no commit of this program goes through once another version changes the store. */
  schema: StoreSchema;
  outbox: OutboxOptions;
  /** What letters and leaving do to the letter limits of mailboxes. */
  letterLimits?: LetterLimitChanges;
  audit?: AuditEntry | undefined;
  /** Adds to the commit what else belongs to it; gets the marks of the erased, in their order. */
  also?: (commit: Commit, items: OutboxChanges, marks: string[]) => void;
}

/**
 * Changes people; see `commitChange()` for outcomes that KV does not tell.
 * @param prepare reads, and says what happens to whom, and the result; is called again where another commit came first
 */
export function commitPeople<Result>(
  kv: Kv,
  prepare: () => Promise<PreparedChange<Result>>,
  signal?: AbortSignal,
): Promise<Result> {
  return commitChange(kv, async () => {
    const { change, result, ifTooLarge } = await prepare();
    if (!change) return { result };
    const commit = await commitOf(kv, change);
    return ifTooLarge && !commit.fits ? { result: ifTooLarge } : { commit, result };
  }, signal);
}

interface PreparedChange<Result> {
  change?: PeopleCommit | undefined;
  result: (version: string) => Result;
  /** The result where an engine would not take the change in one commit; nothing is then written. */
  ifTooLarge?: (() => Result) | undefined;
}

/** Halves what is too large for a commit; addresses may be long. */
export function halve<T>(whole: T[]): [T[], T[]] {
  const middle = Math.ceil(whole.length / 2);
  return [whole.slice(0, middle), whole.slice(middle)];
}

async function commitOf(
  kv: Kv,
  { people, schema: read, outbox, letterLimits, audit, also }: PeopleCommit,
): Promise<Commit> {
  const schema = { ...read };
  const { recounts, removals = 0 } = schema.entry.value ?? {};
  const commit = new Commit().check(schema.entry);
  if (audit) setAuditEntry(commit, audit);
  const counters = new CounterChanges();
  const items = createOutboxChanges(commit, outbox);
  const erased = new Map<string, number>();
  let removed = 0;
  for (const { email, entry, change, isUnmarked, rewritesLists, ...letter } of people) {
    const before = entry?.value ?? undefined;
    if (entry) commit.check(entry);
    let after: SignUpRecord | undefined;
    if ("leaves" in change) {
      // What waits about who is corrected goes to the new address; see `correct.ts`.
      const isCorrected = change.leaves === "corrected";
      const readWaiting = async () =>
        before ? await findItems(kv, before.outbox) : await findItemsOf(kv, email);
      const waiting = isCorrected ? [] : await readWaiting();
      items.putLeave(email, change, { record: before, items: waiting });
      // An item that cannot be read has the address as well.
      const known = waiting.map(({ id }) => id);
      const lost = isCorrected ? [] : before?.outbox?.filter((id) => !known.includes(id)) ?? [];
      for (const id of lost) commit.delete(outboxKey(id));
      commit.delete(waveNamedKey(email));
      if (change.leaves !== "expired") erased.set(email, change.at);
      removed++;
    } else {
      after = items.putStep(email, change, letter);
      if (recounts) after = { ...after, recount: recounts };
      // Only an address without a record can have a mark. To remove one that is not there costs less than to look.
      const mayBeMarked = !before && !isUnmarked;
      if (mayBeMarked && schema.erasureKeys) clearMarks(commit, schema.erasureKeys, email);
    }
    writeRecord(commit, email, { before, after, rewritesLists });
    counters.replace(before, after);
  }
  letterLimits?.write(commit, schema, outbox.random);
  const marks = erased.size > 0 ? setMarks(commit, schema, erased, outbox.random) : [];
  // A recount learns of a removal only by this, and an import of an erasure by the new version.
  if (removed > 0) setSchema(commit, schema, { removals: removals + removed });
  else if (schema.erasureKeys !== read.erasureKeys) setSchema(commit, schema);
  also?.(commit, items, marks);
  for (const { counter, by } of counters) commit.add(counterKey(counter), by);
  items.finish();
  return commit;
}

/** Decides what happens to a person once the record is read. */
export interface PersonDecision
  extends Pick<PersonChange, "email" | "letterDelay" | "rewritesLists"> {
  /** Is called again where its decision was not committed. */
  decide: (
    record: SignUpRecord | undefined,
    /** When the person was erased, a date-time, is known only where there are events and no record. */
    known: { letterLimit: LetterLimit; erasedAt: string | undefined },
  ) => Step | Leave | "unchanged";
  /** Whether it also decides on a record that cannot be read, which it takes for absent. */
  takesUnreadable?: boolean;
}

interface DecisionOptions extends Pick<PeopleCommit, "outbox" | "audit" | "also"> {
  signal?: AbortSignal | undefined;
}

/** The most people in a commit of work on many of them; sign-ups wait for each: with twice as many, half as long again. */
export const PEOPLE_IN_COMMIT = 48;

type State = Awaited<ReturnType<typeof readState>>;

/**
 * Makes changes, at most as many as {@linkcode checksFor} gives; resolves once all are durable. New and known addresses
 * take the same path. Gives the addresses whose records cannot be read.
 * @param given the state that was read for them, where they are a part of other changes
 */
export async function changeRecords(
  kv: Kv,
  decisions: PersonDecision[],
  options: DecisionOptions,
  given?: State,
): Promise<ReadonlySet<string>> {
  const { outbox, signal } = options;
  let lastState: State | undefined;
  const prepare = async () => {
    const earlier = lastState?.read.map(({ entry }) => entry?.version);
    const state = lastState = earlier || !given ? await readState(kv, decisions, outbox) : given;
    const { unreadable, mailboxes } = state;
    // What another commit has changed since the last try gets commits of its own, so that an address that others write
    // to delays no other address.
    const parts = Map.groupBy(state.read, ({ entry }) => earlier?.includes(entry?.version))
      .values().toArray()
      .flatMap((part) => splitByChecks(part, mailboxes, checksFor(kv)));
    const splitInto = (parts: State["read"][]) => () => {
      return { unreadable, further: parts.map((read) => ({ ...state, read })) };
    };
    if (parts.length > 1) return { result: splitInto(parts) };
    return {
      change: decideAll(state, options),
      result: splitInto([]),
      ifTooLarge: state.read.length > 1 ? splitInto(halve(state.read)) : undefined,
    };
  };
  const { unreadable, further } = await commitPeople(kv, prepare, signal);
  if (further.length === 0) return unreadable;
  const all = further.map((state) => changeRecords(kv, state.read, options, state));
  return new Set((await Promise.all(all)).flatMap((each) => [...each]));
}

/** Decides on changes, one after the other, as addresses of one mailbox share its letter limit. */
function decideAll({ read, schema, mailboxes, marks }: State, options: DecisionOptions) {
  const letterLimits = createLetterLimitChanges(mailboxes);
  const people = read.flatMap(({ decide, ...each }): PersonChange | [] => {
    const { email, entry } = each;
    const before = entry?.value ?? undefined;
    const known = { letterLimit: letterLimits.of(email, before), erasedAt: marks?.get(email) };
    const change = decide(before, known);
    if (change === "unchanged" || "leaves" in change && entry && !before) return [];
    if ("leaves" in change) letterLimits.note(email, before, undefined);
    else if (change.letter) letterLimits.note(email, before, change.record);
    return { ...each, change };
  });
  return people.length > 0 ? { ...options, people, schema, letterLimits } : undefined;
}

async function readState(kv: Kv, decisions: PersonDecision[], outbox: OutboxOptions) {
  const keys = decisions.map(({ email }) => signUpKey(email));
  const { schema, entries } = await readWithSchema<SignUpRecord>(kv, keys);
  const all = decisions.map((decision, index) => ({ ...decision, entry: entries[index] }));
  const emailsWhere = (fits: (each: typeof all[number]) => unknown) =>
    all.flatMap((each) => fits(each) ? each.email : []);
  const newcomers = () => emailsWhere(({ entry }) => entry?.version === null);
  // Who is removed while there is no mail may have got letters before.
  const limited = emailsWhere(({ entry }) =>
    entry && (outbox.letters || entry.value?.letters || entry.value?.complainedAt)
  );
  const marks = outbox.events ? await findMarks(kv, schema, newcomers()) : undefined;
  const mailboxes = await readMailboxes(kv, schema, limited);
  const isReadable = ({ email, entry }: typeof all[number]) =>
    entry !== undefined && !mailboxes.get(email)?.isUnreadable;
  return {
    read: all.filter((each) => each.takesUnreadable || isReadable(each)),
    schema,
    marks,
    mailboxes,
    unreadable: new Set(emailsWhere((each) => !isReadable(each))) as ReadonlySet<string>,
  };
}
