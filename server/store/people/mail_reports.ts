/** Writes what mail providers report of letters, each report once, and lifts it again for an operator. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { digestSha256, type Runtime } from "../../runtime/mod.ts";
import { type LetterLimit, liftReports, noteReport, type Report } from "../../waitlist/mod.ts";
import { type SignUpRecord } from "../../waitlist/mod.ts";
import type { Kv, MaybeEntry, StoreSchema } from "../kv/mod.ts";
import { readWithSchema, reportKey, signUpKey, withinDeadline } from "../kv/mod.ts";
import { NO_OUTBOX } from "../outbox/mod.ts";
import { createLetterLimitChanges, readMailboxes } from "./letter_limits.ts";
import { commitPeople, type PeopleCommit } from "./commit.ts";
import { hashAddress } from "./erasure_marks.ts";

/** A report about a letter to a lower-cased address. */
export interface MailReport extends Report {
  /** What the provider tells the report by, wherever it repeats it. */
  ids: string[];
  email: string;
}

export type ReportOutcome = "changed" | "unchanged" | "repeated" | "unknown" | "unreadable";

type Decide = (
  record: SignUpRecord | undefined,
  letterLimit: LetterLimit,
) => ReturnType<typeof noteReport>;

interface ReportOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
}

/** The entries of reports' ids, as a commit keeps them. */
const keysOf = (ids: string[]) =>
  ids.map((id) => reportKey(digestSha256(id).toString("base64url")));

/** What a commit does that keeps ids, and nothing else. */
function keepIds(
  { now, random }: ReportOptions,
  schema: StoreSchema,
  entries: MaybeEntry[],
): PeopleCommit {
  const at = new Date(now()).toISOString();
  return {
    people: [],
    schema,
    outbox: { ...NO_OUTBOX, random },
    also(commit) {
      for (const each of entries) commit.check(each).set(each.key, at);
    },
  };
}

/**
 * Changes a person, and the letter limit of the mailbox, which outlives the record. The ids are kept in the same commit,
 * also where nothing changes, because a signed report could be sent again once the person has changed.
 */
function changeMailbox(
  options: ReportOptions,
  { email, ids, audit }: { email: string; ids: string[]; audit: AuditEntry },
  decide: Decide,
): Promise<ReportOutcome> {
  const { kv } = options;
  return commitPeople<ReportOutcome>(kv, async () => {
    const { schema, entries } = await readWithSchema<unknown>(kv, [
      signUpKey(email),
      ...keysOf(ids),
    ]);
    const [entry, ...known] = entries as [MaybeEntry<SignUpRecord>?, ...MaybeEntry[]];
    if (known.some((each) => each?.value)) return { result: () => "repeated" };
    const kept = keepIds(options, schema, known);
    const unchanged = (outcome: ReportOutcome) => ({
      ...ids.length > 0 && { change: kept },
      result: () => outcome,
    });
    if (!entry) return unchanged("unreadable");
    const record = entry.value ?? undefined;
    const mailboxes = await readMailboxes(kv, schema, [email]);
    if (mailboxes.get(email)?.isUnreadable) return { result: () => "unreadable" };
    const letterLimits = createLetterLimitChanges(mailboxes);
    const letterLimit = letterLimits.of(email, record);
    const change = decide(record, letterLimit);
    if (!change) return unchanged(record || letterLimit.liftedAt ? "unchanged" : "unknown");
    if (change.letterLimit) letterLimits.keep(email, change.letterLimit);
    const written: PeopleCommit = {
      ...kept,
      people: change.record ? [{ email, entry, change: { record: change.record } }] : [],
      letterLimits,
      audit,
      also(commit, ...others) {
        if (!change.record) commit.check(entry);
        kept.also?.(commit, ...others);
      },
    };
    return { change: written, result: () => "changed" };
  });
}

export const createMailReports = (
  { kv: storeKv, runtime: { now, random } }: {
    kv: Kv;
    runtime: Pick<Runtime, "now" | "random">;
  },
) => ({
  /** Notes a bounce or a complaint; a report whose moment is to come counts as one of now. */
  noteMailReport(report: MailReport, entry: AuditEntry): Promise<ReportOutcome> {
    const at = new Date(Math.min(Date.parse(report.at), now())).toISOString();
    const decide: Decide = (record, letterLimit) =>
      noteReport(record, { ...report, at }, letterLimit);
    return withinDeadline(storeKv, async (kv) => {
      const audit = { ...entry, address: await hashAddress(kv, report.email, random) };
      return await changeMailbox({ kv, now, random }, { ...report, audit }, decide);
    });
  },
  /** Keeps the id of a call that has no report about an address, so that the same id brings no other report. */
  keepReportId(id: string): Promise<void> {
    return withinDeadline(storeKv, (kv) =>
      commitPeople(kv, async () => {
        const { schema, entries } = await readWithSchema<unknown>(kv, keysOf([id]));
        const isKnown = entries.some((each) => each?.value);
        return {
          ...!isKnown && { change: keepIds({ kv, now, random }, schema, entries as MaybeEntry[]) },
          result: () => {},
        };
      }));
  },
});

/** Lets letters go to addresses again; yields each with what became of it. */
export async function* markDeliverable(
  options: ReportOptions,
  emails: string[],
  audit: AuditEntry,
) {
  const at = new Date(options.now()).toISOString();
  const decide: Decide = (record, letterLimit) => liftReports(record, at, letterLimit);
  for (const email of new Set(emails)) {
    yield { email, outcome: await changeMailbox(options, { email, ids: [], audit }, decide) };
  }
}
