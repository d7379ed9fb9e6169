/** nginx and Caddy as the project's own examples have them, in front of server processes. @module */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../../support/free_port.ts";
import { outputOf, startProcess } from "../../../support/process.ts";
import { readDocument } from "../../../support/readmes.ts";

/** A running proxy, to which requests go by TLS. */
export interface Proxy extends AsyncDisposable {
  /** Where it takes TLS, and where plain HTTP. */
  port: number;
  plainPort: number;
  request: (path: string, init?: RequestInit) => Promise<Response>;
}

/** @param trustsCaller whether the proxy believes what its caller says of addresses, so that a test can be many callers */
type StartProxy = (upstreams: string[], trustsCaller?: boolean) => Promise<Proxy>;

const PATH = `${Deno.env.get("PATH")}:/usr/sbin`;

/** Whether a program is here; where it is not, that is said once. */
export function isInstalled(program: string): boolean {
  const found = PATH.split(":").some((folder) => existsSync(join(folder, program)));
  if (!found) console.log(`Tests behind ${program} are skipped, as it is not here`);
  return found;
}

/** Runs a proxy in a folder of its own until it listens; gives requests to it. */
async function startProxy(
  folder: string,
  command: string[],
  { port, plainPort, certificate }: { port: number; plainPort: number; certificate: string },
): Promise<Proxy> {
  // Whatever a program keeps for its user goes into the folder.
  const env = { PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const proxy = startProcess(command, { cwd: folder, env });
  await waitFor(async () => (await Deno.connect({ hostname: "127.0.0.1", port })).close());
  const caCerts = [await waitFor(() => Deno.readTextFile(join(folder, certificate)))];
  const client = Deno.createHttpClient({ caCerts });
  return {
    port,
    plainPort,
    request: (path, init) => fetch(`https://localhost:${port}${path}`, { ...init, client }),
    async [Symbol.asyncDispose]() {
      client.close();
      await proxy.end("SIGTERM");
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Does what fails until a program has made its part. */
async function waitFor<T>(work: () => Promise<T>): Promise<T> {
  const giveUp = AbortSignal.timeout(20_000);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (giveUp.aborted) throw error;
    }
  }
}

/** Starts nginx with the example of `server/README.md`, and a certificate made here. */
export const startNginx: StartProxy = async (upstreams) => {
  const folder = await Deno.makeTempDir();
  const port = freePort(), plainPort = freePort();
  await outputOf([
    "openssl",
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "1"],
    ...["-addext", "basicConstraints=critical,CA:FALSE"],
    ...["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")],
  ]);
  const [, example = ""] = /^```nginx\n(.*?)^```$/ms.exec(await readDocument("server/README.md")) ??
    [];
  const adapted = example
    .replace(
      /(?:^ {2}server [\d.:]+(.*);\n)+/m,
      (_, options) => upstreams.map((address) => `  server ${address}${options};\n`).join(""),
    )
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replace("listen [::]:443", `listen [::1]:${port}`)
    .replace("listen 80", `listen 127.0.0.1:${plainPort}`)
    .replace("listen [::]:80", `listen [::1]:${plainPort}`)
    .replaceAll("/etc/ssl/waitlist", folder)
    .replaceAll(/\/var\/log\/nginx/g, folder)
    .replaceAll("waitlist.example.com", "localhost");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const configuration = [
    "daemon off;",
    // The account that may write to the folder.
    ...Deno.uid() === 0 ? ["user root;"] : [],
    `pid ${join(folder, "nginx.pid")};`,
    "events {}",
    "http {",
    "access_log off;",
    ...temporary.map((name) => `${name}_temp_path ${join(folder, name)};`),
    adapted,
    "}",
  ].join("\n");
  await Deno.writeTextFile(join(folder, "nginx.conf"), configuration);
  const command = ["nginx", "-p", folder, "-c", join(folder, "nginx.conf")];
  const errors = ["-e", join(folder, "error.log")];
  const ports = { port, plainPort, certificate: "fullchain.pem" };
  return await startProxy(folder, [...command, ...errors], ports);
};
