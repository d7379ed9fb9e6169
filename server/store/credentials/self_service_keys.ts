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
  findValue,
  type Kv,
  SELF_SERVICE_KEYS,
} from "../kv/mod.ts";

/** A self-service key. */
export interface SelfServiceKey {
  /** The key in base64url. */
  key: string;
  /** The date-time until which the key opens links; absent if the key opens links for ever. */
  opensUntil?: string;
}

/** A self-service key as it is stored. A key that opens links for ever is a text. */
export type StoredSelfServiceKey = string | { key: string; opensUntil: string };

/** Gives a self-service key in the one form that the code uses. */
export const fromStoredKey = (storedKey: StoredSelfServiceKey): SelfServiceKey =>
  typeof storedKey === "string" ? { key: storedKey } : storedKey;

const toStoredKey = ({ key, opensUntil }: SelfServiceKey): StoredSelfServiceKey =>
  opensUntil === undefined ? key : { key, opensUntil };

/**
 * Gives the self-service key that makes links. Makes the first key if there is none. Processes that start together get
 * the same key.
 * @returns the bytes of the key
 */
export async function openSelfServiceKey(kv: Kv, random: RandomBytes): Promise<Uint8Array> {
  const newKey = base64url.encode(random(SELF_SERVICE_KEY_BYTES));
  const [firstKey = newKey] = await changeEntry<StoredSelfServiceKey[], StoredSelfServiceKey[]>(
    kv,
    SELF_SERVICE_KEYS,
    (storedKeys) => storedKeys ? { result: storedKeys } : { newValue: [newKey], result: [newKey] },
  );
  return base64url.decode(fromStoredKey(firstKey).key);
}

/**
 * Reads the self-service keys that open links at `now`, in base64url. The first key also makes links.
 * @param now in milliseconds since 1970
 */
export async function readSelfServiceKeys(kv: Kv, now: number): Promise<string[]> {
  const storedKeys = await findValue<StoredSelfServiceKey[]>(kv, SELF_SERVICE_KEYS) ?? [];
  const nowText = new Date(now).toISOString();
  return storedKeys.map(fromStoredKey)
    .filter(({ opensUntil }) => opensUntil === undefined || opensUntil >= nowText)
    .map(({ key }) => key);
}

/**
 * Makes a new self-service key, which makes links from now on. The older keys still open links until `until`; see
 * {@linkcode endBy}. Removes the keys that open no links any more.
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
    (storedKeys = []) => {
      // `audit.at` is the moment of the rotation.
      const olderKeys = storedKeys.map((storedKey) => endBy(until, fromStoredKey(storedKey)))
        .filter(({ opensUntil }) => opensUntil > audit.at);
      return { newValue: [newKey, ...olderKeys], result: undefined };
    },
    (commit) => setAuditEntry(commit.set(CREDENTIALS_CHANGED, true), audit),
  );
}

/** Lets a key open links until `until` at most. A key that ends earlier keeps its end. */
function endBy(until: string, { key, opensUntil }: SelfServiceKey): Required<SelfServiceKey> {
  const endsEarlier = opensUntil !== undefined && opensUntil < until;
  return { key, opensUntil: endsEarlier ? opensUntil : until };
}

/** Adds a self-service key of a backup, so that it opens links here. @returns whether the key is new in this store */
export async function addSelfServiceKey(
  kv: Kv,
  backupKey: SelfServiceKey,
  { random, audit }: { random: RandomBytes; audit?: AuditEntry | undefined },
): Promise<boolean> {
  // Makes the store's own key first if there is none, because the running processes already make links with it.
  await openSelfServiceKey(kv, random);
  return await changeEntry<StoredSelfServiceKey[], boolean>(
    kv,
    SELF_SERVICE_KEYS,
    (storedKeys = []) => {
      const isStored = storedKeys.some((storedKey) =>
        fromStoredKey(storedKey).key === backupKey.key
      );
      if (isStored) return { result: false };
      return { newValue: [...storedKeys, toStoredKey(backupKey)], result: true };
    },
    (commit) => setAuditEntry(commit, audit),
  );
}
