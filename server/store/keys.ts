/**
 * The schema: every key in KV, its value and how long it lives. A value is always of the type named
 * here; nothing else writes to KV.
 *
 * | Key                            | Value                | Lives                       |
 * | ------------------------------ | -------------------- | --------------------------- |
 * | `["sign_up", email]`           | `SignUpRecord`       | until erased                |
 * | `["statistics", "added", day]` | `Deno.KvU64`         | always; one key a UTC day   |
 * | `["statistics", map, key]`     | `Deno.KvU64`         | always, or until its slug is forgotten; at most 132 keys |
 * | `["statistics", "total"]`      | `Deno.KvU64`         | always                      |
 * | `["slugs"]`                    | `KnownSlugs`         | always                      |
 * | `["restore"]`                  | `Restore`; `pending` until a line is stored | while a backup is restored |
 * | `["recount"]`                  | when the last recount began, a date-time | always  |
 * | `["erasure_key"]`              | `Uint8Array`, 32 B or several times that | from the first erasure on, always; it never rotates |
 * | `["erased", mark]`             | `string`, a date-time | until the person signs up again |
 * | `["client", client_id]`        | `Client`             | until it is removed         |
 * | `["client_use", client_id]`    | `string`, a UTC day  | always                      |
 * | `["root_key", key_id]`         | `StoredRootKey`      | until it verifies nothing   |
 * | `["credentials"]`              | `true`; its versionstamp tells that a client or root key has changed | always |
 * | `["address_key"]`              | `Uint8Array`, 32 B   | always; it never rotates    |
 * | `["limit_counts", window, process_id, limit]` | `Uint8Array`, packed counts | two minutes |
 *
 * An address is a key, lower-cased, so that a sign-up and its repeats meet in one record. Of an erased
 * one only a mark is kept, a keyed hash of it.
 *
 * @module
 */
import type { Counter } from "../waitlist/statistics.ts";

/** The record of an address. */
export function signUpKey(email: string): Deno.KvKey {
  return ["sign_up", email];
}

/** All records, in the order of their addresses. */
export const SIGN_UPS = { prefix: ["sign_up"] } satisfies Deno.KvListSelector;

/** The address whose record a key is. */
export function addressOf(key: Deno.KvKey): string {
  return String(key[1]);
}

/**
 * Selects what the statistics are made of. `added` sorts before the maps' names and `total`, so a
 * single list that starts at the first counted day passes over the older days and reads all the rest.
 */
export function statisticsSelector(firstDay: string): Deno.KvListSelector {
  return { prefix: ["statistics"], start: counterKey(["added", firstDay]) };
}

/** All counters. */
export const COUNTERS: Deno.KvListSelector = { prefix: ["statistics"] };

/** The backup that is being restored; from its first line on, the store belongs to it alone. */
export const RESTORE: Deno.KvKey = ["restore"];

/** Where a recount marks its beginning; a correction holds only while the mark is its own. */
export const RECOUNT_MARK: Deno.KvKey = ["recount"];

/** A counter of the statistics. */
export function counterKey(counter: Counter): Deno.KvKey {
  return ["statistics", ...counter];
}

/** The counter that a key of {@linkcode statisticsSelector} names. */
export function counterOf(key: Deno.KvKey): Counter {
  return key.slice(1) as Counter;
}

/**
 * The slugs that answers have used. Every commit that can bring one checks it, so that there are never
 * more of them than may be, whatever the number of processes.
 */
export const KNOWN_SLUGS: Deno.KvKey = ["slugs"];

/** The counters of a map. */
export function mapSelector(map: Counter[0]): Deno.KvListSelector {
  return { prefix: ["statistics", map] };
}

/**
 * The key of the keyed hash that erased addresses are known by, and behind it, 32 bytes each, those that
 * came with a restored backup's marks. It is there once an address has been erased: without it there is
 * no mark, which sign-ups rely on to save the time for looking. Each erasure writes it anew, so that its
 * versionstamp tells of the last one.
 */
export const ERASURE_KEY: Deno.KvKey = ["erasure_key"];

/** That an address was erased, and when. */
export function erasedKey(mark: string): Deno.KvKey {
  return ["erased", mark];
}

/** All erasures. */
export const ERASED = { prefix: ["erased"] } satisfies Deno.KvListSelector;

/** An OAuth client. */
export function clientKey(clientId: string): Deno.KvKey {
  return ["client", clientId];
}

/** All OAuth clients. */
export const CLIENTS = { prefix: ["client"] } satisfies Deno.KvListSelector;

/** The UTC day on which a client was last used. Apart from the client, so that no token waits for it. */
export function clientUseKey(clientId: string): Deno.KvKey {
  return ["client_use", clientId];
}

/** All clients' days of last use. */
export const CLIENT_USES: Deno.KvListSelector = { prefix: ["client_use"] };

/** Written with every change of a client or root key; each process watches it. */
export const CREDENTIALS: Deno.KvKey = ["credentials"];

/** All root keys. */
export const ROOT_KEYS: Deno.KvListSelector = { prefix: ["root_key"] };

/** The first root key; its fixed name makes processes that start together agree on one. */
export const FIRST_ROOT_KEY = "1";

/** A root key that signing keys are derived from. */
export function rootKeyKey(keyId: string): Deno.KvKey {
  return ["root_key", keyId];
}

/** The key of the keyed hash that source addresses are known by. */
export const ADDRESS_KEY: Deno.KvKey = ["address_key"];

/** Whose counts, of which window and limit. */
export interface LimitCountsName {
  /** Minutes since 1970. In the key, as an expired value may stay readable for a while. */
  window: number;
  processId: string;
  limit: string;
}

/** One process's counts of one limit in a window. */
export function limitCountsKey({ window, processId, limit }: LimitCountsName): Deno.KvKey {
  return ["limit_counts", window, processId, limit];
}

/** All processes' counts of a window. */
export function limitCountsSelector(window: number): Deno.KvListSelector {
  return { prefix: ["limit_counts", window] };
}

/** What a key of {@linkcode limitCountsSelector} names. */
export function limitCountsOf(key: Deno.KvKey): LimitCountsName {
  const [, window, processId, limit] = key as [string, number, string, string];
  return { window, processId, limit };
}
