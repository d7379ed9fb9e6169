/**
 * The entries of waves: begins, changes, reads and lists waves, and stores the waves of a backup. `invite.ts` decides
 * who is invited. @module
 */
import { base64url } from "jose";
import { type LineOf, storedWaveSchema } from "../../../shared/backup_lines.ts";
import type {
  AuditEntry,
  NotInvited,
  WaveReport,
  WaveRequest,
} from "../../../shared/operator_schemas.ts";
import type { Runtime } from "../../runtime/mod.ts";
import {
  asksForWave,
  invitationUrl,
  isBeginning,
  isWaveOver,
  type SignUpRecord,
  stateOfWave,
  type Wave,
  WAVE_CHANGES,
  waveParameters,
} from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  addEntry,
  addressesOf,
  changeEntry,
  type Commit,
  type EntryBatch,
  findValue,
  type Key,
  type Kv,
  nameOf,
  openWaveKey,
  pages,
  personOf,
  readEntries,
  readMany,
  readOne,
  waveCountKey,
  waveKey,
  waveMembersSelector,
  WAVES,
} from "../kv/mod.ts";
import { type OutboxOptions, readFirstDue } from "../outbox/mod.ts";
import { type AddressedRecord, findRecords } from "../people/mod.ts";
import { addInvitees, findInvitees } from "./invitees.ts";

/**
 * The names of the counters that a wave has beside its entry, so that letters and acceptances do not conflict with
 * the commits that write the entry.
 */
const WAVE_COUNTS = ["taken", "refused", "accepted", "dropped"] as const;

/** A wave with its id and its counters. */
export interface StoredWave {
  id: string;
  wave: Wave;
  /**
   * The counters by their names. `dropped` is the number of letters that are not sent any more although no mail server
   * has taken or refused them, such as those to erased people; letters that version 1.2 dropped are not counted.
   */
  counts: Record<typeof WAVE_COUNTS[number], number>;
}

/** Finds a wave by its id. */
export async function findWave(kv: Kv, id: string): Promise<StoredWave | undefined> {
  const wave = await findValue<Wave>(kv, waveKey(id));
  return wave && (await withCounts(kv, [[id, wave]]))[0];
}

/** Reads all waves, a batch at a time, in the order of their ids. */
export async function* readWaves(kv: Kv): AsyncGenerator<EntryBatch<StoredWave>> {
  for await (
    const batch of readEntries<Wave>(kv, { ...WAVES, form: { schema: storedWaveSchema } })
  ) {
    const { entries, unreadable } = batch;
    const stored = await withCounts(kv, entries.map(({ key, value }) => [nameOf(key), value]));
    yield { entries: entries.map((entry, at) => ({ ...entry, value: stored[at]! })), unreadable };
  }
}

async function withCounts(kv: Kv, waves: [id: string, wave: Wave][]): Promise<StoredWave[]> {
  const keys = waves.flatMap(([id]) => WAVE_COUNTS.map((name) => waveCountKey(id, name)));
  const values = (await readMany<number>(kv, keys)).map((entry) => entry?.value ?? 0);
  return waves.map(([id, wave], index) => {
    const own = values.slice(WAVE_COUNTS.length * index);
    const [taken = 0, refused = 0, accepted = 0, counted = 0] = own;
    // The counter is below zero if a letter is sent again that was dropped before such letters were counted.
    const dropped = Math.max(0, counted);
    return { id, wave, counts: { taken, refused, accepted, dropped } };
  });
}

/** How many waves a page of the list has at most. */
const PAGE = 100;

/** A page of the list of waves. */
export interface WaveReports {
  waves: WaveReport[];
  /** The value of `before` for the next page; absent on the last page. */
  next?: string;
}

const positionOf = ({ id, wave }: StoredWave) => `${wave.startedAt} ${id}`;

/** Lists waves, the newest first. @param before the `next` of the page before */
export async function listWaves(kv: Kv, before = "~"): Promise<WaveReports> {
  let newest: StoredWave[] = [];
  for await (const { entries } of readWaves(kv)) {
    const older = entries.map(({ value }) => value).filter((wave) => positionOf(wave) < before);
    newest = [...newest, ...older]
      .sort((a, b) => positionOf(a) < positionOf(b) ? 1 : -1)
      .slice(0, PAGE + 1);
  }
  const goesOn = newest.length > PAGE;
  const waves = newest.slice(0, PAGE);
  const reports = await toWaveReports(kv, waves);
  return { waves: reports, ...goesOn && { next: positionOf(waves.at(-1)!) } };
}

/** Gives waves as operators see them, with the number of their letters that wait. */
export async function toWaveReports(kv: Kv, stored: StoredWave[]): Promise<WaveReport[]> {
  const mayWait = stored.some((each) => mayLettersWait(each));
  // An empty queue means that no letter waits, even if some dropped letters were not counted.
  const isEmpty = !mayWait || await readFirstDue(kv, ["invitations"]) === Infinity;
  return stored.map((each) => {
    const report = toWaveReport(each);
    const { state } = report;
    // The letters of a paused wave are not in the queue; they go there when the wave is resumed.
    const waits = mayLettersWait(each) && state !== "cancelled" && (state === "paused" || !isEmpty);
    return { ...report, ...waits && { lettersWaiting: countWaiting(each) } };
  });
}

function toWaveReport(
  { id, wave, counts: { dropped: _dropped, ...counts } }: StoredWave,
): WaveReport {
  const { parameters, audit, salt: _, done: _done, owes: _owes, ...shown } = wave;
  const { emails: _emails, letters = true, ...asked } = parameters;
  const by = audit?.operator !== undefined && { operator: audit.operator };
  return { wave: id, ...asked, letters, ...shown, ...by, state: stateOfWave(wave), ...counts };
}

/** The reason why a wave was not started. */
export type WaveConflict =
  | { conflict: "other_parameters"; wave: Wave }
  | { conflict: "no_letters" };

/**
 * Gives the reason why a request cannot start a wave, or continue a wave that has the same id; `undefined` if there is
 * no such reason.
 */
export function waveConflict(
  request: WaveRequest,
  known: Wave | undefined,
  { letters }: Pick<OutboxOptions, "letters">,
): WaveConflict | undefined {
  if (request.letters && !letters) return { conflict: "no_letters" };
  if (known && !asksForWave(request, known)) return { conflict: "other_parameters", wave: known };
  return undefined;
}

/** A wave that has begun. */
export interface BegunWave {
  /** The people whom the wave cannot invite by name; absent in a wave by filter. */
  notInvited?: NotInvited[];
}

interface WaveOptions extends Pick<Runtime, "now" | "random"> {
  kv: Kv;
  outbox: Pick<OutboxOptions, "letters">;
}

const SALT_BYTES = 16;

/**
 * Begins a wave, unless there is a wave with its id. A wave by name runs only after its invitees are stored, because
 * a process that works on the wave earlier would miss some of them.
 */
export async function beginWave(
  id: string,
  request: WaveRequest,
  audit: AuditEntry | undefined,
  { kv, outbox, now, random }: WaveOptions,
): Promise<BegunWave | WaveConflict> {
  const { emails } = request;
  const invitees = emails && await findInvitees(kv, emails, id);
  const begun: BegunWave = invitees ? { notInvited: invitees.notInvited } : {};
  const key = waveKey(id);
  const known = await findValue<Wave>(kv, key);
  const conflict = waveConflict(request, known, outbox);
  if (conflict || known && !isBeginning(known)) return conflict ?? begun;
  const beginning = await newWave(id, request, audit, { kv, now, random });
  const run = (commit: Commit) => {
    setAuditEntry(commit.set(openWaveKey(id), { by: "", until: 0 }), audit);
  };
  // Writes the entry before the invitees, so that another request with this id and other parameters finds the entry
  // and stores no invitees.
  type End = BegunWave | WaveConflict | undefined;
  const end = await changeEntry<Wave, End>(kv, key, (wave) => {
    if (!wave && invitees) return { to: beginning, result: undefined };
    if (!wave) return { to: { ...beginning, state: "running" }, result: begun };
    const conflict = waveConflict(request, wave, outbox);
    return { result: conflict ?? (isBeginning(wave) ? undefined : begun) };
  }, (commit) => invitees || run(commit));
  if (end || !invitees) return end ?? begun;
  const people = invitees.people.map(({ email }) => ({ email, wave: id }));
  await addInvitees(kv, people, async (commit) => {
    // Reads the entry again, because another request for the same wave may have stored all invitees meanwhile, or an
    // operator may have cancelled the wave.
    const entry = await readOne<Wave>(kv, key);
    commit.check(entry);
    return entry.value !== null && isBeginning(entry.value);
  });
  return await changeEntry<Wave, BegunWave>(kv, key, (wave) => {
    const isFirst = wave && isBeginning(wave);
    return isFirst ? { to: { ...wave, state: "running" }, result: begun } : { result: begun };
  }, run);
}

/** Makes the entry of a wave that begins. The entry has no state yet. */
export async function newWave(
  id: string,
  request: WaveRequest,
  audit: AuditEntry | undefined,
  { kv, now, random }: Omit<WaveOptions, "outbox">,
): Promise<Wave> {
  const { emails } = request;
  const salt = base64url.encode(random(SALT_BYTES));
  return {
    parameters: waveParameters(request, salt),
    salt,
    ...emails && { named: new Set(emails).size },
    // Counts the members of the wave, because a restored backup or an import may have brought records of a wave with
    // this id.
    invited: await countMembers(kv, id),
    startedAt: new Date(now()).toISOString(),
    ...audit && { audit },
  };
}

async function countMembers(kv: Kv, id: string): Promise<number> {
  let count = 0;
  for await (const members of pages(kv, waveMembersSelector(id))) count += members.length;
  return count;
}

/** A change of a wave by an operator: `pause`, `resume` or `cancel`. */
export type WaveChangeName = keyof typeof WAVE_CHANGES;

/** The reason why a wave does not allow a change: its state. */
export interface WaveRefusal {
  refusedAs: WaveReport["state"];
  /** When the wave's invitations ended, a date-time. Present only if the change is refused because they have ended. */
  ended?: string | undefined;
}

/** Pauses, resumes or cancels a wave. A wave that is already in the wanted state stays as it is. */
export function changeWave(
  id: string,
  change: WaveChangeName,
  audit: AuditEntry,
  { kv, outbox, now }: Omit<WaveOptions, "random">,
): Promise<"changed" | "unknown" | WaveRefusal> {
  const { from, to: state } = WAVE_CHANGES[change];
  return changeEntry<Wave, "changed" | "unknown" | WaveRefusal>(kv, waveKey(id), async (wave) => {
    if (!wave) return { result: "unknown" };
    const before = stateOfWave(wave);
    if (before === state) return { result: "changed" };
    const isUnable = change === "resume"
      ? isBeginning(wave)
      : before === "done" && !mayLettersWait((await findWave(kv, id))!);
    if (isUnable || !from.some((each) => each === before)) return { result: { refusedAs: before } };
    const { owes: _, lettersAgain: _again, ...others } = wave;
    const { letters = true, expires: ended } = others.parameters;
    if (change === "resume" && isWaveOver(wave, new Date(now()).toISOString())) {
      return { result: { refusedAs: before, ended } };
    }
    const owes = change === "resume" && letters && outbox.letters;
    const to: Wave = { ...others, state, ...owes && { owes, lettersAgain: 0 } };
    return { to, result: "changed" };
  }, (commit) => {
    if (change === "resume") commit.set(openWaveKey(id), { by: "", until: 0 });
    else commit.delete(openWaveKey(id));
    setAuditEntry(commit, audit);
  });
}

/** Counts the letters of a wave that may still be in the outbox, or go there when the wave is resumed. */
const countWaiting = ({ wave: { invited }, counts }: StoredWave): number =>
  invited - counts.taken - counts.refused - counts.dropped;

/** Whether some letters of a wave may still be in the outbox, judged by the counts. */
const mayLettersWait = (stored: StoredWave): boolean =>
  stored.wave.parameters.letters !== false && countWaiting(stored) > 0;

/**
 * Stores a wave of a backup. Pauses it if it runs or if its letters may wait, because a backup holds no letters.
 * @returns whether the wave is new in this store
 */
export function addWave(
  kv: Kv,
  { id, wave, counts: { dropped = 0, ...others } }: Omit<LineOf<"wave">, "kind">,
  audit?: AuditEntry,
): Promise<boolean> {
  const counts = { ...others, dropped };
  const state = stateOfWave(wave);
  const pauses = state === "running" || state === "done" && mayLettersWait({ id, wave, counts });
  const to: Wave = { ...wave, state: pauses ? "paused" : state };
  return addEntry(kv, waveKey(id), to, (commit) => {
    setAuditEntry(commit, audit);
    for (const name of WAVE_COUNTS) {
      if (counts[name] > 0) commit.add(waveCountKey(id, name), counts[name]);
    }
  });
}

/**
 * Gives the link of a person's invitation; `undefined` if the person has no invitation, or if the store does not have
 * the wave of the invitation.
 */
export async function findInvitationUrl(
  kv: Kv,
  { wave, invitationCode }: SignUpRecord,
): Promise<string | undefined> {
  if (!wave || !invitationCode) return undefined;
  const known = await findValue<Wave>(kv, waveKey(wave));
  return known && invitationUrl(known.parameters.link, invitationCode);
}

/** Selects the people of a wave who are listed. */
export interface WavePage {
  limit: number;
  /**
   * Leaves out all people who signed up before `createdAt`, and the first `skip` of the people who signed up at
   * `createdAt`.
   */
  after?: { createdAt: string; skip: number } | undefined;
}

/** A page of the people of a wave. */
export interface WaveMembers {
  people: AddressedRecord[];
  /** The `after` of the next page; absent on the last page. It holds no address. */
  next?: NonNullable<WavePage["after"]>;
}

/** How many people are read for the median of a wave at most. */
const MAX_IN_MEDIAN = 2_000;

/**
 * Gives the median of the time from the invitation to the acceptance, in whole seconds, among the first people of a wave;
 * `undefined` if none of them has accepted.
 */
export async function readMedianOfWave(kv: Kv, id: string): Promise<number | undefined> {
  const times: number[] = [];
  let read = 0;
  for await (const members of pages(kv, waveMembersSelector(id), { limit: MAX_IN_MEDIAN })) {
    for (const { record } of await findRecords(kv, addressesOf(members))) {
      const { wave, invitedAt, acceptedAt } = record;
      if (wave !== id || !invitedAt || !acceptedAt) continue;
      times.push(Date.parse(acceptedAt) - Date.parse(invitedAt));
    }
    read += members.length;
    if (read >= MAX_IN_MEDIAN) break;
  }
  const median = times.toSorted((a, b) => a - b)[(times.length - 1) >> 1];
  return median === undefined ? undefined : Math.max(0, Math.round(median / 1000));
}

/** Lists the people of a wave in the order of their first sign-up. */
export async function listWavePeople(
  kv: Kv,
  id: string,
  { limit, after }: WavePage,
): Promise<WaveMembers> {
  const { createdAt: moment = "", skip = 0 } = after ?? {};
  const list = waveMembersSelector(id);
  const members: { key: Key }[] = [];
  let passed = 0;
  for await (const entries of pages(kv, { ...list, start: [...list.prefix, moment] })) {
    members.push(
      ...entries.filter(({ key }) => personOf(key).createdAt !== moment || ++passed > skip),
    );
    if (members.length > limit) break;
  }
  const page = members.slice(0, limit);
  const records = await findRecords(kv, addressesOf(page));
  // Leaves out people who have left the wave since the list was read: they were erased, and have signed up again.
  const people = records.filter(({ record }) => record.wave === id);
  const last = page.at(-1);
  const createdAt = last ? personOf(last.key).createdAt : moment;
  const read = page.filter(({ key }) => personOf(key).createdAt === createdAt).length;
  const next = { createdAt, skip: createdAt === moment ? skip + read : read };
  return { people, ...members.length > limit && { next } };
}
