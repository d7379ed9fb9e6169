/**
 * A self-hosted `denokv`, where it is installed (`.ci/install_denokv` does it).
 *
 * @module
 */
import { join } from "node:path";

/** The access token of the tests' servers. */
export const DENOKV_ACCESS_TOKEN = "token-of-the-tests";

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
  #child: Deno.ChildProcess;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.#child = this.#spawn();
  }

  /** Starts a server on an empty store; whoever connects waits for it. */
  static async start(): Promise<Denokv> {
    return new Denokv(await Deno.makeTempDir(), freePort());
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Ends the server without a warning; what it has acknowledged must not be lost. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
  }

  /** Starts it again on the same store. */
  startAgain(): void {
    this.#child = this.#spawn();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await Deno.remove(this.#folder, { recursive: true });
  }

  #spawn(): Deno.ChildProcess {
    if (!DENOKV) throw new Error("There is no denokv");
    return new Deno.Command(DENOKV, {
      args: ["--sqlite-path", join(this.#folder, "kv.sqlite3"), "serve"].concat(
        ["--access-token", DENOKV_ACCESS_TOKEN, "--addr", `127.0.0.1:${this.#port}`],
      ),
      stdout: "null",
      stderr: "null",
    }).spawn();
  }
}

/** A port of the loopback address that nothing listens on. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
