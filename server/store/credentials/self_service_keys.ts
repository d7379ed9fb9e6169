/**
 * Stores the self-service keys, by which links to self-service pages are made and opened. The first key makes new links
 * and opens links. The other keys only open links, because they are older or came with a restored backup. @module
 */
import { base64url } from "jose";
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { RandomBytes } from "../../runtime/mod.ts";
import { SELF_SERVICE_KEY_BYTES } from "../../waitlist/mod.ts";
import { setAuditEntry } from "../audit/mod.ts";
import {
  changeEntry,
  CREDENTIALS_CHANGED,
  type Kv,
  readOne,
  SELF_SERVICE_KEYS,
} from "../kv/mod.ts";

/**
 * A self-service key as it is stored: the key in base64url, and the date-time until which the key opens links. A key
 * without `opensUntil` opens links for ever.
 */
export type StoredSelfServiceKey = string | { key: string; opensUntil: string };

/** Gives the members of a stored key, even if the key is stored as a text. */
const membersOf = (stored: StoredSelfServiceKey): { key: string; opensUntil?: string } =>
  typeof stored === "string" ? { key: stored } : stored;

/**
 * Gives the self-service key that makes links. Makes the first key if there is none. Processes that start together get
 * the same key.
 * @returns the bytes of the key
 */
export async function openSelfServiceKey(kv: Kv, random: RandomBytes): Promise<Uint8Array> {
  const newKey = base64url.encode(random(SELF_SERVICE_KEY_BYTES));
  const [first = newKey] = await changeEntry<StoredSelfServiceKey[], StoredSelfServiceKey[]>(
    kv,
    SELF_SERVICE_KEYS,
    (stored) => stored ? { result: stored } : { newValue: [newKey], result: [newKey] },
  );
  return base64url.decode(membersOf(first).key);
}

/**
 * Reads the self-service keys that open links at `now`, in base64url. The first key also makes links.
 * @param now in milliseconds since 1970
 */
export async function readSelfServiceKeys(kv: Kv, now: number): Promise<string[]> {
  const { value } = await readOne<StoredSelfServiceKey[]>(kv, SELF_SERVICE_KEYS);
  const at = new Date(now).toISOString();
  const keys = (value ?? []).map(membersOf);
  return keys.filter(({ opensUntil = at }) => opensUntil >= at).map(({ key }) => key);
}

/**
 * Makes a new self-service key, which makes links from now on. An older key opens links until `until`, or until the end
 * that the key already has, if this end is earlier.
 * @param options.until a date-time
 */
export async function rotateSelfServiceKey(
  kv: Kv,
  { random, until, audit }: { random: RandomBytes; until: string; audit: AuditEntry },
): Promise<void> {
  const newKey = base64url.encode(random(SELF_SERVICE_KEY_BYTES));
  await changeEntry<StoredSelfServiceKey[], void>(
    kv,
    SELF_SERVICE_KEYS,
    (stored = []) => {
      const older = stored.map(membersOf).map(({ key, opensUntil = until }) => {
        return { key, opensUntil: opensUntil < until ? opensUntil : until };
      });
      const newValue = [newKey, ...older.filter(({ opensUntil }) => opensUntil > audit.at)];
      return { newValue, result: undefined };
    },
    (commit) => setAuditEntry(commit.set(CREDENTIALS_CHANGED, true), audit),
  );
}

/** Adds a self-service key of a backup, so that it opens links here. @returns whether the key is new in this store */
export async function addSelfServiceKey(
  kv: Kv,
  added: StoredSelfServiceKey,
  { random, audit }: { random: RandomBytes; audit?: AuditEntry | undefined },
): Promise<boolean> {
  // Makes the store's own key first if there is none, because the running processes already make links with it.
  await openSelfServiceKey(kv, random);
  const { key } = membersOf(added);
  return await changeEntry<StoredSelfServiceKey[], boolean>(
    kv,
    SELF_SERVICE_KEYS,
    (stored = []) =>
      stored.some((own) => membersOf(own).key === key)
        ? { result: false }
        : { newValue: [...stored, added], result: true },
    (commit) => setAuditEntry(commit, audit),
  );
}
