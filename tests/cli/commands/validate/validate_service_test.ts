import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder } from "../../../support/process.ts";
import { assertRefused, runCli } from "../../support/cli.ts";
import { startProxy, withHeaders } from "../../support/proxy.ts";
import { useService } from "../../support/service.ts";

const service = useService();

Deno.test("'validate' names an operation that is missing in the OpenAPI document, and an operation that the CLI does not know", async () => {
  const served = await (await fetch(`${service.url}/openapi.json`)).json();
  const { "/api/waitlist": legacy, ...paths } = served.paths;
  await using folder = await makeTestFolder();
  const path = join(folder.path, "document.json");
  await Deno.writeTextFile(
    path,
    JSON.stringify({ ...served, paths: { ...paths, "/api/v2": legacy } }),
  );
  await using proxy = startProxy(service, { from: "192.0.2.53" });
  const args = ["validate", "--sandbox", "--quiet", "--document", path, "--base-url", proxy.url];
  const { code, stdout } = await runCli(args);
  assert.equal(
    stdout,
    "FAIL document describes the operations of this API: " +
      "the document does not describe POST /api/waitlist; " +
      "this program has no case for POST /api/v2\n",
  );
  assert.equal(code, 1);
  assert(
    !proxy.calls.includes("GET /sandbox/openapi.json"),
    "the given document replaces the served one",
  );
});

Deno.test("'validate' exits with code 2 when the file of --document cannot be read or the file of --report cannot be written", async () => {
  await using made = await makeTestFolder();
  const folder = made.path;
  const noJson = `${folder}/page.html`;
  await Deno.writeTextFile(noJson, "<p>");
  await using proxy = startProxy(service, { from: "192.0.2.54" });
  await assertRefused(
    (args) => runCli(["validate", "--sandbox", "--quiet", "--base-url", proxy.url, ...args]),
    [
      [
        ["--document", `${folder}/none.json`],
        /Cannot read the document '.+': there is no such file/,
      ],
      [["--document", folder], /Cannot read the document '.+': it is a folder/],
      [["--document", noJson], /The document '.+' is not JSON/],
      [["--report", "xml=a"], /--report is 'xml=a'; give junit=FILE or json=FILE/],
      [
        ["--report", `junit=${folder}/no/report.xml`],
        /Cannot write the report '.+': there is no such/,
      ],
    ],
  );
});

Deno.test("'validate' exits with code 1 and names the file of --document when its document is not usable", async () => {
  await using made = await makeTestFolder();
  const file = `${made.path}/openapi.json`;
  await Deno.writeTextFile(file, '{ "openapi": 3 }');
  const args = ["validate", "--sandbox", "--document", file, "--base-url", service.url];
  const { code, stderr } = await runCli(args);
  assert.match(
    stderr,
    /^waitlist: The OpenAPI document in '.+openapi\.json' is not usable: .+; give a file with the document .+\.\n$/,
  );
  assert.equal(code, 1);
});

Deno.test("'validate' exits with code 4 when the credentials are wrong, or when they lack the scope", async (t) => {
  for (
    const [number, env, pattern] of [
      [
        6,
        { WAITLIST_CLIENT_ID: "nobody", WAITLIST_CLIENT_SECRET: "not-the-secret" },
        /\(401 from /,
      ],
      [7, service.unscopedClient, /\(403 from /],
    ] as [number, Record<string, string>, RegExp][]
  ) {
    await t.step(`${pattern}`, async () => {
      await using proxy = startProxy(service, { from: `192.0.2.5${number}` });
      const { code, stderr } = await runCli(["validate", "--base-url", proxy.url], { env });
      assert.equal(code, 4);
      assert.match(stderr, pattern);
      assert.match(stderr, /^waitlist: .+\.\n$/);
    });
  }
});

Deno.test("'validate' waits as long as Retry-After says, and repeats the call once, when a call gets 429", async (t) => {
  const waits = "The request limit is used up; the checks continue in 42 s.\n";
  const table: [refusals: number, code: number, stderr: RegExp][] = [
    [1, 0, RegExp(`^${waits}$`)],
    [2, 5, RegExp(`^${waits}waitlist: Too many \\(429 from \\S+\\); try again in 42 s\\.\n$`)],
  ];
  for (const [refusals, expected, line] of table) {
    await t.step(`${refusals} refusals`, async () => {
      let left = refusals;
      await using proxy = startProxy(service, {
        from: `192.0.2.6${refusals}`,
        // The redirect of a form has no headers about the limit, which could tell of it before.
        alter: (response) =>
          response.status === 303 && left-- > 0
            ? Response.json({ error: "rate_limited", message: "Too many." }, {
              status: 429,
              headers: { "Retry-After": "42" },
            })
            : response,
      });
      const args = ["validate", "--sandbox", "--base-url", proxy.url];
      const { code, stdout, stderr } = await runCli(args);
      assert.match(stderr, line);
      assert.equal(code, expected, stdout);
    });
  }
});

Deno.test("'validate' makes no call for a check, and reports a fault, when the OpenAPI document lacks the check's example or error code", async () => {
  const served = await (await fetch(`${service.url}/openapi.json`)).json();
  const { components } = served;
  delete components.requestBodies.WaitlistSignup.content["application/json"].examples.full;
  const refused = components.responses.SignupRefused.content["application/json"];
  delete refused.examples.consentRequired;
  await using folder = await makeTestFolder();
  const path = join(folder.path, "document.json");
  await Deno.writeTextFile(path, JSON.stringify(served));
  await using proxy = startProxy(service, { from: "192.0.2.65" });
  const args = ["validate", "--sandbox", "--quiet", "--document", path, "--base-url", proxy.url];
  const { code, stdout } = await runCli(args);
  assert.equal(
    stdout,
    "FAIL joinWaitlist accepts JSON with every field: " +
      "not called, because the document has no example 'full' of application/json\n" +
      "FAIL joinWaitlist refuses a sign-up without consent: " +
      "not called, because the document has no status for the code consent_required\n",
  );
  assert.equal(code, 1);
});

Deno.test("'validate' waits for the next window when RateLimit-Remaining of an answer is 0", async () => {
  await using proxy = startProxy(service, {
    from: "192.0.2.60",
    alter: (response, { method, url }) =>
      method === "GET" && url.endsWith("/status")
        ? withHeaders(response, (headers) => {
          headers.set("ratelimit-remaining", "0");
          headers.set("ratelimit-reset", "1");
        })
        : response,
  });
  const { code, stdout, stderr } = await runCli(["validate", "--sandbox", "--base-url", proxy.url]);
  assert.equal(code, 0);
  assert.match(stdout, /^All 42 checks passed/m);
  assert.equal(stderr, "The request limit is used up; the checks continue in 1 s.\n");
});
