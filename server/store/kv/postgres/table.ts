/**
 * The statements that use the table of the store. `create_table.ts` makes the table.
 *
 * An entry that is no counter has one row. A counter has several rows, whose numbers are added up. The rows of counters
 * are divided into numbered parts, which `counter_parts.ts` manages.
 *
 * A commit that only checks that a key is absent reserves the key by a row of version 0, and removes this row again.
 * @module
 */

/**
 * Makes a commit. The name of an SQL function ends with a number, which changes with what the function does, so that
 * programs of two versions can share a database.
 */
export const COMMIT = `select waitlist.commit_2($1, $2, $3, $4, $5, $6, $7, $8),
  current_setting('synchronous_commit'), current_setting('waitlist.session', true)`;

/** The parts of counters, and for each part the version of the last commit that wrote to it. */
export const READ_PARTS = "select part, max(version) from waitlist.kv where part > 0 group by part";

/**
 * Moves the counter rows of one numbered part to part 0, which belongs to no process. Moves nothing if a commit has
 * written to the numbered part since the caller read the version of that part.
 */
export const FOLD_PART = "select waitlist.fold_2($1, $2)";

/**
 * Makes the number of a new part for a process. The number is random, because a sequence could give the same number to
 * two processes after the promotion of a standby.
 */
export const NEW_PART =
  `select ('x' || translate(gen_random_uuid()::text, '-', ''))::bit(64)::bigint
  & 9223372036854775807`;

/** The channel of the notifications about watched keys (`watches.ts`). */
export const CHANNEL = "waitlist";

/** Lets a connection receive the notifications. */
export const LISTEN = `listen ${CHANNEL}`;

/** Makes a name for a process, which no other process has. */
export const PROCESS_ID = "select gen_random_uuid()";

/** Reads the rows of entries. `addUpRows()` makes one row of the several rows of a counter. */
export const READ_ENTRIES =
  "select key, version, number, value from waitlist.kv where key = any($1) and version > 0";

/**
 * Lists entries. The version of a counter is the sum of the versions of its rows, so each write of one of the rows
 * makes the version higher.
 */
export const listQuery = (order: "asc" | "desc") =>
  `select key, sum(version)::bigint, sum(number)::bigint, string_agg(value, '') from waitlist.kv
  where key >= $1 and key < $2 and version > 0 group by key order by key ${order} limit $3`;

/** Whether the role may read and write the table; null if there is no table. */
export const MAY_WRITE = `(select bool_and(has_table_privilege(to_regclass('waitlist.kv'), name))
    from unnest('{select,insert,update,delete}'::text[]) as name)`;

/**
 * The settings for kinds of query plans that are turned off, so that all queries find rows by the index, even while a
 * new table has no statistics.
 */
const PLANS = ["seqscan", "hashjoin", "mergejoin", "bitmapscan"].map((plan) => `enable_${plan}`);

/**
 * Makes the settings of a session, and gives it a name that no other session has.
 * @param statementMs how long a statement may take, in milliseconds
 */
export const settingsOf = (statementMs: number) =>
  [
    ...["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]
      .map((name) => `${name} = ${statementMs}`),
    ...[...PLANS, "jit"].map((name) => `${name} = off`),
    "plan_cache_mode = force_generic_plan",
  ].map((setting) => `set ${setting}; `).join("") +
  "select set_config('waitlist.session', gen_random_uuid()::text, false)";

/**
 * Asks a server for a report about itself. The query needs no special rights. A standby writes no write-ahead log
 * (WAL), so its timeline is the timeline of the data that it has received.
 */
export const REPORT = `select pg_is_in_recovery() as "isStandby",
  pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly",
  case when pg_is_in_recovery()
    then (select greatest(checkpoint.timeline_id, recovery.min_recovery_end_timeline)
      from pg_control_checkpoint() checkpoint, pg_control_recovery() recovery)
    else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as "timeline",
  (select system_identifier from pg_control_system()) as "system",
  current_setting('synchronous_commit') as "synchronousCommit",
  current_setting('waitlist.session', true) as "session",
  to_regclass('waitlist.kv') is not null as "hasTable",
  ${MAY_WRITE} as "mayWrite",
  pg_backend_pid() as "pid"`;

/** The columns of {@linkcode REPORT}, as texts. */
export interface ReportRow {
  isStandby: string;
  isReadOnly: string;
  timeline: string;
  system: string;
  synchronousCommit: string;
  /** The name of the session; `null` or empty if it was not named, as in a session of another client. */
  session: string | null;
  hasTable: string;
  /** `null` if there is no table. */
  mayWrite: string | null;
  pid: string;
}

/** Reads the timeline that a process has recorded in the store of a server. */
export const RECORDED_TIMELINE = "select number from waitlist.kv where key = $1 and part = 0";

/**
 * Records a timeline in the store of a stale server. The commit waits for no standby, because no standby follows a
 * stale server.
 */
export const recordTimelineQuery = (keyHex: string, timeline: number) =>
  `begin; set local synchronous_commit = local;
  insert into waitlist.kv (key, version, number)
    values ('\\x${keyHex}', nextval('waitlist.version'), ${timeline})
    on conflict (key, part) do update set version = excluded.version,
      number = greatest(kv.number, excluded.number);
  commit`;

/** Finds out which processes of a server wait until a standby has their commits. */
export const WAITING_FOR_STANDBY = `select pid from pg_stat_activity
  where pid = any($1::int[]) and wait_event = 'SyncRep'`;
