/**
 * What the engine makes in a database: a schema with one table, a sequence and functions.
 *
 * A counter has several rows, whose numbers are added up. The rows of counters are divided into numbered parts. Each
 * commit writes to a part that no other commit under way uses, so that no commit waits for the counters of another
 * commit.
 *
 * A row of version 0 reserves a key that must stay absent while a commit is under way. The commit removes this row at
 * its end. @module
 */

/**
 * Makes a commit. The name of an SQL function ends with a number, which changes with what the function does, so that
 * programs of two versions can share a database.
 */
export const COMMIT = `select waitlist.commit_2($1, $2, $3, $4, $5, $6, $7, $8),
  current_setting('synchronous_commit'), current_setting('waitlist.session', true)`;

/** The parts of counters, and the version of the last commit that wrote to each of them. */
export const PARTS = "select part, max(version) from waitlist.kv where part > 0 group by part";

/**
 * Adds the counters of a part to the counters that belong to no part, unless a commit has changed the part's version.
 */
export const FOLD = "select waitlist.fold_2($1, $2)";

/**
 * Makes the number of a part that no other process has. A sequence would give numbers twice after the promotion of a
 * standby.
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
export const GET =
  "select key, version, number, value from waitlist.kv where key = any($1) and version > 0";

/**
 * Lists entries. The version of a counter is the sum of the versions of its rows, so that it grows with each of them.
 */
export const LIST = (order: "asc" | "desc") =>
  `select key, sum(version)::bigint, sum(number)::bigint, string_agg(value, '') from waitlist.kv
  where key >= $1 and key < $2 and version > 0 group by key order by key ${order} limit $3`;

/** Whether the schema, the table and the functions are there, and the role may use them. */
export const IS_CREATED =
  `select coalesce(has_schema_privilege(to_regnamespace('waitlist'), 'usage')
  and has_sequence_privilege(to_regclass('waitlist.version'), 'usage')
  and (select bool_and(has_table_privilege(to_regclass('waitlist.kv'), name))
    from unnest('{select,insert,update,delete}'::text[]) as name)
  and to_regprocedure('waitlist.fold_2(bigint, bigint)') is not null, false)`;

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
  (select bool_and(has_table_privilege(to_regclass('waitlist.kv'), name))
    from unnest('{select,insert,update,delete}'::text[]) as name) as "mayWrite",
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
export const RECORD_TIMELINE = (keyHex: string, timeline: number) =>
  `begin; set local synchronous_commit = local;
  insert into waitlist.kv (key, version, number)
    values ('\\x${keyHex}', nextval('waitlist.version'), ${timeline})
    on conflict (key, part) do update set version = excluded.version,
      number = greatest(kv.number, excluded.number);
  commit`;

/** Finds out which processes of a server wait until a standby has their commits. */
export const WAITING_FOR_STANDBY = `select pid from pg_stat_activity
  where pid = any($1::int[]) and wait_event = 'SyncRep'`;

/**
 * Makes the schema, the table and the functions, one process at a time.
 *
 * `commit_2` gets the entries of a commit in the order of their keys, and after them the counters of the commit (kind
 * 3), so that all commits lock rows in one order. It gets them in runs: the entries of a run are either only checked
 * (kind 0), or written (kind 1: set, kind 2: delete). `numbers` has the version that an entry must have, 0 if the entry
 * must be absent, and null if the entry may have any version.
 *
 * `fold_2` drops the rows with the key `["slot"]`, which earlier programs have written.
 */
export const CREATE = `
select pg_advisory_xact_lock(6518463091);
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
  v bigint := nextval('waitlist.version');
  first int := 1;
  last int;
  from_byte int;
  ks bytea[];
  absent bytea[];
  locked bytea[];
  n int;
begin
  foreach last in array runs loop
    from_byte := case when first = 1 then 0 else value_ends[first - 1] end;
    select array_agg(u.key order by u.i),
        array_agg(u.key order by u.i) filter (where u.must = 0),
        array_agg(u.key order by u.i) filter (where u.must <> 0 or u.kind = 2)
      into ks, absent, locked
      from (select e.i, e.must, e.kind, substr(data, e.start + 1, e.key_end - e.start) as key
        from unnest(key_ends[first:last], from_byte || value_ends[first:last - 1], numbers[first:last],
          kinds[first:last]) with ordinality as e(key_end, start, must, kind, i)) u;
    if kinds[first] = 3 then
      insert into waitlist.kv (key, part, version, number)
        select u.key, own_part, v, u.by from unnest(ks, numbers[first:last]) as u(key, by)
        on conflict (key, part) do update
          set version = excluded.version, number = kv.number + excluded.number;
      exit;
    elsif kinds[first] = 0 then
      insert into waitlist.kv (key, version) select unnest(absent), 0 on conflict do nothing;
      perform 1 from waitlist.kv where key = any(ks) order by key, part for share;
    elsif locked is not null then
      perform 1 from waitlist.kv where key = any(locked) order by key, part for update;
    end if;
    if kinds[first] = 0 or locked is not null then
      perform 1 from unnest(ks, numbers[first:last], kinds[first:last]) as u(key, must, kind)
        where (u.must <> 0 or u.kind = 0)
          and u.must <> coalesce((select sum(version) from waitlist.kv where key = u.key), 0);
      if found then raise exception using errcode = 'WL001'; end if;
    end if;
    if kinds[first] = 0 then
      delete from waitlist.kv where key = any(absent);
    else
      if locked is not null then
        delete from waitlist.kv where key in
          (select u.key from unnest(ks, kinds[first:last]) as u(key, kind) where u.kind = 2);
      end if;
      insert into waitlist.kv (key, version, value)
        select u.key, v, substr(data, u.key_end + 1, u.value_end - u.key_end)
          from unnest(ks, kinds[first:last], key_ends[first:last], value_ends[first:last])
            with ordinality as u(key, kind, key_end, value_end, i)
          where u.kind = 1 order by u.i
        on conflict (key, part) do update set version = excluded.version, value = excluded.value
          where absent is null or kv.key <> all(absent);
      get diagnostics n = row_count;
      if n <> (select count(*) from unnest(kinds[first:last]) as u(kind) where u.kind = 1) then
        raise exception using errcode = 'WL001';
      end if;
    end if;
    first := last + 1;
  end loop;
  if notice is not null then perform pg_notify('${CHANNEL}', notice); end if;
  return v;
exception when sqlstate 'WL001' then return 0;
end $$;

create or replace function waitlist.fold_2(unused bigint, last_version bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(6518463092);
  perform 1 from waitlist.kv where part = unused order by key for update;
  if (select max(version) from waitlist.kv where part = unused) is distinct from last_version then return; end if;
  with gone as (delete from waitlist.kv where part = unused returning key, version, number)
    insert into waitlist.kv (key, version, number) select key, version, number from gone
      where key <> '\\x02736c6f7400' order by key
    on conflict (key, part) do update
      set version = kv.version + excluded.version, number = kv.number + excluded.number;
end $$;`;
