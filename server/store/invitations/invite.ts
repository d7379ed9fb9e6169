/**
 * Invites people in waves. Each commit of a wave checks and writes its entry, so however often it is asked for, and by
 * however many at once, it never invites more people than it was begun for. @module
 */
import { Buffer } from "node:buffer";
import type { AuditEntry, InvitationRequest } from "../../../shared/operator_schemas.ts";
import type { RandomBytes, Runtime } from "../../runtime/mod.ts";
import {
  invitationUrl,
  inviteSignUp,
  matchesFilter,
  type NotInvitedReason,
  reasonNotToInvite,
  type SignUpRecord,
  type Wave,
} from "../../waitlist/mod.ts";
import {
  changeEntry,
  checksFor,
  type Kv,
  type MaybeEntry,
  type OpenKv,
  readWithSchema,
  signUpKey,
  VALUE_FAULT,
  waveKey,
} from "../kv/mod.ts";
import type { OutboxOptions } from "../outbox/mod.ts";
import type { PeopleCommit, PersonChange } from "../people/mod.ts";
import { commitPeople, PEOPLE_IN_COMMIT, readPeople } from "../people/mod.ts";

export interface InvitationOptions extends OpenKv, Pick<Runtime, "now" | "random"> {
  outbox: OutboxOptions;
  /** Every commit writes it with the number of people so far. */
  audit?: AuditEntry | undefined;
}

const CODE_BYTES = 16;

/** How far a wave has come. */
export interface WaveStep {
  /** The people so far. */
  invited: number;
  notInvited: { email: string; reason: NotInvitedReason }[];
  /** Whom a dry run would invite. */
  wouldInvite: { email: string; record: SignUpRecord }[];
}

const stepAt = (invited: number): WaveStep => ({ invited, notInvited: [], wouldInvite: [] });

/** Invites the people of a wave that has begun; a dry run changes nothing. */
export async function* inviteWave(
  options: InvitationOptions,
  request: InvitationRequest,
  { invited, done }: Wave,
): AsyncGenerator<WaveStep> {
  yield stepAt(invited);
  if (done) return;
  const most = request.next ?? Infinity;
  // Each commit checks the wave, too.
  const size = Math.min(checksFor(options.kv, 1), PEOPLE_IN_COMMIT);
  for await (const batch of candidates(options.kv, request, size)) {
    const step = stepAt(invited);
    while (batch.length > 0 && invited < most) {
      const emails = batch.splice(0, most - invited);
      const result = await inviteBatch(options, request, { emails, invited });
      step.invited = invited = result.invited;
      step.notInvited.push(...result.notInvited);
      step.wouldInvite.push(...result.wouldInvite);
    }
    yield step;
    if (invited >= most) break;
  }
  // Who waits later is not invited by this wave. Who is named is, so that a mistake can be set right.
  if (!request.emails && !request.dryRun) await finishWave(options.kv, request.wave);
}

/** Notes that a wave invites nobody else. */
async function finishWave(kv: Kv, id: string): Promise<void> {
  await changeEntry<Wave, void>(kv, waveKey(id), (wave) => {
    return { to: wave && !wave.done ? { ...wave, done: true } : undefined, result: undefined };
  });
}

/**
 * Gives the addresses that a wave may invite, some at once; none where it has read much and found nobody, so that its
 * caller can tell that the work goes on.
 */
async function* candidates(
  kv: Kv,
  { emails, lang, source, role, building }: InvitationRequest,
  size: number,
): AsyncGenerator<string[]> {
  if (emails) {
    const rest = [...new Set(emails)];
    while (rest.length > 0) yield rest.splice(0, size);
    return;
  }
  const rest: string[] = [];
  for await (const people of readPeople(kv, { state: "waiting" })) {
    for (const person of people) {
      if (matchesFilter(person, { lang, source, role, building })) rest.push(person.email);
    }
    if (rest.length < size) yield [];
    while (rest.length >= size) yield rest.splice(0, size);
  }
  if (rest.length > 0) yield rest;
}

async function inviteBatch(
  { kv, outbox, now, random, audit }: InvitationOptions,
  request: InvitationRequest,
  { emails, invited }: { emails: string[]; invited: number },
): Promise<WaveStep> {
  const keys = [waveKey(request.wave), ...emails.map(signUpKey)];
  return await commitPeople(kv, async () => {
    const { schema, entries } = await readWithSchema<Wave | SignUpRecord>(kv, keys);
    const [wave, ...records] = entries as WaveEntries;
    if (!wave) throw new Error(`The entry of the wave: ${VALUE_FAULT}`);
    // A dry run has no entry of its own.
    const before = request.dryRun ? invited : wave.value?.invited ?? invited;
    const room = (request.next ?? Infinity) - before;
    const at = new Date(now()).toISOString();
    const step = stepAt(before);
    const people: PersonChange[] = [];
    for (const [index, email] of emails.entries()) {
      const entry = records[index];
      const record = entry?.value ?? undefined;
      const isMember = record?.state === "invited" || record?.state === "accepted";
      if (isMember && record.wave === request.wave) continue;
      const reason = entry ? reasonNotToInvite(record) : "unreadable";
      if (reason || !record) {
        step.notInvited.push({ email, reason: reason ?? "unknown" });
        continue;
      }
      // Another call has invited people for the same wave meanwhile.
      if (step.invited - before === room) break;
      step.invited++;
      if (request.dryRun) step.wouldInvite.push({ email, record });
      else people.push({ email, entry, ...invite(record, request, { at, random }) });
    }
    const details = { ...audit?.details, invited: step.invited };
    const change: PeopleCommit | undefined = people.length === 0 ? undefined : {
      people,
      schema,
      outbox,
      audit: audit && { ...audit, details },
      also: (commit) => commit.check(wave).set(wave.key, { ...wave.value, invited: step.invited }),
    };
    return { change, result: () => step };
  });
}

/** The entries of a wave and of records, each of which may be unreadable. */
type WaveEntries = [
  MaybeEntry<Wave>?,
  ...(MaybeEntry<SignUpRecord> | undefined)[],
];

function invite(
  record: SignUpRecord,
  { wave, link, letters, expires }: InvitationRequest,
  { at, random }: { at: string; random: RandomBytes },
): Pick<PersonChange, "change" | "invitationUrl"> {
  // Hexadecimal, so that no code begins with a '-', which a spreadsheet would take for a formula.
  const invitationCode = Buffer.from(random(CODE_BYTES)).toString("hex");
  const invitation = { invitationCode, wave, ...expires && { expiresAt: expires } };
  const { letter, ...step } = inviteSignUp(record, { at, ...invitation });
  return {
    change: letters && letter ? { ...step, letter } : step,
    invitationUrl: invitationUrl(link, invitationCode),
  };
}
