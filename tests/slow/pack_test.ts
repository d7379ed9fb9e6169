/**
 * The typed client as an npm package: packed by the task, installed into an empty project of Node, and run there as its
 * documents say.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import config from "../../deno.json" with { type: "json" };
import { openPerson, signIn } from "../support/console.ts";
import { firstLetterIn } from "../support/letters.ts";
import { OPERATOR_KEY } from "../support/operator.ts";
import {
  makeTestFolder,
  outputOf,
  runTask,
  type ServiceProcess,
  startService,
} from "../support/process.ts";
import { json, ndjson } from "../support/service.ts";

const NAME = "@example/waitlist-client";

/** Calls every operation as the documents do not: with signals, and with the published credentials. */
const ALL_OPERATIONS = `import assert from "node:assert/strict";
import { type ApiFailure, createApiClient, type WaitlistStats } from "${NAME}";

const client = createApiClient({ baseUrl: "BASE_URL", environment: "sandbox" });
const { signal } = new AbortController();
const status = await client.status({ signal });
assert.equal(status.data?.environment, "sandbox");
const joined = await client.join({ email: "ada@example.com", consent: true }, { signal });
assert.equal(joined.data?.accepted, true);
const stats: WaitlistStats | undefined = (await client.stats({ signal })).data;
assert.equal(stats?.total, 1280);
const ended = await client.token({ signal: AbortSignal.abort() });
const kind: ApiFailure["kind"] | undefined = ended.error?.kind;
assert.equal(kind, "aborted");
// @ts-expect-error: consent is required.
const refused = await client.join({ email: "ada@example.com" });
assert.equal(refused.error?.kind, "refused");
console.log("all operations");
`;

/** The product of the third example, in which an invited person signs up. */
const PRODUCT = `import assert from "node:assert/strict";
import { app } from "./readme_3.js";

const [code] = process.argv.slice(2);
const shown = await app.request("/welcome?code=" + code);
assert.deepEqual(await shown.json(), { email: "ada@example.com", isUsed: false });
const signUp = () => app.request("/welcome", { method: "POST", body: new URLSearchParams({ code }) });
const account = await (await signUp()).json();
assert.equal(account.isActive, true);
assert.equal((await signUp()).status, 409);
assert.equal((await app.request("/welcome?code=none")).status, 404);
console.log(account.id);
`;

/** A program of a CommonJS project, in which TypeScript refuses types of ES modules. */
const COMMON_JS = `import { createProductClient, type Invitation, verifyEvent } from "${NAME}";
const waitlist = createProductClient({ baseUrl: "https://waitlist.example", key: "key" });
export const email = (invitation: Invitation): string => invitation.email;
export const events = verifyEvent;
console.log(typeof waitlist.join);
`;

const PRODUCT_KEY = "a-key-of-the-product-with-the-role-product";

const STRICT = ["--strict", "--exactOptionalPropertyTypes", "--target", "es2022"];

function examplesIn(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^```ts\n([^]*?)^```$/gm), ([, code]) => code!);
}

/** Puts a person on the list, invites her in a wave, and gives the code in her letter. */
async function inviteAda(service: ServiceProcess, folder: string): Promise<string> {
  const ask = async (path: string, { headers, ...init }: RequestInit) => {
    const all = { ...headers, Authorization: `Bearer ${OPERATOR_KEY}` };
    const response = await service.request(`/operator/v1${path}`, { ...init, headers: all });
    assert.ok(response.ok, await response.clone().text());
    await response.text();
  };
  const person = { email: "ada@example.com", consentedAt: "2026-05-01T09:30:00Z" };
  await ask("/signups/import", ndjson([person]));
  const letter = firstLetterIn(folder);
  const link = "https://app.example.com/welcome?code={code}";
  await ask("/waves", json({ wave: "first", next: 1, link }));
  const { text = "" } = await letter;
  return /welcome\?code=(\w+)/.exec(text)?.[1] ?? assert.fail(text);
}

Deno.test("packClient() makes an npm package that can be installed and whose examples compile and run", async (t) => {
  await using folder = await makeTestFolder();
  await using service = await startService({
    KV_PATH: join(folder.path, "kv", "kv.sqlite3"),
    MAIL_URL: "file:mail",
    OPERATOR_KEY,
    OPERATOR_KEYS: `shop:product=${PRODUCT_KEY}`,
  });
  const packed = await runTask(["pack", NAME, folder.path]);
  const tarball = join(folder.path, `example-waitlist-client-${config.version}.tgz`);
  const cli = join(folder.path, `example-waitlist-cli-${config.version}.tgz`);
  assert.equal(packed.stdout, `${tarball}\n${cli}\n`, packed.stderr);

  const project = join(folder.path, "project");
  await Deno.mkdir(project);
  await Deno.writeTextFile(join(project, "package.json"), '{ "type": "module" }');
  const page = await (await service.request("/developers.md")).text();
  // The line that the page names, from the running service.
  const [, served = ""] = /^npm install (\S+)$/m.exec(page) ?? [];
  assert.equal(served, `${service.started.baseUrl}/developers/waitlist-client.tgz`);
  const same = await (await fetch(served)).bytes();
  assert.deepEqual(await Deno.readFile(tarball), same);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", same)).toHex();
  assert.ok(page.includes(`\`${digest}\``), digest);
  const packages = [served, "typescript@5.9.3", "@types/node@20.19.25", "hono@4"];
  await outputOf(["npm", "install", "--no-audit", "--no-fund", ...packages], { cwd: project });
  const installed = join(project, "node_modules", NAME);
  const manifest = JSON.parse(await Deno.readTextFile(join(installed, "package.json")));
  assert.deepEqual(Object.keys(manifest.dependencies), ["openapi-fetch"]);
  assert.deepEqual(manifest.engines, { node: ">=20.19" });
  const kinds = await Deno.readTextFile(join(installed, "api_failure.d.ts"));
  assert.equal(kinds.match(/ kind: "/g)?.length, 9);
  assert.equal(kinds.match(/\*\/ kind: "/g)?.length, 9, "each kind has its comment");

  const inReadme = examplesIn(await Deno.readTextFile(join(installed, "README.md")));
  assert.equal(inReadme.length, 4);
  const [onPage, ...others] = examplesIn(page);
  assert(onPage && others.length === 0);
  const all = ALL_OPERATIONS.replace("BASE_URL", service.started.baseUrl);
  const programs: [name: string, code: string][] = [
    ...inReadme.map((code, index): [string, string] => [`readme_${index + 1}`, code]),
    ["stats", onPage],
    ["all", all],
  ];
  for (const [name, code] of programs) await Deno.writeTextFile(join(project, `${name}.ts`), code);

  const tsc = join(project, "node_modules", ".bin", "tsc");
  const files = programs.map(([name]) => `${name}.ts`);
  await outputOf([tsc, ...STRICT, "--module", "nodenext", ...files], { cwd: project });
  const browser = ["--noEmit", "--module", "esnext", "--moduleResolution", "bundler"];
  const lib = ["--lib", "es2022,dom", "--typeRoots", "none"];
  await outputOf([tsc, ...STRICT, ...browser, ...lib, "stats.ts"], { cwd: project });

  await Deno.writeTextFile(join(project, "common.cts"), COMMON_JS);
  const node16 = ["--module", "node16", "common.cts"];
  await outputOf([tsc, ...STRICT, ...node16], { cwd: project });
  assert.equal(await outputOf(["node", "common.cjs"], { cwd: project }), "function\n");

  // As the page has it: a program without types.
  await Deno.writeTextFile(join(project, "stats.mjs"), onPage);
  for (const program of [["node"], [Deno.execPath(), "run", "--quiet", "-A"]]) {
    for (const name of ["readme_1.js", "readme_2.js", "stats.mjs", "all.js"]) {
      await t.step([...program, name].join(" "), async () => {
        const printed = await outputOf([...program, name], { cwd: project });
        if (name === "stats.mjs") {
          assert.match(printed, /^1280 sign-ups, \d+ in the last 7 days\n$/);
        }
        if (name === "all.js") assert.equal(printed, "all operations\n");
      });
    }
  }

  await Deno.writeTextFile(join(project, "product.mjs"), PRODUCT);
  const code = await inviteAda(service, join(folder.path, "kv", "mail"));
  const { baseUrl } = service.started;
  const env = { WAITLIST_URL: baseUrl, WAITLIST_PRODUCT_KEY: PRODUCT_KEY };
  const account = await outputOf(["node", "product.mjs", code], { cwd: project, env });
  const operator = await signIn({
    request: (path, init) => {
      const headers = new Headers(init?.headers);
      headers.set("Origin", baseUrl);
      return service.request(path, { ...init, headers });
    },
  });
  const { html } = await openPerson(operator, "ada@example.com");
  assert.match(html, /class="badge accepted"/);
  assert.ok(html.includes(account.trim()), html);
});

Deno.test("The task 'pack' refuses a package name without a scope", async () => {
  const { code, stdout, stderr } = await runTask(["pack", "waitlist-client"]);
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /The name 'waitlist-client' is not one of a package with a scope, as @exam/);
});

Deno.test("The task 'pack' names the folder for the tarball when this folder does not exist", async () => {
  await using folder = await makeTestFolder();
  const missing = join(folder.path, "missing");
  const { code, stderr } = await runTask(["pack", NAME, missing]);
  assert.equal(code, 1);
  assert.ok(stderr.includes(`There is no folder '${missing}' for the tarballs; make it, or give`));
});
