/**
 * `validate` and `smoke` against this service, and against services that break one rule each. The other faults of an
 * answer are in `tests/shared/contract_test.ts`. @module
 */
import assert from "node:assert/strict";
import { makeTestFolder } from "../../support/process.ts";
import { printed, runCli } from "../support/cli.ts";
import { startProxy, withHeaders } from "../support/proxy.ts";
import { useService } from "../support/service.ts";

const service = useService();

Deno.test("'validate' finds no fault in this service's production environment, and stores no sign-up there", async () => {
  await using proxy = startProxy(service, { from: "192.0.2.51" });
  const env = { ...service.client, WAITLIST_BASE_URL: proxy.url };
  const { code, stdout, stderr } = await runCli(["validate"], { env });
  assert.equal(stderr, "");
  assert.match(stdout, /^All 24 checks passed, with 24 calls in .+\.$/m);
  assert.equal(code, 0);
  assert.equal(proxy.calls.length, 24, "at most 25");

  const stats = await runCli(["stats", "--quiet", "--base-url", service.url], { env });
  assert.equal(stats.stdout, "0\n");
});

Deno.test("'validate' calls each operation in the sandbox's OpenAPI document", async () => {
  await using proxy = startProxy(service, { from: "192.0.2.52" });
  const args = ["validate", "--sandbox", "--base-url", proxy.url];
  const stdout = await printed(runCli(args));
  assert.equal(stdout.match(/^ok /gm)?.length, proxy.calls.length);
  const { paths } = await (await fetch(`${service.url}/openapi.json`)).json();
  for (const [path, item] of Object.entries(paths)) {
    for (const method of Object.keys(item as object)) {
      assert(proxy.calls.includes(`${method.toUpperCase()} /sandbox${path}`), `${method} ${path}`);
    }
  }
});

Deno.test("'validate' writes a JUnit report and a JSON report to the files of --report", async () => {
  await using made = await makeTestFolder();
  const folder = made.path;
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
  assert.match(xml, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites /);
  assert.match(xml, /<testsuite name="sandbox" [^>]* tests="42" failures="1"/);
  assert.equal(xml.match(/<testcase /g)?.length, 42);
  assert.match(
    xml,
    /<testcase classname="getStatus" name="says that the service is up" time="\d+\.\d{3}">\n +<failure message="header X-API-Version must be &#34;1&#34;, not &#34;&#60;2&#62;&#38;[^"<>]+"><\/failure>\n +<\/testcase>/,
  );
});

Deno.test("'smoke' runs all its checks against the sandbox, with at most 50 calls", async () => {
  await using proxy = startProxy(service, { from: "192.0.2.71" });
  const { code, stdout, stderr } = await runCli(["smoke", "--base-url", proxy.url]);
  assert.equal(stderr, "");
  assert.match(stdout, /^ok +status says/);
  assert.match(stdout, /^ok +token comes/m);
  assert.match(stdout, /^ok +stats come/m);
  assert.match(stdout, /^ok +join accepts/m);
  assert.match(stdout, /^ok +getWaitlistStats counts/m);
  assert.match(stdout, /^All 46 checks passed, with 47 calls in .+\.$/m);
  assert.equal(code, 0);
  assert.equal(proxy.calls.length, 47);
  assert(proxy.calls.every((call) => / \/sandbox\//.test(call)), "production is never called");
});

Deno.test("'smoke' waits once for the next window when its first call gets 429", async (t) => {
  const limited = { error: "rate_limited", message: "Too many." };
  for (const [refusals, expected] of [[1, 0], [2, 5]] as const) {
    await t.step(`${refusals} refusals`, async () => {
      let left: number = refusals;
      await using proxy = startProxy(service, {
        from: `192.0.2.8${refusals}`,
        alter: (response) =>
          left-- > 0
            ? Response.json(limited, { status: 429, headers: { "Retry-After": "42" } })
            : response,
      });
      const { code, stderr } = await runCli(["smoke", "--base-url", proxy.url]);
      assert.equal(code, expected, stderr);
      assert.match(stderr, /^The request limit is used up; the checks continue in 42 s\.\n/);
      assert.equal(proxy.calls.length, refusals === 1 ? 48 : 2);
    });
  }
});

Deno.test("'smoke' waits for the next window when one of the first answers has RateLimit-Remaining: 0", async () => {
  await using proxy = startProxy(service, {
    from: "192.0.2.83",
    alter: (response, { url }) =>
      url.endsWith("/token")
        ? withHeaders(response, (headers) => {
          headers.set("ratelimit-remaining", "0");
          headers.set("ratelimit-reset", "7");
        })
        : response,
  });
  const { code, stdout, stderr } = await runCli(["smoke", "--base-url", proxy.url]);
  assert.equal(code, 0, stdout);
  assert.equal(stderr, "The request limit is used up; the checks continue in 7 s.\n");
});

Deno.test("'smoke' writes its report and exits with code 1 when a check failed and a later call gets 429 with a long Retry-After", async () => {
  await using folder = await makeTestFolder();
  const report = `${folder.path}/report.json`;
  await using proxy = startProxy(service, {
    from: "192.0.2.76",
    alter: async (response, { url }) => {
      if (url.endsWith("/openapi.json")) {
        return new Response("Slow down", { status: 429, headers: { "Retry-After": "3600" } });
      }
      if (!url.endsWith("/status")) return response;
      const status = { ...await response.json(), environment: "production" };
      return Response.json(status, { headers: response.headers });
    },
  });
  const args = ["smoke", "--quiet", "--base-url", proxy.url, "--report", `json=${report}`];
  const { code, stdout, stderr } = await runCli(args);
  assert.match(
    stdout,
    /^FAIL status says .+: body\/environment must be "sandbox" here, .+\nFAIL token .+\n$/,
  );
  assert.match(stderr, /^waitlist: .+ \(429 from \S+\); try again in 3600 s\.\n$/);
  assert.equal(code, 1);
  assert.equal(JSON.parse(await Deno.readTextFile(report)).failed, 2);
});

Deno.test("'smoke' exits with code 1 and writes its report when a header is missing in some answers", async () => {
  await using folder = await makeTestFolder();
  const report = `${folder.path}/report.json`;
  await using proxy = startProxy(service, {
    from: "192.0.2.73",
    alter(response, { method }) {
      if (method !== "HEAD") return response;
      const headers = new Headers(response.headers);
      headers.delete("x-api-version");
      return new Response(null, { status: response.status, headers });
    },
  });
  const args = ["smoke", "--quiet", "--base-url", proxy.url, "--report", `json=${report}`];
  const { code, stdout } = await runCli(args);
  assert.equal(code, 1);
  assert.match(stdout, /^(FAIL head\w+ .+: header X-API-Version is missing\n){4}$/);
  const { checks, failed } = JSON.parse(await Deno.readTextFile(report));
  assert.deepEqual({ checks: checks.length, failed }, { checks: 46, failed: 4 });
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

/** The headers of a body that `fetch` has decoded and a test changes. */
function withoutLength(headers: Headers): Headers {
  const changed = new Headers(headers);
  for (const name of ["content-encoding", "content-length"]) changed.delete(name);
  return changed;
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
    does: "has a wrong status",
    where: (call, { headers }) => call === STATS && !headers.has("authorization"),
    how: ({ body, headers }) => new Response(body, { status: 400, headers }),
    line: `FAIL getWaitlistStats challenges a request without a token (${STATS}: 400): ` +
      "the status must be 401, not 400",
  },
  {
    does: "has another error code",
    where: (call) => call === "POST /sandbox/api/v1/waitlist",
    how: async (response) => {
      const { status, headers } = response;
      const body = (await response.text()).replace('"invalid_email"', '"consent_required"');
      return new Response(body || null, { status, headers: withoutLength(headers) });
    },
    line:
      "FAIL joinWaitlist refuses an address that is not valid (POST /sandbox/api/v1/waitlist: 422): " +
      'body/error must be "invalid_email" here, not "consent_required"',
  },
  {
    does: "answers with a web page",
    where: isCall("GET /sandbox/api/v1/status"),
    how: () => new Response("<h1>Hi", { headers: { "Content-Type": "text/html; charset=utf-8" } }),
    line: "FAIL getStatus says that the service is up (GET /sandbox/api/v1/status: 200): " +
      "the answer is an HTML page (status 200), not one of this API",
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
  Deno.test(`'validate' reports exactly one fault when the service ${does}`, async () => {
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

/** Refuses a call for the limit, for longer than a command waits. */
const limited = () =>
  Response.json({ error: "rate_limited", message: "Too many." }, {
    status: 429,
    headers: { "Retry-After": "61" },
  });

/** What ends a command early, or makes most of its checks fail. */
const ENDS: {
  command: "validate" | "smoke";
  when: string;
  alter: (response: Response, request: Request) => Response | Promise<Response>;
  code: number;
  stdout: RegExp;
  stderr: RegExp;
}[] = [
  {
    command: "smoke",
    when: "the sandbox says that it is production",
    async alter(response) {
      const { status, headers } = response;
      const text = await response.text();
      const body = text.replace('"environment":"sandbox"', '"environment":"production"');
      return new Response(body || null, { status, headers: withoutLength(headers) });
    },
    code: 1,
    stdout: RegExp(
      "^" + ["status", "stats", "index", "getStatus", "getWaitlistStats"]
        .map((check) => `FAIL ${check} .+: body/environment must be "sandbox" here.+\n`).join(""),
    ),
    stderr: /^$/,
  },
  {
    command: "smoke",
    when: "the published credentials do not work",
    async alter(response, { url }) {
      if (!url.endsWith("/openapi.json")) return response;
      const client = { clientId: "old", clientSecret: "old" };
      return Response.json({ ...await response.json(), "x-sandbox-client": client });
    },
    code: 4,
    stdout: /^FAIL token comes for the published credentials: .+ \(401 from /m,
    stderr: /^waitlist: [A-Z].+ \(401 from .+\.\n$/,
  },
  {
    command: "validate",
    when: "the connection breaks on the way",
    alter: (response, { url }) =>
      url.endsWith("/stats")
        ? withHeaders(response, (headers) => headers.set("content-length", "9999"))
        : response,
    code: 3,
    stdout: /^FAIL getWaitlistStats counts sign-ups \(GET \S+: no answer\): Cannot get .+\n$/,
    stderr: /^waitlist: Cannot get an answer from \S+: the connection was closed .+\.\n$/,
  },
  {
    command: "validate",
    when: "the request limit asks to wait for more than a minute",
    alter: (response, { url }) => url.endsWith("/stats") ? limited() : response,
    code: 5,
    stdout: /^FAIL getWaitlistStats counts sign-ups .+: the status must be 200, not 429\n$/,
    stderr: /^waitlist: Too many \(429 from \S+\); try again in 61 s\.\n$/,
  },
  {
    command: "validate",
    when: "the request limit ends the run after a failed check",
    alter(response, { url }) {
      if (url.endsWith("/stats")) return limited();
      if (!url.endsWith("/api/v1")) return response;
      return withHeaders(response, (headers) => headers.delete("x-content-type-options"));
    },
    code: 1,
    stdout: /^FAIL index .+ header X-Content-Type-Options is missing\n/,
    stderr: /^waitlist: Too many \(429 from \S+\); try again in 61 s\.\n$/,
  },
];

for (const [index, { command, when, alter, code, stdout, stderr }] of ENDS.entries()) {
  Deno.test(`'${command}' exits with code ${code} when ${when}`, async () => {
    await using proxy = startProxy(service, { from: `198.51.100.${index + 101}`, alter });
    const sandbox = command === "validate" ? ["--sandbox"] : [];
    const finished = await runCli([command, ...sandbox, "--quiet", "--base-url", proxy.url]);
    assert.match(finished.stdout, stdout);
    assert.match(finished.stderr, stderr);
    assert.equal(finished.code, code);
  });
}
