/** Reads the entries of waves, and takes in those of a backup. @module */
import { keptWaveSchema, type LineOf } from "../../../shared/backup_lines.ts";
import type { AuditEntry, WaveReport } from "../../../shared/operator_schemas.ts";
import { stateOfWave, type Wave } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import { addEntry, type EntryBatch, findValue, type Kv, readEntries } from "../kv/mod.ts";
import { readMany, waveCountKey, waveKey, WAVES } from "../kv/mod.ts";

/** What is counted beside a wave's entry, as letters and acceptances come at the same time as its commits. */
export const WAVE_COUNTS = ["taken", "refused", "accepted"] as const;

/** All that is kept of a wave. */
export type KeptWave = Pick<LineOf<"wave">, "id" | "counts"> & { wave: Wave };

/** Reads all waves, some at a time, in the order of their ids. */
export async function* readWaves(kv: Kv): AsyncGenerator<EntryBatch<KeptWave>> {
  for await (const batch of readEntries<Wave>(kv, { ...WAVES, form: { schema: keptWaveSchema } })) {
    const { entries, unreadable } = batch;
    const kept = await withCounts(kv, entries.map(({ key, value }) => [String(key[1]), value]));
    yield { entries: entries.map((entry, at) => ({ ...entry, value: kept[at]! })), unreadable };
  }
}

/** Whether letters of a wave may wait; those of people who were erased are counted, too. */
export const mayLettersWait = ({ wave: { parameters, invited }, counts }: KeptWave): boolean =>
  parameters.letters !== false && counts.taken + counts.refused < invited;

/** Stores a wave of a backup, which has no letters that wait; an operator lets it go on. False where it is known. */
export function addWave(kv: Kv, { kind: _, ...kept }: LineOf<"wave">, audit?: AuditEntry) {
  const { id, wave, counts } = kept;
  const state = stateOfWave(wave);
  const pauses = state === "running" || state === "done" && mayLettersWait(kept);
  const to: Wave = { ...wave, state: pauses ? "paused" : state };
  return addEntry(kv, waveKey(id), to, (commit) => {
    setAuditEntry(commit, audit);
    for (const name of WAVE_COUNTS) {
      if (counts[name] > 0) commit.add(waveCountKey(id, name), counts[name]);
    }
  });
}

export async function findWave(kv: Kv, id: string): Promise<KeptWave | undefined> {
  const wave = await findValue<Wave>(kv, waveKey(id));
  return wave && (await withCounts(kv, [[id, wave]]))[0];
}

async function withCounts(kv: Kv, waves: [id: string, wave: Wave][]): Promise<KeptWave[]> {
  const keys = waves.flatMap(([id]) => WAVE_COUNTS.map((name) => waveCountKey(id, name)));
  const values = (await readMany<number>(kv, keys)).map((entry) => entry?.value ?? 0);
  return waves.map(([id, wave], index) => {
    const [taken = 0, refused = 0, accepted = 0] = values.slice(3 * index);
    return { id, wave, counts: { taken, refused, accepted } };
  });
}

const PAGE = 100;

const positionOf = ({ id, wave }: KeptWave) => `${wave.startedAt} ${id}`;

/** Lists waves, the newest first. @param before the `next` of the page before */
export async function listWaves(kv: Kv, before = "~") {
  let newest: KeptWave[] = [];
  for await (const { entries } of readWaves(kv)) {
    const older = entries.map(({ value }) => value).filter((wave) => positionOf(wave) < before);
    newest = [...newest, ...older]
      .sort((a, b) => positionOf(a) < positionOf(b) ? 1 : -1).slice(0, PAGE + 1);
  }
  const hasOthers = newest.length > PAGE;
  const waves = newest.slice(0, PAGE);
  return { waves: waves.map(toWaveReport), ...hasOthers && { next: positionOf(waves.at(-1)!) } };
}

export function toWaveReport({ id, wave, counts }: KeptWave): WaveReport {
  const { parameters, audit, salt: _, done: _done, owes: _owes, ...kept } = wave;
  const { emails: _emails, letters = true, ...asked } = parameters;
  const by = audit?.operator !== undefined && { operator: audit.operator };
  return { wave: id, ...asked, letters, ...kept, ...by, state: stateOfWave(wave), ...counts };
}
