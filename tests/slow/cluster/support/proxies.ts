/** nginx and Caddy as the project's own examples have them, in front of server processes. @module */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../support/free_port.ts";
import { outputOf, startProcess } from "../../../support/process.ts";
import { readDocument } from "../../../support/project_files.ts";

/** A running proxy, to which requests go by TLS. */
interface Proxy extends AsyncDisposable {
  /** Where it takes TLS, and where plain HTTP. */
  port: number;
  plainPort: number;
  request: (path: string, init?: RequestInit) => Promise<Response>;
}

/** @param trustsCaller whether the proxy believes what its caller says of addresses, so that a test can be many callers */
type StartProxy = (upstreams: string[], trustsCaller?: boolean) => Promise<Proxy>;

const CACHE = Deno.env.get("XDG_CACHE_HOME") || join(homedir(), ".cache");

/** Where `.ci/install_nginx` and `.ci/install_caddy` put the programs. */
const PROGRAMS = { nginx: "/usr/sbin/nginx", caddy: join(CACHE, "waitlist/caddy/bin/caddy") };

/** Whether a proxy is here; where it is not, that is said once. */
export function isInstalled(name: keyof typeof PROGRAMS): boolean {
  const found = existsSync(PROGRAMS[name]);
  if (!found) console.log(`Tests behind ${name} are skipped: run .ci/install_${name}`);
  return found;
}

/** Runs a proxy in a folder of its own until it listens; gives requests to it. */
async function startProxy(
  folder: string,
  command: string[],
  { port, plainPort, certificate }: { port: number; plainPort: number; certificate: string },
): Promise<Proxy> {
  // Whatever a program keeps for its user goes into the folder.
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const proxy = startProcess(command, { cwd: folder, env });
  const caCerts = [await waitFor(() => Deno.readTextFile(join(folder, certificate)))];
  const client = Deno.createHttpClient({ caCerts });
  const request: Proxy["request"] = (path, init) =>
    fetch(`https://localhost:${port}${path}`, { ...init, client });
  await waitFor(async () => await (await request("/ready")).body?.cancel());
  return {
    port,
    plainPort,
    request,
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

/** Starts nginx with the example of `server/docs/deploy.md`, and a certificate made here. */
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
  const [, example = ""] =
    /^```nginx\n(.*?)^```$/ms.exec(await readDocument("server/docs/deploy.md")) ??
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
  const command = [PROGRAMS.nginx, "-p", folder, "-c", join(folder, "nginx.conf")];
  const errors = ["-e", join(folder, "error.log")];
  const ports = { port, plainPort, certificate: "fullchain.pem" };
  return await startProxy(folder, [...command, ...errors], ports);
};

/** Starts Caddy with `server/deploy/Caddyfile`, which makes the certificate of a host such as `localhost` by itself. */
export const startCaddy: StartProxy = async (upstreams, trustsCaller = false) => {
  const folder = await Deno.makeTempDir();
  const port = freePort(), plainPort = freePort();
  const options = [
    "admin off",
    "skip_install_trust",
    `http_port ${plainPort}`,
    `https_port ${port}`,
  ];
  const example = (await readDocument("server/deploy/Caddyfile"))
    .replace("{$DOMAIN:waitlist.example.com}", "localhost")
    .replace("{$UPSTREAMS:127.0.0.1:8000}", upstreams.join(" "));
  const adapted = trustsCaller
    ? example.replace("lb_try_duration", "trusted_proxies private_ranges\n\t\tlb_try_duration")
    : example;
  const text = `{\n${options.map((line) => `\t${line}\n`).join("")}}\n${adapted}`;
  const file = join(folder, "Caddyfile");
  await Deno.writeTextFile(file, text);
  const command = [PROGRAMS.caddy, "run", "--adapter", "caddyfile", "--config", file];
  const certificate = "caddy/pki/authorities/local/root.crt";
  return await startProxy(folder, command, { port, plainPort, certificate });
};
