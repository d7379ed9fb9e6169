/**
 * `deno task smoke`: starts the service on a free port and a temporary KV file, and runs `waitlist smoke`
 * against its sandbox; arguments go to `waitlist smoke`.
 *
 * @module
 */
import { startService } from "./cli/support/service.ts";

const service = await startService();
try {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "cli", "smoke", "--base-url", service.url, ...Deno.args],
    cwd: new URL("../", import.meta.url),
  }).spawn().status;
  Deno.exitCode = code;
} finally {
  await service.stop();
}
