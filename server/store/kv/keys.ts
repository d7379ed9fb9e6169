/**
 * The keys of all entries. `server/README.md`, "What the store holds", has the value of each and how long it is kept;
 * nothing else is written to KV. An address is a key, lower-cased, so that a sign-up and its repeats have one record.
 * @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Counter, Mark, State } from "../../waitlist/mod.ts";
import type { Key, Selector } from "./engine.ts";

const all = (...prefix: Key): { prefix: Key } => ({ prefix });

/**
 * The version of the schema and, from the first hash of an address on, the keys of the marks of erased addresses. Each
 * removal of a record and each recount writes the entry again. Every commit of a record checks it.
 */
export const SCHEMA: Key = ["schema"];

export const WRITE_PROBE: Key = ["write_probe"];

/** The proofs of commits (`outcomes.ts`). Stores have them under their former name, "slot". */
export const PROOFS = all("slot");
export const proofKey = (process: string, number: number): Key => ["slot", process, number];

/** The records, in the order of their addresses. */
export const SIGN_UPS = all("sign_up");
export const signUpKey = (email: string): Key => ["sign_up", email];

/** The last part of each of their keys is an address, as it is of a record's key. */
export const LISTS: Key[] = ["person", "person_id", "expiry", "wave_member", "invitation_code"]
  .map((list) => [list]);

export const addressOf = (key: Key) => String(key.at(-1));
export const addressesOf = (entries: { key: Key }[]) => entries.map(({ key }) => addressOf(key));

/** Everybody, or those in a state or with a mark, in the order of their first sign-up. */
export type PeopleList = "all" | State | Mark;

export const peopleSelector = (list: PeopleList) => all("person", list);
/** Selects the people of a state who signed up first before a date-time. */
export const oldPeopleSelector = (state: State, before: string): Selector => ({
  prefix: ["person", state],
  end: ["person", state, before],
});
export const personKey = (list: PeopleList, createdAt: string, email: string): Key => {
  return ["person", list, createdAt, email];
};

/** By the record's id, and the address: backups can bring a record a second time, under the address before a correction. */
export const personIdSelector = (id: string) => all("person_id", id);
export const personIdKey = (id: string, email: string): Key => ["person_id", id, email];

export const expirySelector = (before: string, from = ""): Selector => ({
  prefix: ["expiry"],
  start: ["expiry", from],
  end: ["expiry", before],
});
export const expiryKey = (takenAt: string, email: string): Key => ["expiry", takenAt, email];

export const WAVES = all("wave"), OPEN_WAVES = all("open_wave"), INVITEES = all("wave_named");
export const waveKey = (id: string): Key => ["wave", id];
export const openWaveKey = (id: string): Key => ["open_wave", id];
export const inviteeKey = (email: string): Key => ["wave_named", email];
export const waveCountKey = (id: string, name: string): Key => ["wave_count", id, name];
export const waveMembersSelector = (id: string) => all("wave_member", id);
export const waveMemberKey = (id: string, createdAt: string, email: string): Key => {
  return ["wave_member", id, createdAt, email];
};

/** By the code, and the address of who has it: imports can give a code to several people. */
export const invitationCodeSelector = (code: string) => all("invitation_code", code);
export const invitationCodeKey = (code: string, email: string): Key => {
  return ["invitation_code", code, email];
};

export const OUTBOX = all("outbox");
export const outboxKey = (id: string): Key => ["outbox", id];

/** The new letters of a commit; the id begins with the moment of the first one, as that of an item does. */
export const NEW_LETTERS = all("new_letters");
export const newLettersKey = (id: string): Key => ["new_letters", id];

/** When an item is due, in milliseconds since 1970, and its id. */
export interface DuePosition {
  at: number;
  id: string;
}

/** The positions of a queue's items; of those due until a moment, and behind a position. */
export const dueKey = (queue: string, dueAt: number, id: string): Key => ["due", queue, dueAt, id];
export const dueSelector = (queue: string, until = Infinity, after?: DuePosition): Selector => ({
  prefix: ["due", queue],
  ...after && { after: dueKey(queue, after.at, after.id) },
  // The end of a range is left out.
  end: ["due", queue, until + 1],
});

export const outboxCountKey = (name: string): Key => ["outbox_count", name];

export const MAIL_STATE: Key = ["mail"],
  NOTICES: Key = ["notices"],
  EXPIRY_CLOCK: Key = ["expiry_clock"];

export const COUNTERS = all("statistics");
export const counterKey = (counter: Readonly<Counter>): Key => ["statistics", ...counter];
export const counterOf = (key: Key) => key.slice(1) as Counter;
export const mapSelector = (map: Counter[0]) => all("statistics", map);

/**
 * Selects the counters that the statistics need. `added` sorts before the names of the maps and `total`, so a list from
 * the first counted day to the total leaves out the older days and the counters that the statistics do not have.
 */
export const statisticsSelector = (firstDay: string): Selector => ({
  ...COUNTERS,
  start: counterKey(["added", firstDay]),
  end: [...counterKey(["total"]), ""],
});

/** Selects the counters of a kind whose names begin with a day, from one day on to another, which is left out. */
export const daysSelector = (kind: Counter[0], first: string, end = "\uffff"): Selector => ({
  ...mapSelector(kind),
  start: ["statistics", kind, first],
  end: ["statistics", kind, end],
});

/** Every commit that can add a slug checks this key, so that there are never too many. */
export const KNOWN_SLUGS: Key = ["slugs"];
export const RESTORE: Key = ["restore"];
export const lastDoneKey = (work: string): Key => ["last_done", work];
export const backupsKey = (work: "made" | "marks"): Key => ["backups", work];
export const ERASED = all("erased");
export const erasedKey = (mark: string): Key => ["erased", mark];
export const LETTER_LIMITS = all("brake");
export const letterLimitKey = (hash: string): Key => ["brake", hash];
export const REPORTS = all("mail_report");
export const reportKey = (digest: string): Key => ["mail_report", digest];

export const CONSENT_TEXTS = all("consent_text");
export const consentTextKey = (id: string): Key => ["consent_text", id];
export const SELF_SERVICE_KEYS: Key = ["place_keys"];
export const CONSOLE_KEY: Key = ["console_key"];

export const CLIENTS = all("client");
export const clientKey = (clientId: string): Key => ["client", clientId];

/** Their own keys, so that no token waits for the commits of these days. */
export const CLIENT_USES = all("client_use");
export const clientUseKey = (clientId: string): Key => ["client_use", clientId];

export const ROOT_KEYS = all("root_key");
export const rootKeyKey = (keyId: string): Key => ["root_key", keyId];

/** Written with every change of a client or root key; every process watches it. */
export const CREDENTIALS_CHANGED: Key = ["credentials"];
/** Whether a key is one that processes watch; an engine need not tell of changes of others. */
export const isWatched = ([first]: Key) => first === CREDENTIALS_CHANGED[0];

/** A moment and an id are one text, so that a list is in the order of moments and can begin at one. */
export const AUDIT_LOG = all("audit");
export const auditSelector = (since: string, before: string): Selector => ({
  prefix: ["audit"],
  start: ["audit", since],
  end: ["audit", before],
});
export const auditKey = (
  { at, id }: Pick<AuditEntry, "at" | "id">,
): Key => ["audit", `${at} ${id}`];

/** The entries about an address, which is named by its keyed hash. */
export const auditOfKey = (address: string, entry: Pick<AuditEntry, "at" | "id">): Key => {
  return ["audit_of", address, ...auditKey(entry).slice(1)];
};
/** @param until the last moment that is included; without it, there is no end */
export const auditOfSelector = (address: string, since: string, until?: string): Selector => ({
  ...all("audit_of", address),
  start: ["audit_of", address, since],
  // A space is behind the moment in a key, and "!" is the next character.
  ...until !== undefined && { end: ["audit_of", address, `${until}!`] },
});
export const auditKeyOf = ([, , momentAndId = ""]: Key): Key => ["audit", momentAndId];

/** A window is named by minutes since 1970. */
export const limitCountsKey = (window: number, processId: string, limit: string): Key => {
  return ["limit_counts", window, processId, limit];
};
export const limitCountsSelector = (window: number) => all("limit_counts", window);
export const pastLimitCountsSelector = (window: number): Selector => ({
  ...all("limit_counts"),
  end: ["limit_counts", window],
});

/** The public address of each process that is running, by its random id. */
export const BASE_URLS = all("base_url");
export const baseUrlKey = (processId: string): Key => ["base_url", processId];

/** What a process notes in a server of PostgreSQL that others have left behind. @param system the cluster's identifier */
export const timelineKey = (system: string): Key => ["timeline", system];

export const ADDRESS_KEY: Key = ["address_key"];
