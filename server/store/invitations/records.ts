/** Reads the entries of waves. @module */
import type { WaveReport } from "../../../shared/operator_schemas.ts";
import { stateOfWave, type Wave } from "../../waitlist/mod.ts";
import { type Kv, pages, readAll, readMany, waveCountKey, waveKey, WAVES } from "../kv/mod.ts";

/** What is counted beside a wave's entry, as letters and acceptances come at the same time as its commits. */
export const WAVE_COUNTS = ["taken", "refused", "accepted"] as const;

/** All that is kept of a wave. */
export interface KeptWave {
  id: string;
  wave: Wave;
  counts: Record<typeof WAVE_COUNTS[number], number>;
}

/** Reads all waves, some at a time, in the order of their ids. */
export async function* readWaves(kv: Kv): AsyncGenerator<KeptWave[]> {
  for await (const entries of pages<Wave>(kv, WAVES)) {
    yield await withCounts(kv, entries.map(({ key, value }) => [String(key[1]), value]));
  }
}

export async function findWave(kv: Kv, id: string): Promise<KeptWave | undefined> {
  const [entry] = await readAll<Wave>(kv, [waveKey(id)]);
  return entry?.value ? (await withCounts(kv, [[id, entry.value]]))[0] : undefined;
}

async function withCounts(kv: Kv, waves: [id: string, wave: Wave][]): Promise<KeptWave[]> {
  const keys = waves.flatMap(([id]) => WAVE_COUNTS.map((name) => waveCountKey(id, name)));
  const values = (await readMany<number>(kv, keys)).map((entry) => entry?.value ?? 0);
  return waves.map(([id, wave], index) => {
    const [taken = 0, refused = 0, accepted = 0] = values.slice(3 * index);
    return { id, wave, counts: { taken, refused, accepted } };
  });
}

/** The waves of a page of the list. */
const PAGE = 100;

const positionOf = ({ id, wave }: KeptWave) => `${wave.startedAt} ${id}`;

/** Lists waves, the newest first. @param before the `next` of the page before */
export async function listWaves(kv: Kv, before = "~") {
  let newest: KeptWave[] = [];
  for await (const waves of readWaves(kv)) {
    newest = [...newest, ...waves.filter((wave) => positionOf(wave) < before)]
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
