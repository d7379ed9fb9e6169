/**
 * What `deno task start` runs: works out folders and permissions from the configuration, and runs the service
 * with these permissions alone.
 *
 * @module
 */
import { basename, join } from "node:path";
import {
  type Config,
  fromProject,
  makeKvFolder,
  PROJECT,
  readConfig,
  SERVICE_VARIABLES,
  VARIABLE_NAMES,
} from "./config/mod.ts";

/** What V8 is told: a larger young generation takes up what requests leave behind. */
export const V8_FLAGS = "--v8-flags=--max-semi-space-size=8";

/** What no trace holds, and how long the export of telemetry waits, unless the operator sets it. */
const TELEMETRY = {
  OTEL_DENO_TRACING: "false",
  OTEL_DENO_CONSOLE: "ignore",
  OTEL_EXPORTER_OTLP_TIMEOUT: "1000",
};

/**
 * Gives how Deno runs the service, and makes the folder that it runs in: that of the KV file, which its
 * permissions name as `.`, as Deno would split a path in a flag at its commas.
 *
 * @param program the program that is run in place of the service, with its arguments
 * @throws {Error} naming `KV_PATH` and its value, where the folder cannot be made
 */
export async function serviceCommand(
  { kv, site: { contentPath } }: Pick<Config, "kv" | "site">,
  program = [`${PROJECT}/server/main.ts`, String(Deno.pid)],
): Promise<Deno.CommandOptions> {
  const readable = [".", ...["content", contentPath ?? []].flat().map(fromProject)];
  const permissions = [
    `--allow-env=${VARIABLE_NAMES}`,
    `--allow-read=${readable}`,
    "--allow-write=.",
  ];
  const telemetry = Object.entries(TELEMETRY)
    .map(([name, value]) => [name, Deno.env.get(name) || value]);
  const path = kv.kind === "file" ? kv.path : SERVICE_VARIABLES.KV_PATH.default;
  const cwd = await makeKvFolder(path);
  return {
    args: ["run", V8_FLAGS, "--allow-net", ...permissions, ...program],
    cwd,
    env: {
      ...Object.fromEntries(telemetry),
      // Also where it is set: Deno's client of denokv would write a line for each try of a call that fails.
      DENO_LOG: "info,denokv_remote=off",
      // The folder's own path, as the permissions do not reach over links.
      KV_PATH: join(cwd, basename(path)),
    },
  };
}

if (import.meta.main) {
  try {
    const result = readConfig(Deno.env.toObject());
    if ("faults" in result) throw new Error(result.faults.join("\n"));
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
