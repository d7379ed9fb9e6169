/**
 * The schema: every key in KV, its value and how long it is kept. A value always has the type in this
 * table; nothing else writes to KV.
 *
 * | Key                            | Value                | Lives                       |
 * | ------------------------------ | -------------------- | --------------------------- |
 * | `["schema"]`                   | `StoredSchema`: the version, and the erasure keys | always; the keys never rotate |
 * | `["slot"]`                     | `true`; its versionstamp names a process that begins to commit | always |
 * | `["slot", process, number]`    | `number` of the last commit that used the slot, below zero where it was given up | until no commit has used it for an hour |
 * | `["sign_up", email]`           | `SignUpRecord`       | until erased                |
 * | `["person", state, createdAt, email]` | `PersonEntry`  | as long as the record       |
 * | `["expiry", takenAt, email]`   | `true`               | until the person confirms or is erased |
 * | `["expiry_clock"]`             | `ExpiryClock`        | always, once there was mail |
 * | `["wave", id]`                 | `Wave`: what a wave of invitations was begun with, and how far it is | always |
 * | `["wave_member", id, createdAt, email]` | `true`      | as long as the invited person's record |
 * | `["outbox", id]`               | `OutboxItem`: a letter or an event | until it is done or the person is erased |
 * | `["due", queue, dueAt, id]`    | `true`: the item's position in a queue | as long as the item; without its item, until the queue reaches it |
 * | `["outbox_count", name]`       | `Deno.KvU64`         | always; `due`, `refused`, and at most four names a UTC day |
 * | `["mail"]`                     | `MailState`          | always, once a letter was sent |
 * | `["statistics", "added", day]` | `Deno.KvU64`         | always; one key a UTC day   |
 * | `["statistics", "byState", state]` | `Deno.KvU64`    | always                      |
 * | `["statistics", map, key]`     | `Deno.KvU64`         | always, or until its slug is forgotten; at most 132 keys |
 * | `["statistics", "total"]`      | `Deno.KvU64`         | always                      |
 * | `["slugs"]`                    | `KnownSlugs`         | always                      |
 * | `["restore"]`                  | `Restore`; `pending` until a line is stored | while a backup is restored |
 * | `["recount"]`                  | when the last recount began, a date-time | always  |
 * | `["last_done", work]`          | `string`, a date-time; the work is `verify` or `backup` | always |
 * | `["erased", mark]`             | `StoredMark`: a date-time | until the person signs up again |
 * | `["brake", hash]`              | `Brake`: the letters that a mailbox got, by its keyed hash | 30 days after the last letter |
 * | `["consent_text", id]`         | `ConsentText`: a wording that people agreed to | always        |
 * | `["place_keys"]`               | `string[]`, keys in base64url of the links to people's pages | always; the first one never changes |
 * | `["client", client_id]`        | `Client`             | until it is removed         |
 * | `["client_use", client_id]`    | `string`, a UTC day  | always                      |
 * | `["root_key", key_id]`         | `StoredRootKey`      | until it verifies nothing   |
 * | `["credentials"]`              | `true`; its versionstamp tells that a client or root key has changed | always |
 * | `["audit", moment_and_id]`     | `AuditEntry`         | 400 days                    |
 * | `["audit_of", mark, moment_and_id]` | `true`: the entry is about the address of the mark | as long as the entry |
 * | `["write_probe"]`              | `Uint8Array`, zeros  | while it is tried whether KV takes writes again |
 * | `["address_key"]`              | `Uint8Array`, 32 B   | always; it never rotates    |
 * | `["limit_counts", window, process_id, limit]` | `Uint8Array`, packed counts | two to three minutes |
 *
 * An address is a key, lower-cased, so that a sign-up and its repeats have one record. Of an erased address,
 * only a mark is kept, which is a keyed hash; the audit log names an address by the same hash.
 *
 * @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Counter } from "../../waitlist/mod.ts";

/** Selects the slots of all processes; see `commits.ts`. */
export const COMMIT_SLOTS = { prefix: ["slot"] } satisfies Deno.KvListSelector;

/** A slot of a process. */
export function slotKey(process: string, number: number): Deno.KvKey {
  return ["slot", process, number];
}

/** The record of an address. */
export function signUpKey(email: string): Deno.KvKey {
  return ["sign_up", email];
}

/** Selects all records, in the order of their addresses. */
export const SIGN_UPS = { prefix: ["sign_up"] } satisfies Deno.KvListSelector;

/** Gives the address in a record's key. */
export function addressOf(key: Deno.KvKey): string {
  return String(key[1]);
}

/**
 * Selects the counters that the statistics need. `added` sorts before `total` and the names of the maps, so a
 * list that starts at the first counted day leaves out the older days and has all other counters.
 */
export function statisticsSelector(firstDay: string): Deno.KvListSelector {
  return { prefix: ["statistics"], start: counterKey(["added", firstDay]) };
}

/** Selects all counters. */
export const COUNTERS: Deno.KvListSelector = { prefix: ["statistics"] };

/** The backup that is being restored; from its first line on, the store belongs to that backup. */
export const RESTORE: Deno.KvKey = ["restore"];

/** The mark of a recount's beginning; its correction is made only while the mark is its own. */
export const RECOUNT_MARK: Deno.KvKey = ["recount"];

/** What the clock said when expired people were last looked for. */
export const EXPIRY_CLOCK: Deno.KvKey = ["expiry_clock"];

/** When a kind of regular work was last done. */
export function lastDoneKey(work: string): Deno.KvKey {
  return ["last_done", work];
}

/** A counter of the statistics. */
export function counterKey(counter: Counter): Deno.KvKey {
  return ["statistics", ...counter];
}

/** Gives the counter in a key of {@linkcode statisticsSelector}. */
export function counterOf(key: Deno.KvKey): Counter {
  return key.slice(1) as Counter;
}

/**
 * The slugs that answers have used. Every commit that can add a slug checks this key, so that there are never
 * too many slugs, whatever the number of processes.
 */
export const KNOWN_SLUGS: Deno.KvKey = ["slugs"];

/** Selects the counters of a map. */
export function mapSelector(map: Counter[0]): Deno.KvListSelector {
  return { prefix: ["statistics", map] };
}

/**
 * The version of the schema and, from the first erasure on, or the first entry of the audit log about an address,
 * the keys of the keyed hash that makes the marks of erased addresses; without keys there are no marks, so sign-ups
 * need not look for them. Each erasure writes the entry again, so its versionstamp tells of the last erasure. Every
 * commit of a record checks it.
 */
export const SCHEMA: Deno.KvKey = ["schema"];

/** The mark of an erased address. */
export function erasedKey(mark: string): Deno.KvKey {
  return ["erased", mark];
}

/** Selects the marks of all erasures. */
export const ERASED = { prefix: ["erased"] } satisfies Deno.KvListSelector;

/** A wording that people agreed to; its id is a hash of it. */
export function consentTextKey(id: string): Deno.KvKey {
  return ["consent_text", id];
}

/** Selects all wordings. */
export const CONSENT_TEXTS = { prefix: ["consent_text"] } satisfies Deno.KvListSelector;

/** The keys of the links to people's pages. */
export const SELF_SERVICE_KEYS: Deno.KvKey = ["place_keys"];

/** An OAuth client. */
export function clientKey(clientId: string): Deno.KvKey {
  return ["client", clientId];
}

/** Selects all OAuth clients. */
export const CLIENTS = { prefix: ["client"] } satisfies Deno.KvListSelector;

/** The UTC day on which a client was last used. It has its own key, so that no token waits for its commit. */
export function clientUseKey(clientId: string): Deno.KvKey {
  return ["client_use", clientId];
}

/** Selects all clients' days of last use. */
export const CLIENT_USES: Deno.KvListSelector = { prefix: ["client_use"] };

/** Written with every change of a client or root key; every process watches it. */
export const CREDENTIALS_CHANGED: Deno.KvKey = ["credentials"];

/** Selects all root keys. */
export const ROOT_KEYS: Deno.KvListSelector = { prefix: ["root_key"] };

/** The first root key's id. It is fixed, so that processes that start together make only one key. */
export const FIRST_ROOT_KEY = "1";

/** A root key that signing keys are derived from. */
export function rootKeyKey(keyId: string): Deno.KvKey {
  return ["root_key", keyId];
}

/**
 * An entry of the audit log. Its moment and its id are one text, so that the entries are in the order of
 * their moments, and a list can begin at a moment.
 */
export function auditKey({ at, id }: Pick<AuditEntry, "at" | "id">): Deno.KvKey {
  return ["audit", `${at} ${id}`];
}

/** An entry's position in the list of the entries about an address, which is named by its keyed hash. */
export function auditOfKey(
  address: string,
  { at, id }: Pick<AuditEntry, "at" | "id">,
): Deno.KvKey {
  return ["audit_of", address, `${at} ${id}`];
}

/** Selects the entries about an address from a moment on, a date-time. */
export function auditOfSelector(address: string, since: string): Deno.KvListSelector {
  return { prefix: ["audit_of", address], start: ["audit_of", address, since] };
}

/** Gives the key of the entry itself of a key of {@linkcode auditOfSelector}. */
export function auditKeyOf([, , momentAndId = ""]: Deno.KvKey): Deno.KvKey {
  return ["audit", momentAndId];
}

/** Selects all entries of the audit log. */
export const AUDIT_LOG = { prefix: ["audit"] } satisfies Deno.KvListSelector;

/** What is written and removed again to try whether KV takes writes. */
export const WRITE_PROBE: Deno.KvKey = ["write_probe"];

/** The key of the keyed hash of client addresses. */
export const ADDRESS_KEY: Deno.KvKey = ["address_key"];
