/** What `deno task start` runs: the service, with the folder and permissions that its settings need. @module */
import { basename, join } from "node:path";
import { VERSION } from "../shared/version.ts";
import { type Config, CONFIG_EXIT_CODE, ENVIRONMENT_NAMES, fromProject } from "./config/mod.ts";
import { kvFolder, makeFolder, PROJECT, readConfig } from "./config/mod.ts";

/** A larger young generation, from the start, takes up what requests leave behind: in a smaller one, it grows old. */
export const V8_FLAGS = "--v8-flags=--min-semi-space-size=32,--max-semi-space-size=32";

/**
 * Gives how Deno runs a program, the service unless told otherwise. It runs in the folder of the KV file, which its
 * permissions name as `.`: Deno would split a path in a flag at its commas.
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
    // The client of PostgreSQL looks for more variables than it needs, and a terminal would ask about them.
    "--no-prompt",
    "--allow-net",
    ...written.length > 0 ? [`--allow-write=${written}`] : [],
    `--allow-read=${[...written, ...readable]}`,
  ];
  return {
    args: ["run", V8_FLAGS, ...allow, `--allow-env=${ENVIRONMENT_NAMES},PG*,OTEL_*`, ...program],
    cwd: folder ?? PROJECT,
    env: {
      // The task sets it, so that this process has no metrics of its own, for which its end would wait.
      OTEL_SDK_DISABLED: "false",
      // By default, no trace holds what a request says, and the end waits a second at most for a collector.
      OTEL_DENO_TRACING: Deno.env.get("OTEL_DENO_TRACING") || "false",
      OTEL_DENO_CONSOLE: Deno.env.get("OTEL_DENO_CONSOLE") || "ignore",
      OTEL_RESOURCE_ATTRIBUTES: [
        `service.version=${VERSION}`,
        // What is set comes later, and wins.
        Deno.env.get("OTEL_RESOURCE_ATTRIBUTES") || [],
      ].flat().join(),
      OTEL_EXPORTER_OTLP_TIMEOUT: Deno.env.get("OTEL_EXPORTER_OTLP_TIMEOUT") || "1000",
      // The folder's own path, as the permissions do not reach over links.
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
    // A signal to this process alone is passed on; the service takes no notice of a second one.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      Deno.addSignalListener(signal, () => service.kill(signal));
    }
    Deno.exit((await service.status).code);
  } catch (error) {
    console.error((error as Error).message);
    Deno.exit(1);
  }
}
