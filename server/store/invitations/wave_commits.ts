/**
 * Commits changes of people together with the entry of their wave. Each commit checks and writes the entry of the wave.
 * A wave therefore never invites more people than it was begun for, however often a process is killed, and however many
 * processes work on the wave. `invite.ts` and `missing_letters.ts` decide on the changes. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import { type SignUpRecord, stateOfWave, type Wave } from "../../waitlist/mod.ts";
import {
  type Commit,
  type Kv,
  type LeaseState,
  type MaybeEntry,
  openWaveKey,
  readWithSchema,
  signUpKey,
  waveKey,
} from "../kv/mod.ts";
import type { OutboxChanges, OutboxOptions } from "../outbox/mod.ts";
import { commitPeople, halve, type PersonChange } from "../people/mod.ts";

/** What the work on waves needs. */
export interface InvitationOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
  outbox: OutboxOptions;
}

/** The claim of a process that works on a wave, so that other processes leave the wave alone. */
export type WaveClaim = NonNullable<LeaseState["lease"]>;

/**
 * The length of a claim, in milliseconds. A killed process keeps a wave from other processes for this time at most. The
 * time is longer than a commit takes.
 */
export const CLAIM_MS = 30_000;

/** The work of this process on a running wave. */
export interface WaveRun {
  /** The id of the wave. */
  id: string;
  processId: string;
  /** The version of the wave's entry that this work has read or written last. */
  version: string | null;
}

/** Some of the people whom the work on a wave may change. */
export interface Batch {
  emails: string[];
  /** Whether no further batch of people follows. */
  isLast: boolean;
}

/** A batch, and what was read for the decision about its people. */
export interface ReadBatch extends Batch {
  /** The id of the wave. */
  id: string;
  wave: Wave;
  /** The records of the addresses, in the order of the addresses; `undefined` for a record that cannot be read. */
  records: (MaybeEntry<SignUpRecord> | undefined)[];
  /** The present moment, in milliseconds since 1970. */
  now: number;
}

/** The changes that a commit writes. */
export interface BatchChange {
  people: PersonChange[];
  /** The wave after the commit; `null` removes the entry of the wave. */
  wave: Wave | null;
  /** Whether the wave needs further commits. */
  goesOn: boolean;
  audit?: AuditEntry | undefined;
  /** The model of an audit entry about each of the people (`PeopleCommit`). */
  auditPerPerson?: AuditEntry | undefined;
  /** Adds the other writes of the change to the commit. */
  addWrites: (commit: Commit, outboxChanges: OutboxChanges) => void;
}

/** Gives the changes of people and their wave, or `undefined` if there is nothing to write and the wave goes on. */
type DecideOnBatch = (batch: ReadBatch) => Promise<BatchChange | undefined>;

/** What becomes of a wave after a batch. `ended`: this work on the wave is over. `too large`: nothing was written. */
type BatchOutcome = "goes on" | "ended" | "too large";

/**
 * Changes people and their wave in one commit, or in several commits if the changes are too large for one commit. This
 * can happen if addresses are long, or if the people signed up at very different times.
 * @returns whether the wave needs further commits
 */
export async function commitBatch(
  options: InvitationOptions,
  run: WaveRun,
  { emails, isLast }: Batch,
  decide: DecideOnBatch,
): Promise<boolean> {
  const outcome = await tryBatch(options, run, { emails, isLast }, decide);
  if (outcome !== "too large") return outcome === "goes on";
  const [first, second] = halve(emails);
  return await commitBatch(options, run, { emails: first, isLast: false }, decide) &&
    await commitBatch(options, run, { emails: second, isLast }, decide);
}

/** Does what {@linkcode commitBatch} does, but writes nothing if the changes are too large for one commit. */
function tryBatch(
  { kv, outbox, now }: InvitationOptions,
  run: WaveRun,
  { emails, isLast }: Batch,
  decide: DecideOnBatch,
): Promise<BatchOutcome> {
  const { id, processId } = run;
  return commitPeople<BatchOutcome>(kv, async () => {
    const { schema, waveEntry, records } = await readWaveAndRecords(kv, id, emails);
    const wave = waveEntry.value;
    if (!wave || stateOfWave(wave) !== "running" || wasResumed(waveEntry, run)) {
      return { result: () => "ended" };
    }
    const batchChange = await decide({ id, wave, emails, isLast, records, now: now() });
    if (!batchChange) return { result: () => "goes on" };

    const { people, wave: waveAfter, goesOn, audit, auditPerPerson, addWrites } = batchChange;
    function extend(commit: Commit, { outboxChanges }: { outboxChanges: OutboxChanges }): void {
      commit.check(waveEntry);
      if (waveAfter) commit.set(waveEntry.key, waveAfter);
      else commit.delete(waveEntry.key);
      const claim: WaveClaim = { by: processId, until: now() + CLAIM_MS };
      if (goesOn) commit.set(openWaveKey(id), claim);
      else commit.delete(openWaveKey(id));
      addWrites(commit, outboxChanges);
    }
    return {
      peopleCommit: { people, schema, outbox, audit, auditPerPerson, extend },
      result(version) {
        run.version = version;
        return goesOn ? "goes on" : "ended";
      },
      // The changes of one person cannot be divided any further.
      ifTooLarge: emails.length > 1 ? () => "too large" : undefined,
    };
  });
}

/** Reads the entries of a wave and of some records. @throws {Error} if the entry of the wave cannot be read */
async function readWaveAndRecords(kv: Kv, id: string, emails: string[]) {
  const keys = [waveKey(id), ...emails.map(signUpKey)];
  const { schema, entries } = await readWithSchema<Wave | SignUpRecord>(kv, keys);
  // The cast holds, because the first key is the key of the wave, and all others are keys of records.
  type RecordEntry = MaybeEntry<SignUpRecord> | undefined;
  const [waveEntry, ...records] = entries as [MaybeEntry<Wave>?, ...RecordEntry[]];
  if (!waveEntry) throw new Error("KV cannot read the entry of the wave.");
  return { schema, waveEntry, records };
}

/**
 * Whether an operator has paused and resumed a wave during the work on the wave. Letters to people whom the work has
 * already passed may have left the outbox during the pause. So the work ends, and begins anew with the first person.
 */
function wasResumed({ value: wave, version }: MaybeEntry<Wave>, run: WaveRun): boolean {
  const mustPutLettersAgain = wave?.owes === true;
  return mustPutLettersAgain && version !== run.version;
}
