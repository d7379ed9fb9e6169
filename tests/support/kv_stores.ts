/**
 * Where the store of a real process is, for trials that run on a file and on `denokv`.
 *
 * @module
 */
import { join } from "node:path";
import { type NamedKv, openKv } from "../../server/store/kv/open.ts";
import { Denokv, DENOKV_ACCESS_TOKEN, DENOKV_FILE } from "./denokv.ts";
import type { TestVariables } from "./process.ts";

/** The kinds of stores, as an option of a command names them. */
export const STORE_KINDS = ["file", "denokv"] as const;

/** A store that lasts as long as the trial. */
export interface TrialStore extends AsyncDisposable {
  /** Tell a process of the service where it is. */
  variables: TestVariables;
  /** Its file. */
  path: string;
  /** Opens it, beside the service where that is possible. */
  open: () => Promise<NamedKv>;
  /** Ends its server, if it has one, without a warning. */
  kill: () => Promise<void>;
  /** Starts its server again. */
  startAgain: () => void;
}

/** Makes an empty store. */
export async function makeStore(kind: typeof STORE_KINDS[number]): Promise<TrialStore> {
  const folder = await Deno.makeTempDir({ prefix: "waitlist trial, " });
  const path = join(folder, DENOKV_FILE);
  if (kind === "file") {
    return {
      variables: { KV_PATH: path },
      path,
      open: () => openKv({ kind: "file", path }),
      kill: () => Promise.resolve(),
      startAgain: () => {},
      [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
    };
  }
  const denokv = await Denokv.start(folder);
  const { url } = denokv;
  return {
    variables: { KV_URL: url, DENO_KV_ACCESS_TOKEN: DENOKV_ACCESS_TOKEN },
    path,
    open: () => openKv({ kind: "connect", url, accessToken: DENOKV_ACCESS_TOKEN }),
    kill: () => denokv.kill(),
    startAgain: () => denokv.startAgain(),
    [Symbol.asyncDispose]: () => denokv[Symbol.asyncDispose](),
  };
}
