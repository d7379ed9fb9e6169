/** A throw-away PostgreSQL server, where it is installed (`.ci/install_postgres` does it). @module */
import { join } from "node:path";
import { openKv } from "../../server/store/kv/open.ts";
import { accept } from "./config.ts";
import { freePort } from "./free_port.ts";
import { outputOf, startProcess } from "./process.ts";

/** The folder of the programs; `undefined` where there is none, which is said once. */
export const POSTGRES = findPrograms();

/**
 * Makes a test that is skipped where there is no PostgreSQL. A server, whose output is read all the time, may serve many
 * tests.
 */
export const test = (name: string, fn: (t: Deno.TestContext) => Promise<void>) =>
  Deno.test({ name, fn, ignore: !POSTGRES, sanitizeOps: false, sanitizeResources: false });

function findPrograms(): string | undefined {
  const root = "/usr/lib/postgresql";
  try {
    const versions = [...Deno.readDirSync(root)].map(({ name }) => Number(name));
    return join(root, String(Math.max(...versions)), "bin");
  } catch {
    console.log("Tests on PostgreSQL are skipped, as it is not here: run .ci/install_postgres");
  }
}

/** A server on a port of its own, which it keeps when it is started again. */
export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

interface PostgresOptions {
  /** Lines of `postgresql.conf`. */
  settings?: string[];
  /** Further files in the server's folder, by their names. */
  files?: Record<string, string>;
  /** Folders for its data and for its log of writes, each on a disk of its own. */
  disks?: { data?: string; wal?: string };
  /** The connection to the server that it is a standby of. */
  standbyOf?: string;
}

/** Starts a server; it refuses to run as root, and so it runs as the user that Debian makes for it. */
export async function startPostgres(
  { settings = [], files = {}, disks = {}, standbyOf }: PostgresOptions = {},
) {
  if (!POSTGRES) throw new Error("There is no PostgreSQL");
  const folder = await Deno.makeTempDir({ prefix: "waitlist postgres " });
  const data = join(disks.data ?? folder, "data");
  const port = freePort();
  const user = Deno.uid() === 0 ? ["runuser", "-u", "postgres", "--"] : [];
  const program = (name: string, ...args: string[]) => [...user, join(POSTGRES, name), ...args];
  if (user.length > 0) await outputOf(["chown", "postgres", folder]);
  const at = { cwd: folder };
  if (standbyOf) {
    await outputOf(program("pg_basebackup", "-D", data, "-R", "-c", "fast", "-d", standbyOf), at);
  } else {
    const options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"];
    if (disks.wal) options.push("--waldir", join(disks.wal, "wal"));
    await outputOf(program("initdb", "-D", data, ...options), at);
  }
  const text = [`port = ${port}`, `unix_socket_directories = ''`, ...settings].join("\n");
  await Deno.writeTextFile(join(data, "postgresql.conf"), `\n${text}\n`, { append: true });
  for (const [name, content] of Object.entries(files)) {
    await Deno.writeTextFile(join(data, name), content, { mode: 0o600 });
    if (user.length > 0) await outputOf(["chown", "postgres", join(data, name)]);
  }
  let running: ReturnType<typeof startProcess> | undefined;
  let databases = 0;

  const server = {
    port,
    /** The address of a database, as `KV_URL` has it. */
    urlOf: (database: string, hosts = `127.0.0.1:${port}`) =>
      `postgres://postgres:unused@${hosts}/${database}`,
    /** Runs SQL; gives what it prints. */
    async sql(text: string, database = "postgres"): Promise<string> {
      const address = ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-d", database];
      const psql = join(POSTGRES, "psql");
      return (await outputOf([psql, ...address, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", text]))
        .trim();
    },
    /** Makes an empty database; gives its name. */
    async createDatabase(): Promise<string> {
      const name = `waitlist_${++databases}`;
      await server.sql(`create database ${name}`);
      return name;
    },
    /** Starts it, for the first time or again, and waits until it answers. */
    async start(): Promise<void> {
      running = startProcess(program("postgres", "-D", data), at);
      const ready = await running.stderr.find(/database system is ready to accept/);
      if (!ready) throw new Error(`PostgreSQL did not start: ${(await running.end()).stderr}`);
    },
    /** Ends the server and all its processes without a warning, if it runs; the postmaster's id stands in its file. */
    async kill(signal: "SIGKILL" | "SIGINT" = "SIGKILL"): Promise<void> {
      if (!running) return;
      try {
        const pid = (await Deno.readTextFile(join(data, "postmaster.pid"))).split("\n")[0];
        Deno.kill(Number(pid), signal);
      } catch {
        // It has ended by itself.
      }
      const { child, end } = running;
      // `runuser` stops itself where its child was stopped, and then does not hear of its end.
      const waking = setInterval(() => signalTo(child.pid, "SIGCONT"), 100);
      await end().finally(() => clearInterval(waking));
      running = undefined;
    },
    /** Tell a process of the service where it is. */
    variables: { KV_URL: `postgres://postgres:unused@127.0.0.1:${port}/postgres` },
    /** Opens the store. */
    open: () => openUrl(server.variables.KV_URL),
    /** The ids of its processes. */
    async pids(): Promise<number[]> {
      const [postmaster = ""] = (await Deno.readTextFile(join(data, "postmaster.pid"))).split("\n");
      const children = await outputOf(["ps", "-o", "pid=", "--ppid", postmaster]);
      return [postmaster, ...children.trim().split(/\s+/)].map(Number);
    },
    /** Stops all its processes where they are, as on a machine that hangs, or lets them go on. */
    async signalAll(signal: "SIGSTOP" | "SIGCONT"): Promise<void> {
      for (const pid of await server.pids()) signalTo(pid, signal);
    },
    /** Adds a line to its settings, which it takes over at its next start. */
    addSetting: (line: string) =>
      Deno.writeTextFile(join(data, "postgresql.conf"), `${line}\n`, { append: true }),
    /** Adds a line to its settings while it runs. */
    async configure(line: string): Promise<void> {
      await server.addSetting(line);
      await server.sql("select pg_reload_conf()");
    },
    async [Symbol.asyncDispose](): Promise<void> {
      if (running) await server.signalAll("SIGCONT").catch(() => {});
      await server.kill("SIGINT");
      await Deno.remove(folder, { recursive: true });
    },
  };
  await server.start();
  return server;
}

function signalTo(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** Opens the store at an address, as the service does. */
export const openUrl = (KV_URL: string) => openKv(accept({ KV_URL }).kv);
