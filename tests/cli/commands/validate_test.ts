import assert from "node:assert/strict";
import { runCli } from "../support/cli.ts";
import { startProxy } from "../support/proxy.ts";
import { useService } from "../support/service.ts";

const service = useService();

Deno.test("validate finds nothing and stores nothing when it looks at this project's production", async () => {
  await using proxy = startProxy(service, { from: "192.0.2.51" });
  const env = { ...service.client, WAITLIST_BASE_URL: proxy.url };
  const { code, stdout, stderr } = await runCli(["validate"], { env });
  assert.equal(stderr, "");
  assert.match(stdout, /^All 24 checks hold, with 24 calls in .+\.$/m);
  assert.equal(code, 0);
  assert.equal(proxy.calls.length, 24, "at most 25");

  const stats = await runCli(["stats", "--quiet", "--base-url", service.url], { env });
  assert.equal(stats.stdout, "0\n");
});

Deno.test("validate calls every operation of the document when it looks at the sandbox", async () => {
  await using proxy = startProxy(service, { from: "192.0.2.52" });
  const args = ["validate", "--sandbox", "--base-url", proxy.url];
  const { code, stdout, stderr } = await runCli(args);
  assert.equal(stderr, "");
  assert.equal(code, 0);
  assert.equal(stdout.match(/^ok /gm)?.length, proxy.calls.length);
  const { paths } = await (await fetch(`${service.url}/openapi.json`)).json();
  for (const [path, item] of Object.entries(paths)) {
    for (const method of Object.keys(item as object)) {
      assert(proxy.calls.includes(`${method.toUpperCase()} /sandbox${path}`), `${method} ${path}`);
    }
  }
});

/** One thing that a service does wrong: where, how, and the one line that says so. */
interface Break {
  does: string;
  where: (call: string, request: Request) => boolean;
  how: (response: Response) => Response | Promise<Response>;
  line: string;
}

const STATS = "GET /sandbox/api/v1/waitlist/stats";
const isCall = (expected: string) => (call: string) => call === expected;

function withHeaders(response: Response, change: (headers: Headers) => void): Response {
  const headers = new Headers(response.headers);
  change(headers);
  return new Response(response.body, { status: response.status, headers });
}

async function withBody(response: Response, change: object): Promise<Response> {
  const { status, headers } = response;
  const body = JSON.stringify({ ...await response.json(), ...change });
  const changed = new Headers(headers);
  changed.delete("content-length");
  return new Response(body, { status, headers: changed });
}

const BREAKS: Break[] = [
  {
    does: "lacks a header",
    where: isCall("GET /sandbox/api/v1/status"),
    how: (response) => withHeaders(response, (headers) => headers.delete("ratelimit-policy")),
    line: "FAIL getStatus says that the service is up (GET /sandbox/api/v1/status: 200): " +
      "header RateLimit-Policy is missing",
  },
  {
    does: "has an extra field",
    where: (call, { headers }) => call === STATS && headers.has("authorization"),
    how: (response) => response.ok ? withBody(response, { emails: [] }) : response,
    line: `FAIL getWaitlistStats counts sign-ups (${STATS}: 200): ` +
      'body has "emails", which is not documented',
  },
  {
    does: "has a wrong type",
    where: isCall(STATS),
    how: (response) => response.ok ? withBody(response, { total: "1280" }) : response,
    line: `FAIL getWaitlistStats counts sign-ups (${STATS}: 200): ` +
      'body/total must be integer, not "1280"',
  },
  {
    does: "has a wrong status",
    where: (call, { headers }) => call === STATS && !headers.has("authorization"),
    how: ({ body, headers }) => new Response(body, { status: 400, headers }),
    line: `FAIL getWaitlistStats challenges a request without a token (${STATS}: 400): ` +
      "the status must be 401, not 400",
  },
  {
    does: "lacks Allow",
    where: isCall("POST /sandbox/api/v1/status"),
    how: (response) => withHeaders(response, (headers) => headers.delete("allow")),
    line: "FAIL getStatus refuses POST (POST /sandbox/api/v1/status: 405): " +
      "header Allow is missing",
  },
  {
    does: "has a wrong Allow",
    where: isCall("GET /sandbox/api/v1/oauth/token"),
    how: (response) => withHeaders(response, (headers) => headers.set("allow", "POST, OPTIONS")),
    line: "FAIL createAccessToken refuses GET (GET /sandbox/api/v1/oauth/token: 405): " +
      'header Allow must be "POST", not "POST, OPTIONS"',
  },
  {
    does: "has another media type",
    where: isCall("GET /sandbox/api/v1"),
    how: (response) =>
      withHeaders(response, (headers) => headers.set("content-type", "text/plain")),
    line: "FAIL index lists what the API offers (GET /sandbox/api/v1: 200): " +
      'header Content-Type must be application/json, not "text/plain"',
  },
  {
    does: "has another error code",
    where: (call) => call === "POST /sandbox/api/v1/waitlist",
    how: async (response) => {
      const { error } = response.status === 422 ? await response.clone().json() : {};
      return error === "invalid_email"
        ? withBody(response, { error: "consent_required" })
        : response;
    },
    line:
      "FAIL joinWaitlist refuses an address that is none (POST /sandbox/api/v1/waitlist: 422): " +
      'body/error must be "invalid_email" here, not "consent_required"',
  },
  {
    does: "has an error that belongs elsewhere",
    where: isCall("POST /sandbox/api/waitlist"),
    how: (response) =>
      response.status === 415 ? withBody(response, { error: "not_found" }) : response,
    line: "FAIL joinWaitlistLegacy refuses another media type (POST /sandbox/api/waitlist: 415): " +
      'body/error must be "unsupported_media_type", not "not_found"',
  },
  {
    does: "redirects a German form to the English page",
    where: isCall("POST /sandbox/api/v1/waitlist"),
    how: (response) =>
      response.headers.get("location") === "/de/danke/"
        ? withHeaders(response, (headers) => headers.set("location", "/thanks/"))
        : response,
    line: "FAIL joinWaitlist sends a German form to the German thanks page " +
      '(POST /sandbox/api/v1/waitlist: 303): header location must match ^\\/de\\/danke\\/$ here, not "/thanks/"',
  },
];

for (const [index, { does, where, how, line }] of BREAKS.entries()) {
  Deno.test(`validate names exactly that when a service ${does}`, async () => {
    await using proxy = startProxy(service, {
      from: `198.51.100.${index + 1}`,
      alter(response, request) {
        const call = `${request.method} ${new URL(request.url).pathname}`;
        return where(call, request) ? how(response) : response;
      },
    });
    const args = ["validate", "--sandbox", "--quiet", "--base-url", proxy.url];
    const { code, stdout, stderr } = await runCli(args);
    assert.equal(stdout, `${line}\n`);
    assert.equal(stderr, "");
    assert.equal(code, 1);
  });
}

Deno.test("validate names each operation when a document has other ones than it knows", async () => {
  const served = await (await fetch(`${service.url}/openapi.json`)).json();
  const { "/api/waitlist": legacy, ...paths } = served.paths;
  const path = await Deno.makeTempFile({ suffix: ".json" });
  await Deno.writeTextFile(
    path,
    JSON.stringify({ ...served, paths: { ...paths, "/api/v2": legacy } }),
  );
  await using proxy = startProxy(service, { from: "192.0.2.53" });
  const args = ["validate", "--sandbox", "--quiet", "--document", path, "--base-url", proxy.url];
  const { code, stdout } = await runCli(args);
  await Deno.remove(path);
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

Deno.test("validate ends with 2 when a document or a report is not usable", async () => {
  const folder = await Deno.makeTempDir();
  const noJson = `${folder}/page.html`;
  await Deno.writeTextFile(noJson, "<p>");
  await using proxy = startProxy(service, { from: "192.0.2.54" });
  for (
    const [flags, pattern] of [
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
    ] as [string[], RegExp][]
  ) {
    const { code, stderr } = await runCli(
      ["validate", "--sandbox", "--base-url", proxy.url, ...flags],
    );
    assert.equal(code, 2);
    assert.match(stderr, pattern);
    assert.match(stderr, /^waitlist: .+\.\n$/);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("validate ends with 1 when a document is no OpenAPI document of this API", async () => {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  for (
    const [document, pattern] of [
      [
        {},
        /^waitlist: The OpenAPI document is not usable: This is not an OpenAPI 3\.1 document.+\.\n$/,
      ],
      [{ openapi: "3.1.0" }, /^waitlist: The OpenAPI document is not usable: .+\.\n$/],
    ] as [object, RegExp][]
  ) {
    await Deno.writeTextFile(path, JSON.stringify(document));
    const args = ["validate", "--sandbox", "--document", path, "--base-url", service.url];
    const { code, stderr } = await runCli(args);
    assert.equal(code, 1);
    assert.match(stderr, pattern);
  }
  await Deno.remove(path);
});

Deno.test("validate writes both reports when asked to", async () => {
  const folder = await Deno.makeTempDir();
  await using proxy = startProxy(service, {
    from: "192.0.2.55",
    alter: (response, { method, url }) =>
      method === "GET" && url.endsWith("/status")
        ? withHeaders(response, (headers) => headers.set("x-api-version", '<2>&"'))
        : response,
  });
  const args = ["validate", "--sandbox", "--json", "--base-url", proxy.url];
  const { code, stdout } = await runCli(
    [...args, "--report", `junit=${folder}/a.xml`, "--report", `json=${folder}/a.json`],
  );
  assert.equal(code, 1);
  const report = JSON.parse(stdout);
  const { baseUrl, environment, calls, failed, checks } = report;
  assert.deepEqual({ baseUrl, environment, calls, failed }, {
    baseUrl: proxy.url,
    environment: "sandbox",
    calls: 42,
    failed: 1,
  });
  assert.equal(checks.length, 42);
  assert.deepEqual(JSON.parse(await Deno.readTextFile(`${folder}/a.json`)), report);

  const xml = await Deno.readTextFile(`${folder}/a.xml`);
  await Deno.remove(folder, { recursive: true });
  assert.match(xml, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites /);
  assert.match(xml, /<testsuite name="sandbox" [^>]* tests="42" failures="1"/);
  assert.equal(xml.match(/<testcase /g)?.length, 42);
  assert.match(
    xml,
    /<testcase classname="getStatus" name="says that the service is up" time="\d+\.\d{3}">\n +<failure message="header X-API-Version must be &#34;1&#34;, not &#34;&#60;2&#62;&#38;[^"<>]+"><\/failure>\n +<\/testcase>/,
  );
});

Deno.test("validate ends with 4 when the credentials are refused, or lack the scope", async () => {
  for (
    const [number, env, pattern] of [
      [
        6,
        { WAITLIST_CLIENT_ID: "nobody", WAITLIST_CLIENT_SECRET: "not-the-secret" },
        /answered 401/,
      ],
      [7, service.unscopedClient, /answered 403/],
    ] as [number, Record<string, string>, RegExp][]
  ) {
    await using proxy = startProxy(service, { from: `192.0.2.5${number}` });
    const { code, stderr } = await runCli(["validate", "--base-url", proxy.url], { env });
    assert.equal(code, 4);
    assert.match(stderr, pattern);
    assert.match(stderr, /^waitlist: .+\.\n$/);
  }
});

Deno.test("validate ends with 3 and the check that failed when the connection breaks on the way", async () => {
  await using proxy = startProxy(service, {
    from: "192.0.2.58",
    alter: (response, { url }) =>
      url.endsWith("/stats")
        ? withHeaders(response, (headers) => headers.set("content-length", "9999"))
        : response,
  });
  const args = ["validate", "--sandbox", "--quiet", "--base-url", proxy.url];
  const { code, stdout, stderr } = await runCli(args);
  assert.equal(code, 3);
  assert.match(
    stdout,
    /^FAIL getWaitlistStats counts sign-ups \(GET \S+: no answer\): Cannot get .+\n$/,
  );
  assert.match(
    stderr,
    /^waitlist: Cannot get an answer from \S+: the connection was closed .+\.\n$/,
  );
});

Deno.test("validate ends with 5 when a call is refused for the limit", async () => {
  await using proxy = startProxy(service, {
    from: "192.0.2.59",
    alter: (response, { url }) =>
      url.endsWith("/stats")
        ? Response.json({ error: "rate_limited", message: "Too many." }, {
          status: 429,
          headers: { "Retry-After": "42" },
        })
        : response,
  });
  const { code, stderr } = await runCli(["validate", "--sandbox", "--base-url", proxy.url]);
  assert.equal(code, 5);
  assert.match(stderr, /^waitlist: \S+ answered 429: Too many; try again in 42 s\.\n$/);
});

Deno.test("validate waits for the next window when a limit is used up", async () => {
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
  assert.match(stdout, /^All 42 checks hold/m);
  assert.equal(stderr, "The limit is used up; going on in 1 s, with the next window.\n");
});
