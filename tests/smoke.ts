/**
 * `deno task smoke`: starts the service on a free port and a temporary KV file, and runs `waitlist smoke`
 * against its sandbox; arguments go to `waitlist smoke`.
 *
 * @module
 */
import { join } from "node:path";
import { makeTestFolder, PROJECT, startService } from "./support/process.ts";

async function smoke(args: string[]): Promise<number> {
  await using folder = await makeTestFolder();
  await using service = await startService({ KV_PATH: join(folder.path, "kv.sqlite3") });
  const { hostname, port } = service.started;
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "cli", "smoke", "--base-url", `http://${hostname}:${port}`, ...args],
    cwd: PROJECT,
  }).spawn().status;
  return code;
}

if (import.meta.main) Deno.exitCode = await smoke(Deno.args);
