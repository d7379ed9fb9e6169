/**
 * The snippets of the developers page for OAuth libraries, and what the README of the typed client says about Jest, in a
 * project that uses the libraries. `.ci/install_generators` installs them.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  makeTestFolder,
  outputOf,
  type ServiceProcess,
  startService,
} from "../../support/process.ts";
import { SANDBOX_CLIENT } from "../../support/service.ts";
import { INSTALLED, isInstalled } from "./installed.ts";

const LIBRARIES = join(INSTALLED, "libraries");

const ignore = !isInstalled(LIBRARIES);
if (ignore) console.log("Snippets for libraries are not tried: run .ci/install_generators");

/** Reads the statistics with the access token of the snippet for openid-client. */
const READ_STATISTICS = `
const response = await oauth.fetchProtectedResource(
  config,
  access_token,
  new URL(process.env.BASE_URL + "/sandbox/api/v1/waitlist/stats"),
  "GET",
);
console.log((await response.json()).total);
`;

/** Gets an access token as an MCP client does that works without a person, with the snippet's `fetchFn`. */
const AUTHORIZE = `
import assert from "node:assert/strict";
import { auth, discoverAuthorizationServerMetadata } from "@modelcontextprotocol/sdk/client/auth.js";
import { ClientCredentialsProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";

const { BASE_URL, CLIENT: clientId = "" } = process.env;
const issuer = BASE_URL + "/sandbox";
await assert.rejects(discoverAuthorizationServerMetadata(issuer), /authorization_endpoint/);
const provider = new ClientCredentialsProvider({ clientId, clientSecret: clientId });
const serverUrl = issuer + "/api/v1";
assert.equal(await auth(provider, { serverUrl, fetchFn }), "AUTHORIZED");
const headers = { Authorization: "Bearer " + provider.tokens().access_token };
console.log((await (await fetch(serverUrl + "/waitlist/stats", { headers })).json()).total);
`;

const JEST_TEST = `
import { createApiClient } from "@example/waitlist-client";

test("stats() of the developers page's example reads the statistics of the sandbox", async () => {
  const client = createApiClient({ baseUrl: process.env.BASE_URL, environment: "sandbox" });
  const { data, error } = await client.stats();
  expect(error).toBeUndefined();
  expect(data.total).toBe(1280);
});
`;

/** Makes a project that has the libraries and the client that the service serves. */
async function makeProject(service: ServiceProcess, path: string): Promise<void> {
  const modules = join(path, "node_modules");
  await Deno.mkdir(join(modules, "@example", "waitlist-client"), { recursive: true });
  const installed = join(LIBRARIES, "node_modules");
  for await (const { name } of Deno.readDir(installed)) {
    await Deno.symlink(join(installed, name), join(modules, name));
  }
  const client = await service.request("/developers/waitlist-client.tgz");
  await Deno.writeFile(join(path, "client.tgz"), await client.bytes());
  const unpack = ["tar", "-xzf", "client.tgz", "--strip-components=1"];
  await outputOf([...unpack, "-C", "node_modules/@example/waitlist-client"], { cwd: path });
  const manifest = { type: "module", jest: { cacheDirectory: "<rootDir>/.cache" } };
  await Deno.writeTextFile(join(path, "package.json"), JSON.stringify(manifest));
}

/** Returns the snippet in JavaScript of the developers page that has a word. */
async function snippetWith(word: string, { request }: ServiceProcess): Promise<string> {
  const page = await (await request("/developers.md")).text();
  const snippets = Array.from(page.matchAll(/^```js\n([^]*?)^```$/gm), ([, code]) => code!);
  return snippets.find((code) => code.includes(word)) ?? assert.fail(`no snippet with ${word}`);
}

Deno.test({
  name:
    "Code for OAuth libraries and for Jest works as the developers page and the client's README show it",
  ignore,
  async fn(t) {
    await using folder = await makeTestFolder();
    await using service = await startService({ KV_PATH: join(folder.path, "kv", "kv.sqlite3") });
    const project = join(folder.path, "project");
    await makeProject(service, project);
    const { baseUrl } = service.started;
    const env = { BASE_URL: baseUrl, CLIENT: SANDBOX_CLIENT };
    const runProgram = async (name: string, code: string) => {
      await Deno.writeTextFile(join(project, name), code);
      return await outputOf(["node", name], { cwd: project, env });
    };

    await t.step(
      "openid-client reads the metadata with the option that the page names",
      async () => {
        const snippet = await snippetWith("oauth.discovery", service);
        // As the page says for `http:`.
        const overHttp = snippet.replace(
          'algorithm: "oauth2"',
          "$&, execute: [oauth.allowInsecureRequests]",
        );
        assert.notEqual(overHttp, snippet);
        assert.equal(await runProgram("openid.js", overHttp + READ_STATISTICS), "1280\n");
      },
    );

    await t.step("The MCP SDK accepts the metadata with the fetchFn of the page", async () => {
      const snippet = await snippetWith("fetchFn", service);
      assert.equal(await runProgram("mcp.js", snippet + AUTHORIZE), "1280\n");
    });

    await t.step("Jest runs the client with the flag that the client's README names", async () => {
      const readme = join(project, "node_modules/@example/waitlist-client/README.md");
      const [, line = ""] = /`(NODE_OPTIONS=\S+ npx jest)`/.exec(await Deno.readTextFile(readme)) ??
        [];
      await Deno.writeTextFile(join(project, "stats.test.js"), JEST_TEST);
      await outputOf(["sh", "-euc", line], { cwd: project, env });
    });
  },
});
