/**
 * nginx with the configuration of `server/README.md`, on ports of its own and with a certificate made here.
 *
 * @module
 */
import { join } from "node:path";
import { freePort } from "../../../support/free_port.ts";
import { PROJECT } from "../../../support/process.ts";

/** Whether nginx and openssl are here; where they are not, that is said once. */
export const NGINX = isInstalled("nginx") && isInstalled("openssl");

function isInstalled(program: string): boolean {
  const folders = [...(Deno.env.get("PATH") ?? "").split(":"), "/usr/sbin"];
  const found = folders.some((folder) => {
    try {
      return Deno.statSync(join(folder, program)).isFile;
    } catch {
      return false;
    }
  });
  if (!found) console.log(`The test behind nginx is skipped, as ${program} is not here`);
  return found;
}

/** A running nginx. */
export interface Nginx extends AsyncDisposable {
  /** Sends a request by TLS. */
  request: (path: string, init?: RequestInit) => Promise<Response>;
}

/** Starts nginx in front of server processes; waits until it listens. */
export async function startNginx(upstreams: string[]): Promise<Nginx> {
  const folder = await Deno.makeTempDir();
  const port = freePort();
  await run("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "1"],
    ...["-addext", "basicConstraints=critical,CA:FALSE"],
    ...["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")],
  ]);
  await Deno.writeTextFile(
    join(folder, "nginx.conf"),
    await configuration(folder, port, upstreams),
  );
  const child = new Deno.Command("nginx", {
    args: ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")],
    env: { PATH: `${Deno.env.get("PATH")}:/usr/sbin` },
    stdin: "null",
  }).spawn();
  const client = Deno.createHttpClient({
    caCerts: [await Deno.readTextFile(join(folder, "fullchain.pem"))],
  });
  const nginx: Nginx = {
    request: (path, init) => fetch(`https://localhost:${port}${path}`, { ...init, client }),
    async [Symbol.asyncDispose]() {
      client.close();
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
  await waitUntilItListens(port);
  return nginx;
}

/** The example of `server/README.md` between what a configuration of its own needs. */
async function configuration(folder: string, port: number, upstreams: string[]): Promise<string> {
  const readme = await Deno.readTextFile(join(PROJECT, "server/README.md"));
  const [, example = ""] = /^```nginx\n(.*?)^```$/ms.exec(readme) ?? [];
  const servers = upstreams.map((address) => `  server ${address};`).join("\n");
  const adapted = example
    .replace(/(?:^ {2}server [\d.:]+;\n)+/m, `${servers}\n`)
    .replaceAll(/listen \S+ ssl/g, `listen 127.0.0.1:${port} ssl`)
    .replaceAll("/etc/ssl/waitlist", folder)
    .replaceAll("waitlist.example.com", "localhost");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return [
    "daemon off;",
    `pid ${join(folder, "nginx.pid")};`,
    "events {}",
    "http {",
    "access_log off;",
    ...temporary.map((name) => `${name}_temp_path ${join(folder, name)};`),
    adapted,
    "}",
  ].join("\n");
}

async function run(program: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

async function waitUntilItListens(port: number): Promise<void> {
  const giveUp = AbortSignal.timeout(10_000);
  for (;;) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionRefused) || giveUp.aborted) throw error;
    }
  }
}
