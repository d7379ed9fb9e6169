/** The servers under measurement, each in processes of its own. @module */
import { join } from "node:path";
import { V8_FLAGS } from "../../../server/start.ts";
import { openKv, type OpenStore } from "../../../server/store/kv/open.ts";
import { assertReadable } from "../../../server/store/kv/calls.ts";
import { pages } from "../../../server/store/kv/pages.ts";
import { freePort } from "../../support/free_port.ts";
import { type Postgres, startPostgres } from "../../support/postgres.ts";
import {
  outputOf,
  PROJECT,
  RUN,
  RUN_VARIABLES,
  type RuntimeName,
  startProcess,
} from "../../support/process.ts";
import { Commit, type Entry } from "../../../server/store/kv/engine.ts";
import { sampleWaits } from "./lock_waits.ts";
import { listAll } from "../../support/memory_kv.ts";

/** A server under measurement. */
export interface RunningServer extends AsyncDisposable {
  /** Where it listens; the load is divided among them. */
  ports: number[];
  /** The processes of the service. */
  pids: number[];
  /** Those of what it needs besides. */
  beside?: () => Promise<number[]>;
}

/** A server of one process. */
export interface ServerProcess extends RunningServer {
  port: number;
  pid: number;
}

/** Starts a Deno program of this folder; see {@linkcode start}. */
export const startProgram = (
  program: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<ServerProcess> => {
  const { pathname } = new URL(program, import.meta.url);
  return start([Deno.execPath(), "run", "-A", V8_FLAGS, pathname, ...args], env);
};

/** Starts a program of this folder on Node, beside which {@linkcode installForNode} has put it. */
export const startOnNode = (folder: string, program: string): Promise<ServerProcess> =>
  start([`${folder}/node_modules/.bin/node`, `${folder}/${program}`]);

/** The port that a server prints, or the service logs. */
const LISTENS = /(?:http:\/\/localhost:|listening )\d+[\s"]/;

/** Starts a server and waits until it says its port, with `http://localhost:` or `listening` before it. */
async function start(command: string[], env: Record<string, string> = {}): Promise<ServerProcess> {
  const { child: { pid }, stdout, stderr, end } = startProcess(command, { env });
  const line = await Promise.race([stdout.find(LISTENS), stderr.find(LISTENS)]);
  if (!line) throw new Error(`${command.join(" ")} did not start: ${(await end()).stderr}`);
  const port = Number(/\d+/.exec(line)![0]);
  const stop = async () => void await end("SIGTERM");
  return { port, pid, ports: [port], pids: [pid], [Symbol.asyncDispose]: stop };
}

/**
 * Starts the service itself on a KV file, with one trusted proxy and the default log level. Its base URL is always the
 * same, so that an access token of one start is valid in the next.
 */
export async function startService(
  kvPath: string,
  env: Record<string, string> = {},
  runtime: RuntimeName = "deno",
): Promise<ServerProcess> {
  await forgetLimits(openKv({ kind: "file", path: kvPath }));
  return await startServiceOn({ KV_PATH: kvPath, ...env }, runtime);
}

/** Starts the service on the KV that the variables name; see {@linkcode startService}. */
async function startServiceOn(
  env: Record<string, string>,
  runtime: RuntimeName = "deno",
): Promise<ServerProcess> {
  const port = freePort();
  const fixed = {
    ...RUN_VARIABLES[runtime],
    BASE_URL: "http://localhost:8000",
    PORT: String(port),
    TRUSTED_PROXY_HOPS: "1",
  };
  const command = [...RUN[runtime](), join(PROJECT, "server/main.ts")];
  const server = await start(command, { ...fixed, ...env });
  return { ...server, port, ports: [port] };
}

/** Starts processes of the service on a PostgreSQL server of their own, with a copy of a KV file. */
export async function startOnPostgres(kvPath: string, processes: number): Promise<RunningServer> {
  await using resources = new AsyncDisposableStack();
  const postgres = resources.use(await startPostgres());
  await copyInto(postgres, kvPath);
  const services = [];
  for (let started = 0; started < processes; started++) {
    services.push(resources.use(await startServiceOn(postgres.variables)));
  }
  const { KV_URL } = postgres.variables;
  resources.use(await sampleWaits(KV_URL, `${processes} of the service`));
  const running = resources.move();
  return {
    ports: services.map(({ port }) => port),
    pids: services.map(({ pid }) => pid),
    beside: postgres.pids,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function copyInto(postgres: Postgres, path: string): Promise<void> {
  // Another process may have the file itself.
  const folder = await Deno.makeTempDir({ prefix: "waitlist-bench-" });
  const copy = join(folder, "kv.sqlite3");
  await Deno.copyFile(path, copy);
  using from = await openKv({ kind: "file", path: copy });
  using to = await postgres.open();
  for await (const page of pages<unknown>(from.kv, { prefix: [] })) {
    const commit = new Commit();
    for (const { key, value } of page.map(assertReadable<Entry>)) {
      if (["limit_counts", "slot"].includes(String(key[0]))) continue;
      if (typeof value === "number") commit.add(key, value);
      else commit.set(key, value);
    }
    await to.kv.commit(commit);
  }
  await Deno.remove(folder, { recursive: true });
}

/** Forgets the counts of an earlier start in the same minute, so that each measurement starts alike. */
async function forgetLimits(opening: Promise<OpenStore>): Promise<void> {
  using store = await opening;
  const { kv } = store;
  for (const { key } of await listAll(kv, { prefix: ["limit_counts"] })) {
    await kv.commit(new Commit().delete(key));
  }
}

/** Installs packages, Node among them, from npm into a folder, and copies a program of this one there. */
export async function installForNode(
  folder: string,
  program: string,
  packages: string[],
): Promise<void> {
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/package.json`, '{"type":"module"}');
  await outputOf(["npm", "install", "--no-audit", "--no-fund", ...packages], { cwd: folder });
  const name = program.slice(program.lastIndexOf("/") + 1);
  await Deno.copyFile(new URL(program, import.meta.url), `${folder}/${name}`);
}
