/**
 * What the engine makes in a database: a schema with one table, a sequence and functions.
 *
 * A counter has several rows, whose numbers are added up. The rows of counters are divided into numbered parts. Each
 * part belongs to one process. A commit of the process writes to a part that no other call under way uses, so that
 * commits do not wait for each other's counters (`sendCommit()` has the exception). Part 0 belongs to no process: it
 * gets the counters of a part to which no commit has written for some time.
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
 * Moves the counter rows of a part (see the head of this file) to part 0, which belongs to no process, unless a commit
 * has written to the part since its version was read.
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
const CHANNEL = "waitlist";

/** Lets a connection receive the notifications. */
export const LISTEN = `listen ${CHANNEL}`;

/** Makes a name for a process, which no other process has. */
export const PROCESS_ID = "select gen_random_uuid()";

/** Reads entries. A counter has several rows. */
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
const MAY_WRITE = `(select bool_and(has_table_privilege(to_regclass('waitlist.kv'), name))
    from unnest('{select,insert,update,delete}'::text[]) as name)`;

/** Whether the schema, the table and the functions are there, and the role may use schema and table. */
export const IS_CREATED =
  `select coalesce(has_schema_privilege(to_regnamespace('waitlist'), 'usage')
  and has_sequence_privilege(to_regclass('waitlist.version'), 'usage')
  and ${MAY_WRITE}
  and to_regproc('waitlist.commit_2') is not null
  and to_regproc('waitlist.fold_2') is not null, false)`;

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

/** The advisory lock of {@linkcode CREATE}, so that two processes do not make the table at the same time. */
const CREATE_LOCK = 6_518_463_091;

/** The advisory lock of `fold_2`, so that two calls do not move counters at the same time. */
const FOLD_LOCK = 6_518_463_092;

/** The key `["slot"]`, encoded as in `rows.ts`. Earlier programs have written rows with this key, which are no counters. */
const EARLIER_KEY_HEX = "02736c6f7400";

/**
 * The numbers that stand for the kinds of entries in a commit. They never change, because programs of two versions
 * share the SQL function `commit_2`.
 */
export const KIND = { check: 0, set: 1, delete: 2, add: 3 };

/**
 * Makes the schema, the table and the functions, one process at a time. A database that has the functions keeps them
 * ({@linkcode IS_CREATED}), so a function with another behaviour needs a new number in its name. The names of the
 * parameters stay as they are, because PostgreSQL refuses to replace a function by one with other names.
 *
 * `commit_2` makes a commit, and gives its version; 0 if a check has failed. Its parameters hold the entries of the
 * commit in the order of their keys, and after them the counters of the commit, so that all commits lock rows in one
 * order. The entries are divided into runs. All entries of a run are only checked, or all are written (set or deleted),
 * or all are counters. `runs` has the position of the last entry of each run. `numbers` has a number for each entry:
 * the version that the entry must have, 0 if the entry must be absent, and null if the entry may have any version; for
 * a counter, the amount that is added.
 *
 * `fold_2` moves the counters of the part `unused` to part 0, unless a commit has written to the part since
 * `last_version`. It drops the rows of earlier programs.
 */
export const CREATE = `
select pg_advisory_xact_lock(${CREATE_LOCK});
create schema if not exists waitlist;
create sequence if not exists waitlist.version;
create table if not exists waitlist.kv (
  key bytea not null, part bigint not null default 0, version bigint not null, number bigint, value bytea,
  primary key (key, part)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 1);
create index if not exists kv_part on waitlist.kv (part) where part > 0;

create or replace function waitlist.commit_2(data bytea, key_ends int[], value_ends int[], kinds int[],
  numbers bigint[], runs int[], notice text, own_part bigint) returns bigint language plpgsql as $$
declare
  new_version bigint := nextval('waitlist.version');
  run_start int := 1;
  run_end int;
  from_byte int;
  run_keys bytea[];
  absent_keys bytea[];
  keys_to_lock bytea[];
  written int;
begin
  foreach run_end in array runs loop
    -- Cuts the keys of the run out of the bytes.
    from_byte := case when run_start = 1 then 0 else value_ends[run_start - 1] end;
    select array_agg(entry.key order by entry.i),
        array_agg(entry.key order by entry.i) filter (where entry.expected = 0),
        array_agg(entry.key order by entry.i) filter (where entry.expected <> 0 or entry.kind = ${KIND.delete})
      into run_keys, absent_keys, keys_to_lock
      from (select e.i, e.expected, e.kind, substr(data, e.start + 1, e.key_end - e.start) as key
        from unnest(key_ends[run_start:run_end], from_byte || value_ends[run_start:run_end - 1],
          numbers[run_start:run_end], kinds[run_start:run_end])
          with ordinality as e(key_end, start, expected, kind, i)) entry;

    -- Adds to counters, which are the last run.
    if kinds[run_start] = ${KIND.add} then
      insert into waitlist.kv (key, part, version, number)
        select entry.key, own_part, new_version, entry.amount
          from unnest(run_keys, numbers[run_start:run_end]) as entry(key, amount)
        on conflict (key, part) do update
          set version = excluded.version, number = kv.number + excluded.number;
      exit;
    end if;

    -- Reserves absent keys that are only checked, and locks the rows that are checked or deleted.
    if kinds[run_start] = ${KIND.check} then
      insert into waitlist.kv (key, version) select unnest(absent_keys), 0 on conflict do nothing;
      perform 1 from waitlist.kv where key = any(run_keys) order by key, part for share;
    elsif keys_to_lock is not null then
      perform 1 from waitlist.kv where key = any(keys_to_lock) order by key, part for update;
    end if;

    -- Compares the versions. The exception WL001 undoes all writes, and the function gives 0.
    if kinds[run_start] = ${KIND.check} or keys_to_lock is not null then
      perform 1
        from unnest(run_keys, numbers[run_start:run_end], kinds[run_start:run_end]) as entry(key, expected, kind)
        where (entry.expected <> 0 or entry.kind = ${KIND.check})
          and entry.expected <> coalesce((select sum(version) from waitlist.kv where key = entry.key), 0);
      if found then raise exception using errcode = 'WL001'; end if;
    end if;

    if kinds[run_start] = ${KIND.check} then
      -- Removes the rows that reserved absent keys.
      delete from waitlist.kv where key = any(absent_keys);
    else
      if keys_to_lock is not null then
        delete from waitlist.kv where key in
          (select entry.key from unnest(run_keys, kinds[run_start:run_end]) as entry(key, kind)
            where entry.kind = ${KIND.delete});
      end if;
      -- Writes. If another commit has meanwhile made a row that must be absent, leaves this row as it is, so that fewer
      -- rows are written than there are entries to set, and the commit fails.
      insert into waitlist.kv (key, version, value)
        select entry.key, new_version, substr(data, entry.key_end + 1, entry.value_end - entry.key_end)
          from unnest(run_keys, kinds[run_start:run_end], key_ends[run_start:run_end], value_ends[run_start:run_end])
            with ordinality as entry(key, kind, key_end, value_end, i)
          where entry.kind = ${KIND.set} order by entry.i
        on conflict (key, part) do update set version = excluded.version, value = excluded.value
          where absent_keys is null or kv.key <> all(absent_keys);
      get diagnostics written = row_count;
      if written <>
        (select count(*) from unnest(kinds[run_start:run_end]) as entry(kind) where entry.kind = ${KIND.set})
      then
        raise exception using errcode = 'WL001';
      end if;
    end if;
    run_start := run_end + 1;
  end loop;
  if notice is not null then perform pg_notify('${CHANNEL}', notice); end if;
  return new_version;
exception when sqlstate 'WL001' then return 0;
end $$;

create or replace function waitlist.fold_2(unused bigint, last_version bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(${FOLD_LOCK});
  perform 1 from waitlist.kv where part = unused order by key for update;
  if (select max(version) from waitlist.kv where part = unused) is distinct from last_version then return; end if;
  with gone as (delete from waitlist.kv where part = unused returning key, version, number)
    insert into waitlist.kv (key, version, number) select key, version, number from gone
      where key <> '\\x${EARLIER_KEY_HEX}' order by key
    on conflict (key, part) do update
      set version = kv.version + excluded.version, number = kv.number + excluded.number;
end $$;`;
