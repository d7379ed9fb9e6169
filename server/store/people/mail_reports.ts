/**
 * Stores what mail providers report about letters, each report once, and lifts bounces and complaints for an operator.
 * `letters/hooks/` reads the reports, and `waitlist/mail_reports.ts` decides what they change. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { digestSha256, type Runtime } from "../../runtime/mod.ts";
import {
  decideOnReport,
  type LetterReport,
  liftReports,
  type MailboxChange,
  type MailboxState,
  type SignUpRecord,
  utcDay,
} from "../../waitlist/mod.ts";
import { entryAbout } from "../audit/mod.ts";
import {
  type Commit,
  type Key,
  type Kv,
  type MaybeEntry,
  readWithSchema,
  reportKey,
  type SchemaSnapshot,
  signUpKey,
  waveCountKey,
  withinDeadline,
} from "../kv/mod.ts";
import { countReport, NO_OUTBOX } from "../outbox/mod.ts";
import { commitPeople, type PeopleCommit } from "./commit.ts";
import { hashAddress } from "./erasure_marks.ts";
import { createLetterLimitChanges, readMailboxes } from "./letter_limits.ts";
import { type LetterLogEntry, readLogEntries, setLoggedLetter } from "./letter_log.ts";

/** A report about a letter to a lower-cased address. */
export interface MailReport extends LetterReport {
  /** The ids of the report. The provider sends the same ids if it sends the report again. */
  ids: string[];
  email: string;
  /** The provider's reason, without addresses. */
  reason?: string;
  /** The provider's own id of the letter. */
  messageId?: string;
}

/**
 * The result of a report: it changed the person, it left the person unchanged, or it had come before. `unknown` means
 * that nobody has the address, and `unreadable` that the record or the letter limit cannot be read.
 */
export type ReportOutcome = "changed" | "unchanged" | "repeated" | "unknown" | "unreadable";

/** Decides what to change, and gives `undefined` if nothing changes. */
type Decide = (state: MailboxState) => MailboxChange | undefined;

interface ReportOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
}

/**
 * How many characters a provider's id of a letter must have at least. A shorter id is not looked for, because it
 * could be a part of a mail server's answer by chance.
 */
const MIN_ID_LENGTH = 8;

/** Gives the keys under which the ids of reports are stored. */
const idKeysOf = (ids: string[]): Key[] =>
  ids.map((id) => reportKey(digestSha256(id).toString("base64url")));

/** The entries under which the ids of a report are stored; `undefined` for an entry that cannot be read. */
type IdEntries = (MaybeEntry | undefined)[];

/** Describes the commit that stores the ids of a report and changes no person. */
const idsOnlyCommit = (
  { now, random }: Pick<ReportOptions, "now" | "random">,
  schema: SchemaSnapshot,
  idEntries: IdEntries,
): PeopleCommit => ({
  people: [],
  schema,
  outbox: { ...NO_OUTBOX, random },
  extend: (commit) => setIds(commit, idEntries, now()),
});

/** Adds the ids of a report to a commit. @param moment the present moment, in milliseconds since 1970 */
function setIds(commit: Commit, idEntries: IdEntries, moment: number): void {
  const storedAt = new Date(moment).toISOString();
  for (const entry of idEntries) if (entry) commit.check(entry).set(entry.key, storedAt);
}

/**
 * Finds the letter that a report is about: the letter with the provider's id, which is the `Message-ID` or a part of
 * the mail server's answer; otherwise the last letter that was taken before the report.
 */
async function findReportedLetter(
  kv: Kv,
  { id }: Pick<SignUpRecord, "id">,
  { messageId = "", at }: Pick<MailReport, "messageId" | "at">,
): Promise<LetterLogEntry | undefined> {
  const takenLetters = (await readLogEntries(kv, id)).filter(({ letter }) => letter.takenAt);
  const plainId = messageId.replace(/^<|>$/g, "");
  const hasReportedId = ({ letter }: LetterLogEntry) =>
    letter.messageId === `<${plainId}>` || letter.answer?.includes(plainId);
  const letterWithId = plainId.length >= MIN_ID_LENGTH
    ? takenLetters.find(hasReportedId)
    : undefined;
  // The log begins with the newest letter.
  return letterWithId ?? takenLetters.find(({ letter }) => letter.takenAt! <= at);
}

/**
 * Changes a person and the letter limit of the person's mailbox; the letter limit outlives the record. The commit also
 * stores the ids of the report, even if nothing else changes. Otherwise, somebody could send the signed report again
 * later, when it would change the person. If the record or the letter limit cannot be read, only the ids are stored.
 */
function changeMailbox(
  { kv, now, random }: ReportOptions,
  { email, ids, audit, report }: {
    email: string;
    ids: string[];
    audit: AuditEntry;
    /** The report that the log of letters gets. It is absent if an operator marks the address as deliverable again. */
    report?: Omit<MailReport, "ids">;
  },
  decide: Decide,
): Promise<ReportOutcome> {
  return commitPeople<ReportOutcome>(kv, async () => {
    const { schema, entries } = await readWithSchema<unknown>(kv, [
      signUpKey(email),
      ...idKeysOf(ids),
    ]);
    // The cast holds, because the first entry is the record, and the other entries are the ids.
    const [recordEntry, ...idEntries] = entries as [MaybeEntry<SignUpRecord>?, ...typeof entries];
    if (idEntries.some((idEntry) => idEntry?.value)) return { result: () => "repeated" };
    const idsOnly = idsOnlyCommit({ now, random }, schema, idEntries);
    const storeIdsOnly = (outcome: ReportOutcome) => ({
      ...ids.length > 0 && { peopleCommit: idsOnly },
      result: () => outcome,
    });
    if (!recordEntry) return storeIdsOnly("unreadable");
    const record = recordEntry.value ?? undefined;
    const mailboxes = await readMailboxes(kv, schema, [email]);
    if (mailboxes.get(email)?.isUnreadable) return storeIdsOnly("unreadable");
    const letterLimits = createLetterLimitChanges(mailboxes);
    const letterLimit = letterLimits.limitOf(email, record);
    const change = decide({ record, letterLimit });
    // A mailbox whose reports an operator has lifted is known, even if nobody on the list has the address any more.
    if (!change) return storeIdsOnly(record || letterLimit.liftedAt ? "unchanged" : "unknown");
    if (change.letterLimit) letterLimits.noteComplaintOrLifting(email, change.letterLimit);
    const reportedLetter = record && report && await findReportedLetter(kv, record, report);
    const peopleCommit: PeopleCommit = {
      ...idsOnly,
      people: change.record
        ? [{ email, entry: recordEntry, change: { record: change.record } }]
        : [],
      letterLimits,
      audit,
      extend(commit) {
        // `commitPeople()` adds a check of the record only for a person whose record is written.
        if (!change.record) commit.check(recordEntry);
        if (report) countReport(commit, report.kind, utcDay(now()));
        if (reportedLetter) logReport(commit, reportedLetter, { report, wave: record?.wave });
        setIds(commit, idEntries, now());
      },
    };
    return { peopleCommit, result: () => "changed" };
  });
}

/**
 * Adds a report to the log of letters, in a commit. The first report about an invitation raises the wave's count of
 * letters that came back, so that the count is that of the letters which the log lists.
 * @param options.wave the wave of the person
 */
function logReport(
  commit: Commit,
  entry: LetterLogEntry,
  { report: { kind, at, reason }, wave }: {
    report: Omit<MailReport, "ids">;
    wave: string | undefined;
  },
): void {
  const { letter } = entry;
  const report = { kind, at, ...reason !== undefined && { reason } };
  setLoggedLetter(commit, { ...entry, letter: { ...letter, report } });
  const isFirstOfInvitation = letter.letter === "invitation" && !letter.report;
  if (isFirstOfInvitation && wave !== undefined) commit.add(waveCountKey(wave, "cameBack"), 1);
}

/**
 * The functions with which the hooks of mail providers store reports. All calls of KV in one function share a deadline.
 */
export interface MailReports {
  /** Notes a bounce or a complaint. If its moment is in the future, the present moment counts. */
  noteMailReport: (report: MailReport, audit: AuditEntry) => Promise<ReportOutcome>;
  /**
   * Stores the token of a provider's call that had no readable report, so that nobody can send a report with this token
   * later.
   */
  keepReportId: (id: string) => Promise<void>;
}

/** Makes the functions for the hooks of mail providers. */
export const createMailReports = (
  { kv, runtime: { now, random } }: { kv: Kv; runtime: Pick<Runtime, "now" | "random"> },
): MailReports => ({
  noteMailReport(report, audit) {
    const at = new Date(Math.min(Date.parse(report.at), now())).toISOString();
    const decide: Decide = (state) => decideOnReport({ ...report, at }, state);
    return withinDeadline(kv, async (kv) => {
      const { email, ids } = report;
      const address = await hashAddress(kv, email, random);
      return await changeMailbox(
        { kv, now, random },
        { email, ids, audit: { ...audit, address }, report: { ...report, at } },
        decide,
      );
    });
  },
  keepReportId(id) {
    return withinDeadline(kv, (kv) =>
      commitPeople(kv, async () => {
        const { schema, entries } = await readWithSchema<unknown>(kv, idKeysOf([id]));
        const isKnown = entries.some((idEntry) => idEntry?.value);
        return {
          ...!isKnown && { peopleCommit: idsOnlyCommit({ now, random }, schema, entries) },
          result: () => {},
        };
      }));
  },
});

/** Lifts bounces and complaints, so that letters go to addresses again. Yields the outcome for each address. */
export async function* markDeliverable(
  { kv, now, random }: ReportOptions,
  emails: string[],
  audit: AuditEntry,
): AsyncGenerator<{ email: string; outcome: ReportOutcome }> {
  const at = new Date(now()).toISOString();
  const decide: Decide = (state) => liftReports(state, at);
  for (const email of new Set(emails)) {
    const auditEntry = entryAbout(await hashAddress(kv, email, random), audit);
    const outcome = await changeMailbox(
      { kv, now, random },
      { email, ids: [], audit: auditEntry },
      decide,
    );
    yield { email, outcome };
  }
}
