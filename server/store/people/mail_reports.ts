/** Writes what mail providers report of letters, each report once, and lifts it again for an operator. @module */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { digestSha256, type Runtime } from "../../runtime/mod.ts";
import { type Brake, liftReports, noteReport, type Report } from "../../waitlist/mod.ts";
import { type SignUpRecord } from "../../waitlist/mod.ts";
import { type MaybeEntry, type OpenKv, readWithSchema, reportKey, signUpKey } from "../kv/mod.ts";
import { NO_OUTBOX } from "../outbox/mod.ts";
import { createBrakeChanges, readMailboxes } from "./brakes.ts";
import { commitPeople, type PeopleCommit } from "./commit.ts";
import { hashAddress } from "./erasure_marks.ts";

/** A report about a letter to a lower-cased address. */
export interface MailReport extends Report {
  /** What the provider tells the report by, wherever it repeats it. */
  ids: string[];
  email: string;
}

type Outcome = "changed" | "unchanged" | "repeated" | "unknown" | "unreadable";

type Decide = (record: SignUpRecord | undefined, brake: Brake) => ReturnType<typeof noteReport>;

type ReportOptions = OpenKv & Pick<Runtime, "now" | "random">;

/** Changes a person, and the brake of the mailbox, which outlives the record; keeps the ids in the same commit. */
function changeMailbox(
  { kv, now, random }: ReportOptions,
  { email, ids, audit }: { email: string; ids: string[]; audit: AuditEntry },
  decide: Decide,
): Promise<Outcome> {
  const keys = ids.map((id) => reportKey(digestSha256(id).toString("base64url")));
  return commitPeople<Outcome>(kv, async () => {
    const { schema, entries } = await readWithSchema<unknown>(kv, [signUpKey(email), ...keys]);
    const [entry, ...known] = entries as [MaybeEntry<SignUpRecord>?, ...MaybeEntry[]];
    if (!entry) return { result: () => "unreadable" };
    if (known.some((each) => each?.value)) return { result: () => "repeated" };
    const record = entry.value ?? undefined;
    const brakes = createBrakeChanges(await readMailboxes(kv, schema, [email]));
    const brake = brakes.of(email, record);
    const change = decide(record, brake);
    if (!change) return { result: () => record || brake.liftedAt ? "unchanged" : "unknown" };
    if (change.brake) brakes.keep(email, change.brake);
    const written: PeopleCommit = {
      people: change.record ? [{ email, entry, change: { record: change.record } }] : [],
      schema,
      outbox: { ...NO_OUTBOX, random },
      brakes,
      audit,
      also(commit) {
        if (!change.record) commit.check(entry);
        const at = new Date(now()).toISOString();
        for (const each of known) commit.check(each).set(each.key, at);
      },
    };
    return { change: written, result: () => "changed" };
  });
}

/** Gives what notes a bounce or a complaint; one whose moment is to come counts as one of now. */
export const createMailReports = (options: ReportOptions) => ({
  async noteMailReport(report: MailReport, entry: AuditEntry): Promise<Outcome> {
    const { kv, now, random } = options;
    const at = new Date(Math.min(Date.parse(report.at), now())).toISOString();
    const audit = { ...entry, address: await hashAddress(kv, report.email, random) };
    const decide: Decide = (record, brake) => noteReport(record, { ...report, at }, brake);
    return await changeMailbox(options, { ...report, audit }, decide);
  },
});

/** Lets letters go to addresses again; yields each with what became of it. */
export async function* markDeliverable(
  options: ReportOptions,
  emails: string[],
  audit: AuditEntry,
) {
  const at = new Date(options.now()).toISOString();
  const decide: Decide = (record, brake) => liftReports(record, at, brake);
  for (const email of new Set(emails)) {
    yield { email, outcome: await changeMailbox(options, { email, ids: [], audit }, decide) };
  }
}
