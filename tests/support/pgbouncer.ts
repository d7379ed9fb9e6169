/** A throw-away PgBouncer in front of a PostgreSQL server, where it is installed (`.ci/install_pgbouncer` does it). @module */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free_port.ts";
import { POSTGRES } from "./postgres.ts";
import { outputOf, startProcess } from "./process.ts";

const PROGRAM = "/usr/sbin/pgbouncer";

/** Whether tests can use it; where it is not here, that is said once. */
const HAS_PGBOUNCER = existsSync(PROGRAM);
if (!HAS_PGBOUNCER) {
  console.log("Tests behind PgBouncer are skipped, as it is not here: run .ci/install_pgbouncer");
}

/** Makes a test that is skipped where there is no PgBouncer or no PostgreSQL. */
export const test = (name: string, fn: () => Promise<void>) =>
  Deno.test({
    name,
    fn,
    ignore: !POSTGRES || !HAS_PGBOUNCER,
    sanitizeOps: false,
    sanitizeResources: false,
  });

/** Starts a pool of the given mode; it refuses to run as root, and so it runs as PostgreSQL's user. */
export async function startPgBouncer(
  postgres: { port: number },
  mode: "session" | "transaction" | "statement",
) {
  const folder = await Deno.makeTempDir({ prefix: "waitlist_pgbouncer_" });
  const user = Deno.uid() === 0 ? ["runuser", "-u", "postgres", "--"] : [];
  const port = freePort();
  const settings = [
    "[databases]",
    // All clients are this user, as the authentication is `any`.
    `* = host=127.0.0.1 port=${postgres.port} user=postgres`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    `pool_mode = ${mode}`,
  ].join("\n");
  const file = join(folder, "pgbouncer.ini");
  await Deno.writeTextFile(file, `${settings}\n`);
  if (user.length > 0) await outputOf(["chown", "-R", "postgres", folder]);
  const running = startProcess([...user, PROGRAM, file], { cwd: folder });
  if (!await running.stderr.find(/process up/)) {
    throw new Error(`PgBouncer did not start: ${(await running.end()).stderr}`);
  }
  return {
    /** Its address, as `KV_URL` has it. */
    urlOf: (database: string) => `postgres://postgres:unused@127.0.0.1:${port}/${database}`,
    port,
    async [Symbol.asyncDispose](): Promise<void> {
      await running.end("SIGTERM");
      await Deno.remove(folder, { recursive: true });
    },
  };
}
