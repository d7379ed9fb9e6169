/**
 * The service as Deno Deploy runs it: the entrypoint of deno.json's `deploy` settings, the platform's
 * variables, its own choice of the address, `Deno.openKv()` without an argument, no file to write to.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { VARIABLE_NAMES } from "../../../server/config/mod.ts";
import { freePort } from "../../support/free_port.ts";
import { makeTestFolder, Output, PROJECT } from "../../support/process.ts";
import { basic, json, SANDBOX_CLIENT } from "../../support/service.ts";

const BASE_URL = "https://waitlist.example.org";

/** What the platform gives a process between SIGINT and SIGKILL, in milliseconds. */
const GRACE_MS = 5_000;

/** The platform's own variables. */
const PLATFORM = {
  DENO_DEPLOY: "true",
  DENO_DEPLOY_ORGANIZATION_SLUG: "example",
  DENO_DEPLOY_APPLICATION_SLUG: "waitlist",
  DENO_DEPLOY_BUILD_ID: "build",
  DENO_DEPLOYMENT_ID: "deployment",
  DENO_TIMELINE: "production",
};

/** A Deno folder with everything that is cached already, and no KV yet: that is where it would be. */
async function makeDenoFolder(path: string): Promise<void> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(stdout));
  for await (const { name } of Deno.readDir(denoDir)) {
    if (name !== "location_data") await Deno.symlink(join(denoDir, name), join(path, name));
  }
}

async function startOnDeploy(denoFolder: string, variables: Record<string, string>) {
  const { deploy } = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));
  assert.equal(deploy.runtime.type, "dynamic");
  const port = freePort();
  const absent = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, ""]));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--deny-write", deploy.runtime.entrypoint],
    cwd: PROJECT,
    env: {
      ...absent,
      ...PLATFORM,
      ...variables,
      DENO_DIR: denoFolder,
      DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`,
    },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const stderr = new Output(child.stderr);
  return {
    stderr,
    /** Resolves once it listens, or has ended. */
    started: stderr.find(/"event":"started"/),
    request: (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init),
    /** Stops it as the platform does; gives its exit code. */
    async stop(): Promise<number> {
      child.kill("SIGINT");
      const impatience = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
      const { code } = await child.status;
      clearTimeout(impatience);
      await stderr.finished;
      return code;
    },
    async end(): Promise<number> {
      await stderr.finished;
      return (await child.status).code;
    },
  };
}

Deno.test("main() serves and stops in time when it runs as on Deno Deploy", async () => {
  await using folder = await makeTestFolder();
  await makeDenoFolder(folder.path);
  const first = await startOnDeploy(folder.path, { BASE_URL });
  assert.ok(await first.started, first.stderr.text);

  const status = await first.request("/api/v1/status");
  assert.equal(status.status, 200);
  assert.equal((await status.json()).openapi, `${BASE_URL}/openapi.json`);
  const joined = await first.request(
    "/api/v1/waitlist",
    json({ email: "ada@example.com", consent: true }),
  );
  assert.equal(joined.status, 200, await joined.text());
  const granted = await first.request("/sandbox/api/v1/oauth/token", {
    method: "POST",
    headers: { Authorization: basic(SANDBOX_CLIENT, SANDBOX_CLIENT) },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  const { access_token } = await granted.json();
  assert.equal(await first.stop(), 0, first.stderr.text);

  // The platform starts it again when a request comes; what was in KV still is.
  const second = await startOnDeploy(folder.path, { BASE_URL });
  assert.ok(await second.started, second.stderr.text);
  const stats = await second.request("/sandbox/api/v1/waitlist/stats", {
    headers: { Authorization: `Bearer ${access_token}` },
  });
  assert.equal(stats.status, 200, await stats.text());
  assert.equal(await second.stop(), 0, second.stderr.text);
});

Deno.test("main() names BASE_URL and ends when it has none on Deno Deploy", async () => {
  await using folder = await makeTestFolder();
  await makeDenoFolder(folder.path);
  const service = await startOnDeploy(folder.path, {});
  assert.equal(await service.end(), 1);
  assert.match(service.stderr.text, /^BASE_URL is required on Deno Deploy/);
});
