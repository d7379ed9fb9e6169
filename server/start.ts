/**
 * Starts the service for `deno task start`: makes the folders of the KV file and of the backups, and runs `main.ts`
 * with the permissions, the V8 flags and the variables that the service needs. @module
 */
import { basename, join } from "node:path";
import { VERSION } from "../shared/version.ts";
import {
  ALL_VARIABLE_NAMES,
  type Config,
  CONFIG_EXIT_CODE,
  fromProject,
  kvFolder,
  makeFolder,
  PROJECT,
  readConfig,
} from "./config/mod.ts";

/**
 * Flags for V8's memory.
 *
 * - The young generation is large. With a small young generation, objects of running requests would move to the old
 *   generation, where the collection of garbage takes longer.
 * - The old generation is collected when it has grown by half of the memory in use. By default, it grows more, so that
 *   a recount of 100,000 people took 320 MB in place of 222 MB, in the same time.
 */
export const V8_FLAGS =
  "--v8-flags=--min-semi-space-size=32,--max-semi-space-size=32,--heap-growing-percent=50";

/**
 * Variables for the process of the service. An operator may set them to other values.
 *
 * - `MALLOC_TRIM_THRESHOLD_`, in bytes: `malloc` of the GNU C library gives free memory above this size back to the
 *   operating system. By default, the library raises the size while the service runs, and keeps some 15 MB more. With a
 *   given size, the library also requests each block of 128 KiB or more separately from the operating system.
 * - `DENO_TOKIO_EVENT_INTERVAL`, in steps of Deno's scheduler: Deno reads its sockets at least once in this number of
 *   steps, which must be 1 or more. With Deno's default of 61, requests wait up to 20 ms while a page of the console is
 *   made.
 */
export const PROCESS_VARIABLES = {
  MALLOC_TRIM_THRESHOLD_: "131072",
  DENO_TOKIO_EVENT_INTERVAL: "1",
};

/** The folders that the service writes to. A folder is absent if the service does not use it. */
interface WritableFolders {
  /** The folder of the KV file. */
  kvFileFolder: string | undefined;
  /** The folder of `BACKUP_URL`. */
  backupFolder: string | undefined;
}

/**
 * Makes the command that runs a program, by default the service, with the permissions that the service needs. With a KV
 * file, the program runs in the folder of this file, and the permissions call this folder `.`, because Deno would split
 * a path with a comma into two.
 */
export async function serviceCommand(
  config: Config,
  program = [`${PROJECT}/server/main.ts`, String(Deno.pid)],
): Promise<Deno.CommandOptions> {
  const folders = await makeWritableFolders(config);
  return {
    args: ["run", V8_FLAGS, ...permissionFlags(config, folders), ...program],
    cwd: folders.kvFileFolder ?? PROJECT,
    env: {
      ...openTelemetryVariables(),
      ...processVariables(),
      ...folderVariables(config, folders),
    },
  };
}

/** Makes the folders that the service writes to, and gives their paths. */
async function makeWritableFolders({ kv, backup }: Config): Promise<WritableFolders> {
  const kvFileFolder = kv.kind === "file"
    ? await makeFolder("KV_PATH", kvFolder(kv.path))
    : undefined;
  const backupFolder = backup?.location.kind === "folder"
    ? await makeFolder("BACKUP_URL", backup.location.path)
    : undefined;
  return { kvFileFolder, backupFolder };
}

/** Gives the flags of `deno run` for the permissions that the service needs with this configuration. */
function permissionFlags(
  { kv, secretFiles, site: { contentPath } }: Config,
  { kvFileFolder, backupFolder }: WritableFolders,
): string[] {
  const writable: string[] = [];
  if (kvFileFolder !== undefined) writable.push(".");
  if (backupFolder !== undefined) writable.push(backupFolder);

  const readable = ["content"];
  if (contentPath !== undefined) readable.push(contentPath);
  if (kv.kind === "postgres" && kv.tls?.ca !== undefined) readable.push(kv.tls.ca);
  readable.push(...secretFiles);

  return [
    // Without this flag, Deno would ask in a terminal for permission to read variables that the PostgreSQL client does
    // not need.
    "--no-prompt",
    "--allow-net",
    ...writable.length > 0 ? [`--allow-write=${writable}`] : [],
    `--allow-read=${[...writable, ...readable.map(fromProject)]}`,
    `--allow-env=${ALL_VARIABLE_NAMES},PG*,OTEL_*`,
  ];
}

/** Gives {@linkcode PROCESS_VARIABLES}, with the values that the operator has set. */
function processVariables(): Record<string, string> {
  const variables = Object.entries(PROCESS_VARIABLES);
  return Object.fromEntries(
    variables.map(([name, value]) => [name, Deno.env.get(name) || value]),
  );
}

/** Gives the variables of OpenTelemetry for the process of the service. */
function openTelemetryVariables(): Record<string, string> {
  const attributes = [`service.version=${VERSION}`];
  // The operator's attributes come after those of the service, because a later value replaces an earlier one.
  const operatorAttributes = Deno.env.get("OTEL_RESOURCE_ATTRIBUTES");
  if (operatorAttributes) attributes.push(operatorAttributes);
  return {
    // The task `start` sets this variable to turn OpenTelemetry off for the process of `start.ts`, which would
    // otherwise wait for a collector before it ends. Here OpenTelemetry is turned on again for the service.
    OTEL_SDK_DISABLED: "false",
    // Unless the operator sets these variables, traces and the log are not exported, because they would have values
    // of requests in them.
    OTEL_DENO_TRACING: Deno.env.get("OTEL_DENO_TRACING") || "false",
    OTEL_DENO_CONSOLE: Deno.env.get("OTEL_DENO_CONSOLE") || "ignore",
    OTEL_RESOURCE_ATTRIBUTES: attributes.join(),
    // Before the service ends, it waits for the collector, for at most a second unless the operator gives another
    // time.
    OTEL_EXPORTER_OTLP_TIMEOUT: Deno.env.get("OTEL_EXPORTER_OTLP_TIMEOUT") || "1000",
  };
}

/** Gives the paths without symbolic links, because Deno's permissions do not follow symbolic links. */
function folderVariables(
  { kv }: Config,
  { kvFileFolder, backupFolder }: WritableFolders,
): Record<string, string> {
  return {
    ...kv.kind === "file" && kvFileFolder && { KV_PATH: join(kvFileFolder, basename(kv.path)) },
    ...backupFolder && { BACKUP_URL: backupFolder },
  };
}

if (import.meta.main) {
  try {
    const result = readConfig(Deno.env.toObject());
    if ("faults" in result) {
      console.error(result.faults.join("\n"));
      Deno.exit(CONFIG_EXIT_CODE);
    }
    const service = new Deno.Command(Deno.execPath(), await serviceCommand(result.config)).spawn();
    // A signal may reach only this process, so this process passes it on to the service. If a signal has reached the
    // service as well, the service gets it twice, and ignores it the second time.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      Deno.addSignalListener(signal, () => service.kill(signal));
    }
    Deno.exit((await service.status).code);
  } catch (error) {
    console.error((error as Error).message);
    Deno.exit(1);
  }
}
