import { type BulkSignUp, type KnownSlugs, MAX_SLUGS, SLUG_ANSWERS } from "../../waitlist/mod.ts";
import { counterKey, counterOf, KNOWN_SLUGS, mapSelector } from "../kv/mod.ts";

export const NO_SLUGS: KnownSlugs = { role: [], building: [] };

const MAP_OF = { role: "byRole", building: "byBuilding" } as const;

/** Each takes a check, and some engines take ten. */
const FREE_AT_ONCE = 8;

/** Forgets slugs that no record uses any more where bulk sign-ups have more new ones than there is room for. */
export async function readSlugs(
  kv: Deno.Kv,
  bulkSignUps: BulkSignUp[],
): Promise<Deno.KvEntryMaybe<KnownSlugs>> {
  for (;;) {
    const entry = await kv.get<KnownSlugs>(KNOWN_SLUGS);
    if (!await forgetUnused(kv, entry, bulkSignUps)) return entry;
  }
}

/** Reads the known slugs that a record uses, which would not be forgotten. */
export async function readUsedSlugs(kv: Deno.Kv): Promise<KnownSlugs> {
  const { value } = await kv.get<KnownSlugs>(KNOWN_SLUGS);
  const used = { ...NO_SLUGS, ...value };
  for (const name of SLUG_ANSWERS) {
    const unused = slugsOf(await unusedAmong(kv, name, used[name]));
    used[name] = used[name].filter((slug) => !unused.includes(slug));
  }
  return used;
}

/** Whether there was something to forget, so that the slugs must be read again. */
async function forgetUnused(
  kv: Deno.Kv,
  entry: Deno.KvEntryMaybe<KnownSlugs>,
  bulkSignUps: BulkSignUp[],
): Promise<boolean> {
  for (const name of SLUG_ANSWERS) {
    const known = entry.value?.[name] ?? [];
    const given = new Set(bulkSignUps.map(({ answers }) => answers[name]));
    const further = [...given].filter((slug) => slug !== undefined && !known.includes(slug));
    if (further.length === 0 || known.length + further.length <= MAX_SLUGS) continue;
    const unused = (await unusedAmong(kv, name, known)).slice(0, FREE_AT_ONCE);
    if (unused.length === 0) continue;

    // Where a record takes one of these slugs meanwhile, its counter moves, and this commit fails.
    const commit = kv.atomic().check(entry);
    for (const counter of unused) commit.check(counter).delete(counter.key);
    const forgotten = slugsOf(unused);
    const left = known.filter((slug) => !forgotten.includes(slug));
    await commit.set(KNOWN_SLUGS, { ...entry.value, [name]: left }).commit();
    return true;
  }
  return false;
}

/** They are at zero, or missing. */
async function unusedAmong(
  kv: Deno.Kv,
  name: keyof KnownSlugs,
  known: string[],
): Promise<Deno.KvEntryMaybe<Deno.KvU64>[]> {
  const counters = await Array.fromAsync(kv.list<Deno.KvU64>(mapSelector(MAP_OF[name])));
  const bySlug = new Map(counters.map((counter) => [counterOf(counter.key)[1], counter]));
  const unused = [];
  for (const slug of known) {
    const key = counterKey([MAP_OF[name], slug]);
    const counter = bySlug.get(slug) ?? { key, value: null, versionstamp: null };
    if (!counter.value?.value) unused.push(counter);
  }
  return unused;
}

function slugsOf(counters: Deno.KvEntryMaybe<Deno.KvU64>[]): (string | undefined)[] {
  return counters.map(({ key }) => counterOf(key)[1]);
}
