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
  const content = ["content", contentPath ?? []].flat().map(fromProject);
  const path = kv.kind === "file" ? kv.path : SERVICE_VARIABLES.KV_PATH.default;
  const cwd = await makeKvFolder(path);
  const unlessSet = (name: string, value: string) => ({ [name]: Deno.env.get(name) || value });
  return {
    args: [
      "run",
      V8_FLAGS,
      "--allow-net",
      `--allow-env=${VARIABLE_NAMES}`,
      `--allow-read=.,${content}`,
      "--allow-write=.",
      ...program,
    ],
    cwd,
    env: {
      // No trace holds what a request says, and the end waits for a collector only this long.
      ...unlessSet("OTEL_DENO_TRACING", "false"),
      ...unlessSet("OTEL_DENO_CONSOLE", "ignore"),
      ...unlessSet("OTEL_EXPORTER_OTLP_TIMEOUT", "1000"),
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
