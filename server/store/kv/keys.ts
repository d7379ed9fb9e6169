/**
 * The keys of all entries; nothing else is written to KV. `server/README.md`, "What the store holds", lists the value
 * of each entry and how long the entry is kept. Addresses in keys are in lower case, so that a sign-up and its repeats
 * have one record. @module
 */
import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import type { Counter, LineCounter, Mark, PeriodRange, State } from "../../waitlist/mod.ts";
import type { Key, Selector } from "./engine.ts";

/** Selects all keys that begin with the given parts. */
const beginningWith = (...prefix: Key): { prefix: Key } => ({ prefix });

/** Gives the second part of a key as a text. In a table whose keys have two parts, this part names the entry. */
export const nameOf = ([, name]: Key): string => String(name);

/**
 * The key of the entry that holds the version of the schema and, once an address has been hashed, the erasure keys.
 * Every commit of a record checks this entry. Each removal of a record and each recount of counters writes it again.
 */
export const SCHEMA: Key = ["schema"];

/** The entry that the heartbeat writes to find out whether KV accepts writes. */
export const WRITE_PROBE: Key = ["write_probe"];

/** The proofs of commits (`outcomes.ts`). Their keys begin with "slot", which was their name in earlier versions. */
export const PROOFS = beginningWith("slot");
export const proofKey = (process: string, number: number): Key => ["slot", process, number];

/** The records, in the order of their addresses. */
export const SIGN_UPS = beginningWith("sign_up");
export const signUpKey = (email: string): Key => ["sign_up", email];

/** The prefixes of the lists of people. The last part of a key in such a list is an address, as in a record's key. */
export const LIST_PREFIXES: Key[] = [
  "person",
  "person_id",
  "expiry",
  "wave_member",
  "invitation_code",
  "referral_code",
  "referred",
  "pending_referral",
].map((listName) => [listName]);

/** Gives the address in a key of a record or of a list of people. */
export const addressOf = (key: Key) => String(key.at(-1));
export const addressesOf = (entries: { key: Key }[]) => entries.map(({ key }) => addressOf(key));

/** A list of all people, of the people in a state, or of the people with a mark such as `undeliverable`. */
export type PeopleList = "all" | State | Mark;

/** Selects a list of people. Its entries are in the order of the people's `createdAt`. */
export const peopleSelector = (list: PeopleList) => beginningWith("person", list);
/** Selects the people of a state whose `createdAt` is before a date-time. */
export const oldPeopleSelector = (state: State, before: string): Selector => ({
  prefix: ["person", state],
  end: ["person", state, before],
});
/**
 * Selects the people of a state who signed up in one given second. With `before`, selects only those who signed up
 * before this date-time.
 * @param second in seconds since 1970
 */
export const peopleOfSecondSelector = (
  state: State,
  second: number,
  before = `${textOfSecond(second)}Z`,
): Selector => ({
  ...oldPeopleSelector(state, before),
  start: ["person", state, textOfSecond(second)],
});
/** Gives the text before the "." in the date-times of a second. The text followed by "Z" sorts after all of them. */
const textOfSecond = (second: number) => new Date(second * 1_000).toISOString().slice(0, -5);
export const personKey = (list: PeopleList, createdAt: string, email: string): Key => {
  return ["person", list, createdAt, email];
};
/** Gives `createdAt` and the address in a key of `personKey()` or `waveMemberKey()`. */
export const personOf = ([, , createdAt, email]: Key): { createdAt: string; email: string } => {
  return { createdAt: String(createdAt), email: String(email) };
};

/**
 * Selects the entries that lead from the id of a record to its address. The address is a part of the key, because a
 * backup can bring a record a second time, under the address that it had before a correction.
 */
export const personIdSelector = (id: string) => beginningWith("person_id", id);
export const personIdKey = (id: string, email: string): Key => ["person_id", id, email];
/** Gives the id in a key of `personIdKey()`; `undefined` for a key of another list. */
export const recordIdOf = ([list, id]: Key) => list === "person_id" ? String(id) : undefined;

/** Selects the people whose last confirmation letter was taken at `from` or later, and before `before` (date-times). */
export const expirySelector = (before: string, from = ""): Selector => ({
  prefix: ["expiry"],
  start: ["expiry", from],
  end: ["expiry", before],
});
export const expiryKey = (takenAt: string, email: string): Key => ["expiry", takenAt, email];

export const WAVES = beginningWith("wave");
/** The waves that still invite people. */
export const OPEN_WAVES = beginningWith("open_wave");
/** The invitees. Their keys begin with "wave_named", because requests for waves name the addresses of invitees. */
export const INVITEES = beginningWith("wave_named");
export const waveKey = (id: string): Key => ["wave", id];
export const openWaveKey = (id: string): Key => ["open_wave", id];
export const inviteeKey = (email: string): Key => ["wave_named", email];
export const waveCountKey = (id: string, name: string): Key => ["wave_count", id, name];
export const waveMembersSelector = (id: string) => beginningWith("wave_member", id);
export const waveMemberKey = (id: string, createdAt: string, email: string): Key => {
  return ["wave_member", id, createdAt, email];
};

export const SCHEDULES = beginningWith("schedule");
export const scheduleKey = (id: string): Key => ["schedule", id];

export const JOBS = beginningWith("job");
export const OPEN_JOBS = beginningWith("open_job");
export const jobKey = (id: string): Key => ["job", id];
export const openJobKey = (id: string): Key => ["open_job", id];
/** The lease of the process that works on jobs. */
export const JOB_WORK: Key = ["job_work"];

/** The filters that an operator has saved. */
export const savedFiltersKey = (operator: string): Key => ["saved_filters", operator];

/** The last UTC day on which an operator has sent test letters of a kind, and their number on that day. */
export const testLettersKey = (kind: string, operator: string): Key => {
  return ["test_letters", kind, operator];
};

/**
 * Selects the entries that lead from an invitation code to an address. The address is a part of the key, because
 * imports can give a code to several people.
 */
export const invitationCodeSelector = (code: string) => beginningWith("invitation_code", code);
export const invitationCodeKey = (code: string, email: string): Key => {
  return ["invitation_code", code, email];
};

export const OUTBOX = beginningWith("outbox");
export const outboxKey = (id: string): Key => ["outbox", id];

/**
 * The new letters of a commit, many in one entry until they are unpacked (`store/outbox/new_letters.ts`). The id of the
 * entry begins with the moment at which the first letter of the entry was put into the outbox, as the id of an item
 * begins with the moment of the item.
 */
export const NEW_LETTERS = beginningWith("new_letters");
export const newLettersKey = (id: string): Key => ["new_letters", id];

/** The position of an item of the outbox in its queue. */
export interface DuePosition {
  /** When the item is due, in milliseconds since 1970. */
  at: number;
  /** The id of the item. */
  id: string;
}

export const dueKey = (queue: string, dueAt: number, id: string): Key => ["due", queue, dueAt, id];
export const duePositionOf = ([, , at, id]: Key): DuePosition => {
  return { at: Number(at), id: String(id) };
};
/**
 * Selects positions of items in a queue. These items are due at the moment `dueBy` (milliseconds since 1970) or
 * earlier, and the positions come after the position `after`.
 */
export const dueSelector = (queue: string, dueBy = Infinity, after?: DuePosition): Selector => ({
  prefix: ["due", queue],
  ...after && { after: dueKey(queue, after.at, after.id) },
  // Adds 1, because a range leaves out its end, and `dueBy` is included.
  end: ["due", queue, dueBy + 1],
});

/** The position of a letter in the log of letters. */
export interface LetterPosition {
  /** The id of the person's record. The id stands for the person, so that the log holds no address. */
  recordId: string;
  /** The date-time at which the letter was put into the outbox, a space, and the letter's id in the outbox. */
  momentAndId: string;
}

/** The log of letters: what became of each letter to each person. */
export const LETTERS_BY_PERSON = beginningWith("letter_log");
/** Selects the letters to a person, in the order in which they were put into the outbox. */
export const lettersOfPersonSelector = (recordId: string) => beginningWith("letter_log", recordId);
export const letterByPersonKey = ({ recordId, momentAndId }: LetterPosition): Key => {
  return ["letter_log", recordId, momentAndId];
};
export const letterByPersonOf = ([, recordId, momentAndId]: Key): LetterPosition => {
  return { recordId: String(recordId), momentAndId: String(momentAndId) };
};

/**
 * The letters to all people, in the order in which they were put into the outbox. Each key leads to an entry of
 * `LETTERS_BY_PERSON`.
 */
export const LETTERS_BY_MOMENT = beginningWith("letter_log_at");
/**
 * Selects the letters whose `momentAndId` sorts before a text. The text is a `momentAndId` or the beginning of one,
 * such as a date-time.
 */
export const lettersBeforeSelector = (momentAndId: string): Selector => ({
  ...LETTERS_BY_MOMENT,
  end: ["letter_log_at", momentAndId],
});
export const letterByMomentKey = ({ recordId, momentAndId }: LetterPosition): Key => {
  return ["letter_log_at", momentAndId, recordId];
};
export const letterByMomentOf = ([, momentAndId, recordId]: Key): LetterPosition => {
  return { recordId: String(recordId), momentAndId: String(momentAndId) };
};

export const outboxCountKey = (name: string): Key => ["outbox_count", name];

/** The pause of all letters, and the permits to send letters in the present second. */
export const MAIL_STATE: Key = ["mail"];
/** The moments of the last check for trouble, and of the last notices to operators. */
export const NOTICES: Key = ["notices"];
/** The state of the clock at the last run of the expiry, by which the next process notices a jump of the clock. */
export const EXPIRY_CLOCK: Key = ["expiry_clock"];

/** The counters of the statistics and of the overview. */
export const COUNTERS = beginningWith("statistics");
export const counterKey = (counter: Readonly<Counter>): Key => ["statistics", ...counter];
export const counterOf = (key: Key) => key.slice(1) as Counter;
export const counterKindSelector = (kind: Counter[0]) => beginningWith("statistics", kind);

/**
 * Selects the counters that the statistics need. They are one range of keys, from `added` of the first counted day to
 * `total`. The range leaves out older days. It also leaves out the kinds of counters that sort before `added` or after
 * `total`, because the statistics do not show them.
 */
export const statisticsSelector = (firstDay: string): Selector => ({
  ...COUNTERS,
  start: counterKey(["added", firstDay]),
  end: [...counterKey(["total"]), ""],
});

/** Selects the counters of a kind whose names begin with a day, from the day `first` to the last day before `end`. */
export const daysSelector = (kind: Counter[0], first: string, end = "\uffff"): Selector => ({
  ...counterKindSelector(kind),
  start: ["statistics", kind, first],
  end: ["statistics", kind, end],
});

/** Selects the people who have the given referral code. Imports can give a code to several people. */
export const referralCodeSelector = (code: string) => beginningWith("referral_code", code);
export const referralCodeKey = (code: string, email: string): Key => ["referral_code", code, email];

/** The imported people whose referral is still to be resolved. */
export const PENDING_REFERRALS = beginningWith("pending_referral");
export const pendingReferralKey = (email: string): Key => ["pending_referral", email];

/**
 * The people who have confirmed (with mail off: joined) after they came by another person's link. The second part of
 * each key is the id of the other person's record.
 */
export const REFERRED = beginningWith("referred");
export const referredSelector = (referrerId: string) => beginningWith("referred", referrerId);
export const referredMailboxSelector = (referrerId: string, mailbox: string) =>
  beginningWith("referred", referrerId, mailbox);
export const referredKey = (referrerId: string, mailbox: string, email: string): Key => {
  return ["referred", referrerId, mailbox, email];
};

/** The number of each person's referrals, by the id of the person's record. */
export const REFERRERS = beginningWith("referrer");
export const referrerKey = (id: string): Key => ["referrer", id];

/** The ids of people in the order of their numbers of referrals. */
export const PEOPLE_BY_REFERRALS = beginningWith("by_referrals");
/** Selects the ids of the people who have at least `atLeast` referrals. */
export const peopleByReferralsSelector = (atLeast: number): Selector => ({
  ...PEOPLE_BY_REFERRALS,
  start: ["by_referrals", atLeast],
});
export const peopleByReferralsKey = (referrals: number, id: string): Key => {
  return ["by_referrals", referrals, id];
};
export const personByReferralsOf = ([, referrals, id]: Key): { referrals: number; id: string } => {
  return { referrals: Number(referrals), id: String(id) };
};

/**
 * The counters of the place in line. Each counts the waiting people whose `createdAt` lies in one period. All periods
 * of a level have the same length (`waitlist/place_in_line.ts`).
 */
export const LINE = beginningWith("line");
export const lineKey = ({ level, period }: LineCounter): Key => ["line", level, period];
export const lineCounterOf = ([, level, period]: Key) => ({ level, period }) as LineCounter;
/**
 * Selects the counters of a level, from the period `first` to the last period before `end`. Without `first`, the range
 * begins with the earliest period.
 */
export const lineSelector = ({ level, first, end }: PeriodRange): Selector => ({
  ...beginningWith("line", level),
  ...first !== undefined && { start: ["line", level, first] },
  end: ["line", level, end],
});

/** The known slugs of role and use case. Every commit that can add a slug checks this entry, to limit their number. */
export const KNOWN_SLUGS: Key = ["slugs"];

/**
 * For each field of a campaign, the values that have counters. Every commit that begins to count a person by a campaign
 * checks this entry, so that there are never too many counters.
 */
export const CAMPAIGN_VALUES: Key = ["campaign_values"];
/** The restore that is under way. */
export const RESTORE: Key = ["restore"];
/** The moment at which regular work, such as a backup, was last done. */
export const lastDoneKey = (work: string): Key => ["last_done", work];
/** The state of the daily backups (`made`), and of the erasure marks that are written beside them (`marks`). */
export const backupsKey = (work: "made" | "marks"): Key => ["backups", work];
export const ERASURE_MARKS = beginningWith("erased");
export const erasureMarkKey = (mark: string): Key => ["erased", mark];
/** The letter limits of mailboxes; see "letter limit (brake)" in the glossary. */
export const LETTER_LIMITS = beginningWith("brake");
export const letterLimitKey = (hash: string): Key => ["brake", hash];
/** The ids of mail providers' reports, as digests. A report whose id is stored has no effect any more. */
export const REPORTS = beginningWith("mail_report");
export const reportKey = (digest: string): Key => ["mail_report", digest];

export const CONSENT_TEXTS = beginningWith("consent_text");
export const consentTextKey = (id: string): Key => ["consent_text", id];
export const SELF_SERVICE_KEYS: Key = ["place_keys"];
/** The key that encrypts parts of the console's URLs, such as the id of a person. */
export const CONSOLE_KEY: Key = ["console_key"];

export const CLIENTS = beginningWith("client");
export const clientKey = (clientId: string): Key => ["client", clientId];

/**
 * The UTC days on which clients were last used. They have entries of their own, so that a commit that notes a use does
 * not conflict with a change of the client.
 */
export const CLIENT_USES = beginningWith("client_use");
export const clientUseKey = (clientId: string): Key => ["client_use", clientId];

export const ROOT_KEYS = beginningWith("root_key");
export const rootKeyKey = (keyId: string): Key => ["root_key", keyId];

/** Each change of a client and each rotation of a key writes this entry, and every process watches it. */
export const CREDENTIALS_CHANGED: Key = ["credentials"];
/** Whether processes watch a key. An engine need not report the changes of a key that no process watches. */
export const isWatched = ([first]: Key) => first === CREDENTIALS_CHANGED[0];

/** The audit log, in the order of moments. The moment and the id of an entry are one text in its key. */
export const AUDIT_LOG = beginningWith("audit");
export const auditSelector = (since: string, before: string): Selector => ({
  prefix: ["audit"],
  start: ["audit", since],
  end: ["audit", before],
});
export const auditKey = (
  { at, id }: Pick<AuditEntry, "at" | "id">,
): Key => ["audit", `${at} ${id}`];

/** Gives the key that leads from the keyed hash of an address to an audit entry about the address. */
export const auditByHashKey = (hash: string, entry: Pick<AuditEntry, "at" | "id">): Key => {
  return ["audit_of", hash, ...auditKey(entry).slice(1)];
};
/**
 * Selects the keys that lead from the keyed hash of an address to the audit entries about the address.
 * @param until the last moment, which is included; without it, there is no end
 */
export const auditByHashSelector = (hash: string, since: string, until?: string): Selector => ({
  ...beginningWith("audit_of", hash),
  start: ["audit_of", hash, since],
  // Includes the moment `until`: a space follows the moment in a key, and "!" is the character after the space.
  ...until !== undefined && { end: ["audit_of", hash, `${until}!`] },
});
/** Gives the key in the audit log to which a key of `auditByHashKey()` leads. */
export const auditKeyOf = ([, , momentAndId = ""]: Key): Key => ["audit", momentAndId];

/**
 * Gives the key of the counts of one limit in one process.
 * @param window the window, as the number of minutes since 1970
 */
export const limitCountsKey = (window: number, processId: string, limit: string): Key => {
  return ["limit_counts", window, processId, limit];
};
export const limitCountsSelector = (window: number) => beginningWith("limit_counts", window);
export const pastLimitCountsSelector = (window: number): Selector => ({
  ...beginningWith("limit_counts"),
  end: ["limit_counts", window],
});

/** The base URL of each running process, by the random id of the process. */
export const BASE_URLS = beginningWith("base_url");
export const baseUrlKey = (processId: string): Key => ["base_url", processId];

/**
 * Gives the key of the timeline that a process has recorded in the store of a former primary of PostgreSQL.
 * @param system the identifier of the cluster
 */
export const timelineKey = (system: string): Key => ["timeline", system];

/** The secret key with which client addresses are hashed. */
export const ADDRESS_KEY: Key = ["address_key"];
