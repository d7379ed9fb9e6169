/**
 * Stores the root keys, which sign access tokens, and the keys of the links to people's pages. The first of the latter
 * is the store's own, which makes links and never changes; the others came with restored backups, so that older links
 * stay good. @module
 */
import { base64url } from "jose";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { ANNOUNCE_MS, keyTerms, type RootKey, SLACK_MS } from "../../oauth/mod.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { SELF_SERVICE_KEY_BYTES } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  changeEntry,
  Commit,
  commitChange,
  CREDENTIALS_CHANGED,
  type Kv,
  readOne,
  readPage,
  ROOT_KEYS,
  rootKeyKey,
  SELF_SERVICE_KEYS,
} from "../kv/mod.ts";

/** The secret is base64url text: bytes that the client of one engine wrote cannot be read by the client of another. */
export type StoredRootKey = Omit<RootKey, "secret"> & { secret: string };

/**
 * Makes the first key where there is none. Processes that start together on an empty store get the same one: only one
 * commit passes the check, and all of them read afterwards.
 */
export async function openRootKeys(kv: Kv, random: RandomBytes, now: number) {
  if ((await listRootKeys(kv)).length === 0) {
    const first: RootKey = { keyId: "1", secret: random(32), signsFrom: now };
    const key = rootKeyKey(first.keyId);
    await kv.commit(new Commit().check({ key, version: null }).set(key, toStored(first)));
  }
  return await readRootKeys(kv);
}

/** In no particular order. */
export async function readRootKeys(kv: Kv): Promise<RootKey[]> {
  return (await listRootKeys(kv)).map(({ value }) => toRootKey(value));
}

/** There are few root keys, as those that verify nothing are removed. */
const listRootKeys = (kv: Kv) => readPage<StoredRootKey>(kv, ROOT_KEYS);

function toStored({ secret, ...root }: RootKey): StoredRootKey {
  return { ...root, secret: base64url.encode(secret) };
}

function toRootKey({ secret, ...root }: StoredRootKey): RootKey {
  return { ...root, secret: base64url.decode(secret) };
}

/** Kept whatever the clock says, as a clock that jumped ahead takes a valid key for old. */
const KEPT_KEYS = 2;

/**
 * Stores a new root key that begins to sign once every process knows it, and removes keys that verify nothing any
 * more. While a key is announced, no further key is made: two rotations within a minute give the same key. A key that
 * is announced for longer was announced by a clock that was ahead. It gets a new date and is not replaced, as tokens
 * may be signed with it already.
 */
export async function rotateRootKey(
  kv: Kv,
  now: number,
  random: RandomBytes,
  audit?: AuditEntry,
): Promise<RootKey> {
  const signsFrom = now + ANNOUNCE_MS;
  const secret = random(32);
  return await commitChange(kv, async () => {
    const entries = await listRootKeys(kv);
    const terms = keyTerms(entries.map(({ value }) => toRootKey(value)));
    const newest = terms.at(-1)?.root;
    if (newest && newest.signsFrom > now && newest.signsFrom <= signsFrom + SLACK_MS) {
      return { result: () => newest };
    }

    const isStuck = newest !== undefined && newest.signsFrom > now;
    const highest = Math.max(0, ...terms.map(({ root }) => Number(root.keyId)));
    const next: RootKey = isStuck
      ? { ...newest, signsFrom }
      : { keyId: String(highest + 1), secret, signsFrom };
    const known = entries.find(({ value }) => value.keyId === next.keyId);
    const key = rootKeyKey(next.keyId);
    const commit = new Commit().check(known ?? { key, version: null })
      .set(key, toStored(next))
      .set(CREDENTIALS_CHANGED, true);
    setAuditEntry(commit, audit && { ...audit, details: { keyId: next.keyId } });
    for (const { root, verifiesUntil } of terms.slice(0, -KEPT_KEYS)) {
      if (verifiesUntil <= now) commit.delete(rootKeyKey(root.keyId));
    }
    return { commit, result: () => next };
  });
}

/** Makes the first key where there is none; processes that start together get the same. */
export async function openSelfServiceKeys(kv: Kv, random: RandomBytes): Promise<Uint8Array[]> {
  const made = base64url.encode(random(SELF_SERVICE_KEY_BYTES));
  const keys = await changeEntry<string[], string[]>(kv, SELF_SERVICE_KEYS, (known) => {
    return known ? { result: known } : { to: [made], result: [made] };
  });
  return keys.map((key) => base64url.decode(key));
}

export async function readSelfServiceKeys(kv: Kv): Promise<string[]> {
  const { value } = await readOne<string[]>(kv, SELF_SERVICE_KEYS);
  return value ?? [];
}

/** False where the key is known. */
export async function addSelfServiceKey(
  kv: Kv,
  key: string,
  { random, audit }: { random: RandomBytes; audit?: AuditEntry | undefined },
): Promise<boolean> {
  // A key of a backup never comes first, as processes that run already make links with another one.
  await openSelfServiceKeys(kv, random);
  return await changeEntry<string[], boolean>(
    kv,
    SELF_SERVICE_KEYS,
    (keys = []) => keys.includes(key) ? { result: false } : { to: [...keys, key], result: true },
    (commit) => setAuditEntry(commit, audit),
  );
}
