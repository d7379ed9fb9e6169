/**
 * Makes the table of the store and the SQL functions that write to it, if a process finds at its start that they are
 * missing. `table.ts` describes the rows of the table, and has the statements that use the table. @module
 */
import { CHANNEL, MAY_WRITE } from "./table.ts";

/** Whether the schema, the table and the functions are there, and the role may use schema and table. */
export const IS_CREATED =
  `select coalesce(has_schema_privilege(to_regnamespace('waitlist'), 'usage')
  and has_sequence_privilege(to_regclass('waitlist.version'), 'usage')
  and ${MAY_WRITE}
  and to_regproc('waitlist.commit_2') is not null
  and to_regproc('waitlist.fold_2') is not null, false)`;

/** The advisory lock of {@linkcode CREATE}, so that two processes do not make the table at the same time. */
const CREATE_LOCK = 6_518_463_091;

/** The advisory lock of `fold_2`, so that two calls do not move counters at the same time. */
const FOLD_LOCK = 6_518_463_092;

/**
 * The key `["slot"]`, encoded as in `encoded_keys.ts`. Earlier programs have written rows with this key, which are no
 * counters.
 */
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
 * `fold_2` moves the counters of the part with the number `unused` to part 0. It moves nothing if a commit has written
 * to `unused` since the version `last_version`. It drops the rows of earlier programs.
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
