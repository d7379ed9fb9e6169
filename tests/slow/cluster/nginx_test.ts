import assert from "node:assert/strict";
import { join } from "node:path";
import { test as testOnPostgres } from "../../support/postgres.ts";
import { freePort } from "../../support/free_port.ts";
import { outputOf, PROJECT } from "../../support/process.ts";
import { json } from "../../support/service.ts";
import { CLUSTER_BASE_URL, startCluster } from "./support/cluster.ts";

/** Where nginx or openssl is not here, the test is skipped, and that is said once. */
const test = isInstalled("nginx") && isInstalled("openssl") ? testOnPostgres : Deno.test.ignore;

// The example of server/README.md, "On a machine of your own".
test("a cluster is reached by TLS, and counts the caller's own address, behind nginx", async () => {
  await using cluster = await startCluster();
  await using nginx = await startNginx(cluster.servers.map(({ address }) => address));

  const status = await nginx.request("/api/v1/status");
  assert.equal(status.status, 200);
  assert.equal(status.headers.get("ratelimit-limit"), "120");
  assert.equal((await status.json()).openapi, `${CLUSTER_BASE_URL}/openapi.json`);

  const joined = await nginx.request(
    "/api/v1/waitlist",
    json({ email: "ada@example.com", consent: true }),
  );
  assert.equal(joined.status, 200, await joined.text());
  // Far above nginx's own bound too, which would answer in other words.
  for (const size of [65_537, 3_000_000]) {
    const large = await nginx.request("/api/v1/waitlist", json({ email: "a".repeat(size) }));
    assert.equal(large.status, 413);
    assert.equal((await large.json()).error, "payload_too_large");
  }

  // However many addresses a caller makes up, the one that nginx saw is the one that counts.
  const statuses = new Set<number>();
  for (let n = 0; n < 300; n++) {
    const response = await nginx.request("/api/v1", {
      headers: { "X-Forwarded-For": `198.51.${n >> 8}.${n & 255}` },
    });
    statuses.add(response.status);
    await response.body?.cancel();
  }
  assert.deepEqual([...statuses], [200, 429]);

  const curl = (...args: string[]) => outputOf(["curl", "-sk", "-o", "/dev/null", ...args]);
  for (const host of ["127.0.0.1", "[::1]"]) {
    const url = `https://${host}:${nginx.port}/api/v1/status`;
    assert.equal(await curl("-w", "%{http_code} HTTP/%{http_version}", url), "200 HTTP/2", host);
    const plain = `http://${host}:${nginx.plainPort}/place/?t=token`;
    const moved = `301 https://${host}/place/?t=token`;
    assert.equal(await curl("-w", "%{http_code} %{redirect_url}", plain), moved);
  }
});

function isInstalled(program: string): boolean {
  const folders = [...(Deno.env.get("PATH") ?? "").split(":"), "/usr/sbin"];
  const found = folders.some((folder) => isFile(join(folder, program)));
  if (!found) console.log(`The test behind nginx is skipped, as ${program} is not here`);
  return found;
}

/**
 * Starts nginx in front of server processes, with the configuration of `server/README.md`, a port of its own and a
 * certificate made here; waits until it listens. Requests to it go by TLS.
 */
async function startNginx(upstreams: string[]) {
  const folder = await Deno.makeTempDir();
  const port = freePort(), plainPort = freePort();
  await outputOf([
    "openssl",
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "1"],
    ...["-addext", "basicConstraints=critical,CA:FALSE"],
    ...["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")],
  ]);
  await Deno.writeTextFile(
    join(folder, "nginx.conf"),
    await configuration(folder, { port, plainPort }, upstreams),
  );
  const child = new Deno.Command("nginx", {
    args: ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")],
    env: { PATH: `${Deno.env.get("PATH")}:/usr/sbin` },
    stdin: "null",
  }).spawn();
  const client = Deno.createHttpClient({
    caCerts: [await Deno.readTextFile(join(folder, "fullchain.pem"))],
  });
  await waitUntilItListens(port);
  return {
    port,
    plainPort,
    request: (path: string, init?: RequestInit) =>
      fetch(`https://localhost:${port}${path}`, { ...init, client }),
    async [Symbol.asyncDispose]() {
      client.close();
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** The example of `server/README.md` between what a configuration of its own needs. */
async function configuration(
  folder: string,
  { port, plainPort }: { port: number; plainPort: number },
  upstreams: string[],
): Promise<string> {
  const readme = await Deno.readTextFile(join(PROJECT, "server/README.md"));
  const [, example = ""] = /^```nginx\n(.*?)^```$/ms.exec(readme) ?? [];
  const servers = upstreams.map((address) => `  server ${address};`).join("\n");
  const adapted = example
    .replace(/(?:^ {2}server [\d.:]+;\n)+/m, `${servers}\n`)
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replace("listen [::]:443", `listen [::1]:${port}`)
    .replace("listen 80", `listen 127.0.0.1:${plainPort}`)
    .replace("listen [::]:80", `listen [::1]:${plainPort}`)
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

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
