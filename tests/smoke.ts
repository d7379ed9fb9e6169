/**
 * `deno task smoke`: starts the service on a free port and a temporary KV file, and runs `waitlist smoke` against its
 * sandbox; arguments go to `waitlist smoke`. @module
 */
import { PROJECT, startService } from "./support/process.ts";

async function smoke(args: string[]): Promise<number> {
  await using service = await startService();
  const { hostname, port } = service.started;
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "cli", "smoke", "--base-url", `http://${hostname}:${port}`, ...args],
    cwd: PROJECT,
  }).spawn().status;
  return code;
}

if (import.meta.main) Deno.exitCode = await smoke(Deno.args);
