/** The time that Deno KV itself needs for a list: the measure for the commands that handle the whole list. @module */
import { openSqlite } from "../../../../server/store/kv/open.ts";
import { encodeValue } from "../../../../server/store/kv/values.ts";
import { outputOf } from "../../../support/process.ts";
import { addressOf } from "./list_file.ts";

/** What Deno KV needs for one entry of each person, in seconds. */
export interface BareKvFigures {
  /** To write the entries, 32 in a commit. */
  write: number;
  /** To list the entries. */
  list: number;
}

/** The entries of a commit, as many as the people whom a commit of the service changes. */
const BATCH = 32;

/** About as long as the record of an imported person. */
const VALUE = { imported: "x".repeat(270) };

/** Measures Deno KV on a new file, in a process of its own. */
export async function measureBareKv(folder: string, people: number): Promise<BareKvFigures> {
  const args = [`${folder}/bare.sqlite3`, String(people)];
  const { pathname } = new URL(import.meta.url);
  return JSON.parse(await outputOf([Deno.execPath(), "run", "-A", pathname, ...args]));
}

async function measure(path: string, people: number): Promise<BareKvFigures> {
  using kv = await openSqlite(path);
  const value = encodeValue(VALUE);
  const started = performance.now();
  for (let from = 0; from < people; from += BATCH) {
    const atomic = kv.atomic();
    for (let n = from; n < Math.min(from + BATCH, people); n++) {
      atomic.set(["sign_up", addressOf(n)], value);
    }
    await atomic.commit();
  }
  const written = performance.now();
  for await (const _ of kv.list({ prefix: ["sign_up"] }, { batchSize: 500 }));
  return { write: (written - started) / 1000, list: (performance.now() - written) / 1000 };
}

if (import.meta.main) {
  const [path = "", people = ""] = Deno.args;
  console.log(JSON.stringify(await measure(path, Number(people))));
}
