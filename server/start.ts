/** Starts the service for `deno task start`, with the folders and permissions that its configuration needs. @module */
import { basename, join } from "node:path";
import { VERSION } from "../shared/version.ts";
import {
  type Config,
  CONFIG_EXIT_CODE,
  ENVIRONMENT_NAMES,
  fromProject,
  kvFolder,
  makeFolder,
  PROJECT,
  readConfig,
} from "./config/mod.ts";

/**
 * A large young generation of V8. In a small one, the objects of running requests would move to the old generation,
 * whose collection takes longer.
 */
export const V8_FLAGS = "--v8-flags=--min-semi-space-size=32,--max-semi-space-size=32";

/**
 * Makes the command that runs a program, by default the service. The program runs in the folder of the KV file, and the
 * permissions name this folder `.`, because Deno would split a path with a comma.
 */
export async function serviceCommand(
  { kv, backup, secretFiles, site: { contentPath } }: Config,
  program = [`${PROJECT}/server/main.ts`, String(Deno.pid)],
): Promise<Deno.CommandOptions> {
  const certificates = kv.kind === "postgres" ? kv.tls?.ca : undefined;
  const readable = ["content", contentPath ?? [], certificates ?? [], secretFiles].flat()
    .map(fromProject);
  const folder = kv.kind === "file" ? await makeFolder("KV_PATH", kvFolder(kv.path)) : undefined;
  const { location } = backup ?? {};
  const backups = location?.kind === "folder"
    ? [await makeFolder("BACKUP_URL", location.path)]
    : [];
  const written = [folder ? "." : [], backups].flat();
  const allow = [
    // Without this flag, Deno would ask in a terminal about variables that the PostgreSQL client reads needlessly.
    "--no-prompt",
    "--allow-net",
    ...written.length > 0 ? [`--allow-write=${written}`] : [],
    `--allow-read=${[...written, ...readable]}`,
  ];
  return {
    args: ["run", V8_FLAGS, ...allow, `--allow-env=${ENVIRONMENT_NAMES},PG*,OTEL_*`, ...program],
    cwd: folder ?? PROJECT,
    env: {
      // The task `start` turns OpenTelemetry off for `start.ts`, because the end of `start.ts` would otherwise wait for
      // a collector. The service itself may use it.
      OTEL_SDK_DISABLED: "false",
      // By default, there are no traces and no exported log, because they would hold values of requests.
      OTEL_DENO_TRACING: Deno.env.get("OTEL_DENO_TRACING") || "false",
      OTEL_DENO_CONSOLE: Deno.env.get("OTEL_DENO_CONSOLE") || "ignore",
      OTEL_RESOURCE_ATTRIBUTES: [
        `service.version=${VERSION}`,
        // Attributes of the operator come last, because a later value takes the place of an earlier one.
        Deno.env.get("OTEL_RESOURCE_ATTRIBUTES") || [],
      ].flat().join(),
      // The end of the process waits for the collector, by default for a second at most.
      OTEL_EXPORTER_OTLP_TIMEOUT: Deno.env.get("OTEL_EXPORTER_OTLP_TIMEOUT") || "1000",
      // The paths have no symbolic links, because permissions do not follow them.
      ...folder && kv.kind === "file" && { KV_PATH: join(folder, basename(kv.path)) },
      ...backups.length > 0 && { BACKUP_URL: `${backups}` },
    },
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
    // A signal may reach only this process, so it passes the signal on. The service ignores a second signal.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      Deno.addSignalListener(signal, () => service.kill(signal));
    }
    Deno.exit((await service.status).code);
  } catch (error) {
    console.error((error as Error).message);
    Deno.exit(1);
  }
}
