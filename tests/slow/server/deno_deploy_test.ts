/**
 * The service as Deno Deploy runs it: the entrypoint of deno.json's `deploy` settings, the platform's variables, its
 * own choice of the address, `Deno.openKv()` without an argument, no file to write to. @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { freePort } from "../../support/free_port.ts";
import { environment, makeTestFolder, outputOf, PROJECT } from "../../support/process.ts";
import { requestTo, STARTED, startProcess, type TestVariables } from "../../support/process.ts";
import { readStats, sendSignUp } from "../../support/process_requests.ts";
import { getAccessToken, SANDBOX_CLIENT } from "../../support/service.ts";

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
  const { denoDir } = JSON.parse(await outputOf([Deno.execPath(), "info", "--json"]));
  for await (const { name } of Deno.readDir(denoDir)) {
    if (name !== "location_data") await Deno.symlink(join(denoDir, name), join(path, name));
  }
}

async function startOnDeploy(denoFolder: string, variables: TestVariables) {
  const { deploy } = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));
  assert.equal(deploy.runtime.type, "dynamic");
  const port = freePort();
  const command = [Deno.execPath(), "run", "-A", "--deny-write", deploy.runtime.entrypoint];
  const { child, stderr, end } = startProcess(command, {
    cwd: PROJECT,
    env: {
      ...environment(variables),
      ...PLATFORM,
      DENO_DIR: denoFolder,
      DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`,
    },
  });
  return {
    stderr,
    end,
    /** Resolves once it listens, or has ended. */
    started: stderr.find(STARTED),
    request: requestTo(`http://127.0.0.1:${port}`),
    /** Stops it as the platform does; gives its exit code. */
    async stop(): Promise<number> {
      const impatience = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
      const { code } = await end("SIGINT");
      clearTimeout(impatience);
      return code;
    },
  };
}

Deno.test("main() answers requests and stops in time under the conditions of Deno Deploy", async () => {
  await using folder = await makeTestFolder();
  await makeDenoFolder(folder.path);
  const first = await startOnDeploy(folder.path, { BASE_URL });
  assert.ok(await first.started, first.stderr.text);

  const status = await first.request("/api/v1/status");
  assert.equal(status.status, 200);
  assert.equal((await status.json()).openapi, `${BASE_URL}/openapi.json`);
  const joined = await sendSignUp(first, { email: "ada@example.com" });
  assert.equal(joined.status, 200, await joined.text());
  const published = { clientId: SANDBOX_CLIENT, clientSecret: SANDBOX_CLIENT };
  const token = await getAccessToken(first, published, "/sandbox");
  assert.equal(await first.stop(), 0, first.stderr.text);

  // The platform starts it again when a request comes; what was in KV still is.
  const second = await startOnDeploy(folder.path, { BASE_URL });
  assert.ok(await second.started, second.stderr.text);
  await readStats(second, token, "/sandbox");
  assert.equal(await second.stop(), 0, second.stderr.text);
});

Deno.test("main() ends with an error that names BASE_URL when BASE_URL is not set on Deno Deploy", async () => {
  await using folder = await makeTestFolder();
  await makeDenoFolder(folder.path);
  const service = await startOnDeploy(folder.path, {});
  assert.equal((await service.end()).code, 78);
  assert.match(service.stderr.text, /^BASE_URL is required on Deno Deploy/);
});
