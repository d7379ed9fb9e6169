/**
 * `validate` is tested by truth: each service here breaks one thing. What an answer can break besides is in
 * `tests/shared/contract_findings_test.ts`.
 */
import assert from "node:assert/strict";
import { runCli } from "../support/cli.ts";
import { startProxy, withHeaders } from "../support/proxy.ts";
import { useService } from "../support/service.ts";

const service = useService();

/** One thing that a service does wrong: where, how, and the one line that says so. */
interface Break {
  does: string;
  where: (call: string, request: Request) => boolean;
  how: (response: Response) => Response | Promise<Response>;
  line: string;
}

const STATS = "GET /sandbox/api/v1/waitlist/stats";
const isCall = (expected: string) => (call: string) => call === expected;

function withoutLength(headers: Headers): Headers {
  const changed = new Headers(headers);
  changed.delete("content-length");
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
    does: "names another environment than the called one",
    where: isCall("GET /sandbox/api/v1/status"),
    how: async (response) => {
      const { status, headers } = response;
      const body = (await response.text()).replace('"sandbox"', '"production"');
      return new Response(body, { status, headers: withoutLength(headers) });
    },
    line: "FAIL getStatus says that the service is up (GET /sandbox/api/v1/status: 200): " +
      'body/environment must be "sandbox" here, not "production"',
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
