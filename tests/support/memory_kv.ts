import { denoKv, type DenoKvOptions } from "../../server/store/kv/deno_kv.ts";
import type { Entry, Kv, Selector } from "../../server/store/kv/engine.ts";
import { openSqlite } from "../../server/store/kv/open.ts";
import { assertReadable } from "../../server/store/kv/calls.ts";
import { withKnownOutcomes } from "../../server/store/kv/outcomes.ts";
import { pages } from "../../server/store/kv/pages.ts";
import { testWith } from "./test_with.ts";

/** A store of a test; dispose of it to close it. */
export interface TestKv extends Kv, Disposable {
  /** The engine, Deno's own KV. */
  raw: Deno.Kv;
}

export function testKv(raw: Deno.Kv, options?: DenoKvOptions): TestKv {
  const kv = withKnownOutcomes(denoKv(raw, options));
  return { ...kv, raw, [Symbol.dispose]: () => raw.close() };
}

/** Opens an empty store in memory. */
export async function openMemoryKv(options?: DenoKvOptions): Promise<TestKv> {
  return testKv(await openSqlite(":memory:"), options);
}

/** A test of an empty store in memory. */
export const test = testWith(() => openMemoryKv());

/** Opens a store on a file, as a process of the service does that has locked the file. */
export async function openFileKv(path: string, options?: DenoKvOptions): Promise<TestKv> {
  return testKv(await openSqlite(path), options);
}

/** Reads a list to its end. @throws where an entry cannot be read */
export async function listAll<T>(kv: Kv, selector: Selector): Promise<Entry<T>[]> {
  const entries = (await Array.fromAsync(pages<T>(kv, selector))).flat();
  return entries.map(assertReadable<Entry<T>>);
}
