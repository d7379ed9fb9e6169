/** A self-hosted `denokv`, where it is installed (`.ci/install_denokv` does it). @module */
import { join } from "node:path";
import { openKv } from "../../server/store/kv/open.ts";
import { freePort } from "./free_port.ts";
import { KV_ACCESS_TOKEN } from "./kv_connect.ts";

/** The name of a server's file in its folder. */
export const DENOKV_FILE = "kv.sqlite3";

/** The installed program; `undefined` where there is none, which is said once. */
export const DENOKV = findProgram();

/** Makes a test that is skipped where there is no `denokv`. */
export const test = DENOKV ? Deno.test : Deno.test.ignore;

function findProgram(): string | undefined {
  const cache = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "", ".cache");
  const folders = [join(cache, "waitlist/denokv/bin"), ...(Deno.env.get("PATH") ?? "").split(":")];
  const paths = folders.map((folder) => join(folder, "denokv"));
  const found = paths.find(isFile);
  if (!found) console.log("Tests on denokv are skipped, as it is not here: run .ci/install_denokv");
  return found;
}

/** Whether there is a file at a path. */
export function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** A KV server on a port of its own, which it keeps when it is started again. */
export type Denokv = Awaited<ReturnType<typeof startDenokv>>;

/** Starts a server, for which whoever connects waits. @param folder that of its file, which ends with the server */
export async function startDenokv(folder?: string) {
  if (!DENOKV) throw new Error("There is no denokv");
  const path = join(folder ??= await Deno.makeTempDir(), DENOKV_FILE);
  const address = `127.0.0.1:${freePort()}`;
  const url = `http://${address}`;
  const args = ["--sqlite-path", path, "serve", "--access-token", KV_ACCESS_TOKEN].concat(
    ["--addr", address],
    // As server/README.md starts it.
    ["--atomic-write-batch-timeout-ms", "1"],
  );
  const command = new Deno.Command(DENOKV, { args, stdout: "null", stderr: "null" });
  let child: Deno.ChildProcess | undefined = command.spawn();
  const server = {
    url,
    /** Tell a process of the service where it is. */
    variables: { KV_URL: url, DENO_KV_ACCESS_TOKEN: KV_ACCESS_TOKEN },
    /** The process's id while it runs. */
    get pid(): number {
      return child!.pid;
    },
    /** Opens the store. */
    open: () => openKv({ kind: "connect", url, accessToken: KV_ACCESS_TOKEN }),
    /** Ends the server, if it runs, without a warning; what it has acknowledged must not be lost. */
    async kill(): Promise<void> {
      child?.kill("SIGKILL");
      await child?.status;
      child = undefined;
    },
    /** Starts it again on the same store. */
    startAgain: () => void (child = command.spawn()),
    /** Removes its file while it does not run, with all that was stored. */
    async removeFile(): Promise<void> {
      for (const suffix of ["", "-wal", "-shm"]) await Deno.remove(path + suffix).catch(() => {});
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await server.kill();
      await Deno.remove(folder, { recursive: true });
    },
  };
  return server;
}
