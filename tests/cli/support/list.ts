/** A service with a list of a few thousand sign-ups, to export. @module */
import { join } from "node:path";
import type { Kv } from "../../../server/store/kv/engine.ts";
import { openKv } from "../../../server/store/kv/open.ts";
import { storeSignUps } from "../../../server/store/people/sign_ups.ts";
import { makeTestFolder } from "../../support/process.ts";
import { recordId, storedSignUps } from "../../support/records.ts";
import type { Finished } from "./cli.ts";
import { runOperator, startCliService } from "./service.ts";

/** How many sign-ups are on a long list: enough that an export saves its state on the way. */
export const LIST_LENGTH = 6_000;

/** One service for the tests of a file, started before the first and stopped after the last. */
export function useList(length = LIST_LENGTH) {
  const service = {
    url: "",
    /** A folder for files of the tests. */
    folder: "",
    /** The list as NDJSON, as it is kept. */
    ndjson: "",
    /** Runs `signups export`, at another address if one is given. */
    run: (args: string[], url?: string): Promise<Finished> =>
      runOperator(url ?? service.url, ["signups", "export", ...args]),
    /** The files of the folder whose names go on after this one. */
    async leftovers(name: string): Promise<string[]> {
      const names = await Array.fromAsync(Deno.readDir(service.folder), ({ name }) => name);
      return names.filter((each) => each.startsWith(name) && each !== name).toSorted();
    },
  };
  const resources = new AsyncDisposableStack();
  Deno.test.beforeAll(async () => {
    const { path } = resources.use(await makeTestFolder());
    const kvPath = join(path, "kv.sqlite3");
    const records = await seed(kvPath, length);
    const { url } = resources.use(await startCliService(kvPath));
    const lines = Object.entries(records).map(([email, record]) => ({ email, ...record }));
    service.url = url;
    service.folder = path;
    service.ndjson = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  });
  Deno.test.afterAll(() => resources.disposeAsync());
  return service;
}

async function seed(path: string, length: number) {
  using store = await openKv({ kind: "file", path });
  await storeVisitors(store.kv, length);
  return await storedSignUps(store.kv);
}

/** Stores so many sign-ups, of several days, languages and forms. */
export async function storeVisitors(kv: Kv, length: number): Promise<void> {
  const signUps = Array.from({ length }, (_, n) => ({
    signUp: {
      email: n === 0 ? "=1+1@example.com" : `visitor${n}@example.com`,
      lang: n % 3 === 0 ? "de" as const : "en" as const,
      ...(n % 2 === 0 && { source: "hero" as const }),
    },
    at: `2026-05-0${n % 9 + 1}T10:00:00.000Z`,
    id: recordId(),
  }));
  while (signUps.length > 0) await storeSignUps(kv, signUps.splice(0, 98));
}

/** An export as NDJSON without the links to people's pages, which are encrypted anew in each export. */
export function withoutPlaceUrls(ndjson: string): string {
  return ndjson.replaceAll(/,"placeUrl":"[^"]+"/g, "");
}
