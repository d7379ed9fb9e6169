/** Where the store of a real process is, for trials that run on a file and on `denokv`. @module */
import { join } from "node:path";
import { Option } from "commander";
import { openKv } from "../../server/store/kv/open.ts";
import { DENOKV_FILE, startDenokv } from "./denokv.ts";

const KINDS = ["file", "denokv"] as const;

/** The kind of a store. */
export type StoreKind = typeof KINDS[number];

/** The option of a command that names the kind. */
export const KV_OPTION = new Option("--kv <kind>", "where the store is")
  .choices(KINDS).default("file");

/** A store that lasts as long as the trial. */
export type TrialStore = Awaited<ReturnType<typeof makeStore>>;

/** Makes an empty store. */
export async function makeStore(kind: StoreKind) {
  const folder = await Deno.makeTempDir({ prefix: "waitlist trial, " });
  const path = join(folder, DENOKV_FILE);
  if (kind === "denokv") return { ...await startDenokv(folder), path };
  return {
    /** Tell a process of the service where it is. */
    variables: { KV_PATH: path },
    path,
    /** Opens it, beside the service where that is possible. */
    open: () => openKv({ kind: "file", path }),
    /** Ends its server, if it has one, without a warning. */
    kill: () => Promise.resolve(),
    /** Starts its server again. */
    startAgain: () => {},
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
