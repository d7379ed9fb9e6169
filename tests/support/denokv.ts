/**
 * A self-hosted `denokv`, where it is installed (`.ci/install_denokv` does it).
 *
 * @module
 */
import { join } from "node:path";
import { freePort } from "./free_port.ts";
import { KV_ACCESS_TOKEN } from "./kv_connect.ts";

/** The access token of the tests' servers. */
export const DENOKV_ACCESS_TOKEN = KV_ACCESS_TOKEN;

/** The name of a server's file in its folder. */
export const DENOKV_FILE = "kv.sqlite3";

/** The installed program; `undefined` where there is none, which is said once. */
export const DENOKV = findProgram();

function findProgram(): string | undefined {
  const cache = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "", ".cache");
  const folders = [join(cache, "waitlist/denokv/bin"), ...(Deno.env.get("PATH") ?? "").split(":")];
  const paths = folders.map((folder) => join(folder, "denokv"));
  const found = paths.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
  if (!found) console.log("Tests on denokv are skipped, as it is not here: run .ci/install_denokv");
  return found;
}

/** A KV server on a port of its own, which it keeps when it is started again. */
export class Denokv implements AsyncDisposable {
  readonly #folder: string;
  readonly #port: number;
  #child: Deno.ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.#child = this.#spawn();
  }

  /**
   * Starts a server, for which whoever connects waits.
   *
   * @param folder that of its file, which ends with the server; an empty one unless told otherwise
   */
  static async start(folder?: string): Promise<Denokv> {
    return new Denokv(folder ?? await Deno.makeTempDir(), freePort());
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The process's id while it runs. */
  get pid(): number {
    if (!this.#child) throw new Error("denokv does not run");
    return this.#child.pid;
  }

  /** Ends the server, if it runs, without a warning; what it has acknowledged must not be lost. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#child?.status;
    this.#child = undefined;
  }

  /** Starts it again on the same store. */
  startAgain(): void {
    this.#child = this.#spawn();
  }

  /** Removes its file while it does not run, with all that was stored. */
  async removeFile(): Promise<void> {
    for (const suffix of ["", "-wal", "-shm"]) {
      await Deno.remove(join(this.#folder, DENOKV_FILE + suffix)).catch(() => {});
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await Deno.remove(this.#folder, { recursive: true });
  }

  #spawn(): Deno.ChildProcess {
    if (!DENOKV) throw new Error("There is no denokv");
    return new Deno.Command(DENOKV, {
      args: ["--sqlite-path", join(this.#folder, DENOKV_FILE), "serve"].concat(
        ["--access-token", DENOKV_ACCESS_TOKEN, "--addr", `127.0.0.1:${this.#port}`],
        // As server/README.md starts it.
        ["--atomic-write-batch-timeout-ms", "1"],
      ),
      stdout: "null",
      stderr: "null",
    }).spawn();
  }
}
