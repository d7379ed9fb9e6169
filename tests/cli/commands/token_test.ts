import assert from "node:assert/strict";
import { assertRefused, printed, runCli } from "../support/cli.ts";
import { serveLocally, startProxy } from "../support/proxy.ts";
import { useService } from "../support/service.ts";

const service = useService();

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+\n$/;

Deno.test("'token' prints only the access token when its output is a pipe", async () => {
  const stdout = await printed(runCli(["token", "--base-url", service.url], {
    env: service.client,
  }));
  assert.match(stdout, JWT);
  const response = await fetch(`${service.url}/api/v1/waitlist/stats`, {
    headers: { Authorization: `Bearer ${stdout.trim()}` },
  });
  assert.equal(response.status, 200);
  await response.body?.cancel();
});

Deno.test("'token' uses the published credentials when --sandbox is given", async () => {
  await using proxy = startProxy(service, { from: "192.0.2.21" });
  // Production credentials never go to the sandbox.
  const env = { ...service.client, WAITLIST_BASE_URL: proxy.url };
  const stdout = await printed(runCli(["token", "--sandbox", "--json"], { env }));
  const { access_token, ...rest } = JSON.parse(stdout);
  assert.match(`${access_token}\n`, JWT);
  assert.deepEqual(rest, {
    token_type: "Bearer",
    expires_in: 900,
    scope: "waitlist:stats:read",
  });
  assert.deepEqual(proxy.calls, ["GET /sandbox/openapi.json", "POST /sandbox/api/v1/oauth/token"]);
});

Deno.test("'token' reads the client's secret from standard input when --secret-stdin is given", async () => {
  const { WAITLIST_CLIENT_ID, WAITLIST_CLIENT_SECRET } = service.client;
  const stdout = await printed(runCli(
    ["token", "--base-url", service.url, "--client-id", WAITLIST_CLIENT_ID, "--secret-stdin"],
    { stdin: `${WAITLIST_CLIENT_SECRET}\n`, env: { WAITLIST_CLIENT_SECRET: "not this one" } },
  ));
  assert.match(stdout, JWT);
});

Deno.test("'token' exits with code 4 and never prints the secret when the credentials are wrong", async (t) => {
  const secret = "wrong secret with spaces & signs";
  // Such a service would give the secret away.
  await using echo = serveLocally(async (request) => {
    const told = `${request.headers.get("authorization")} ${await request.text()} ${secret}`;
    return Response.json({ error: "invalid_client", error_description: told }, { status: 401 });
  });
  for (const url of [service.url, echo.url]) {
    for (const flags of [[], ["--verbose"]]) {
      await t.step([url, ...flags].join(" "), async () => {
        const { code, stdout, stderr } = await runCli(["token", "--base-url", url, ...flags], {
          env: { WAITLIST_CLIENT_ID: "nobody", WAITLIST_CLIENT_SECRET: secret },
        });
        assert.equal(code, 4);
        assert.equal(stdout, "");
        assert.match(
          stderr,
          /waitlist: [A-Z].+ \(401 from \S+\); check WAITLIST_CLIENT_ID and .+\.\n$/,
        );
        const formEncoded = new URLSearchParams({ s: secret }).toString().slice(2);
        for (
          const form of [
            secret,
            encodeURIComponent(secret),
            formEncoded,
            btoa(`nobody:${formEncoded}`),
          ]
        ) {
          assert(!stderr.includes(form), stderr);
        }
      });
    }
  }
});

Deno.test("'token' exits with code 2 when the client_id or the secret is missing and there is no terminal", async () => {
  await assertRefused((args) => runCli(["token", "--base-url", service.url, ...args]), [
    [
      [],
      /The client_id is missing; ask the operator for an OAuth client, and set WAITLIST_CLIENT_ID and WAITLIST_CLIENT_SECRET; in the sandbox/,
    ],
    [
      ["--client-id", "a"],
      /The client secret is missing, and .+ without a terminal; .+ with --secret-stdin/,
    ],
    [["--client-id", "a", "--secret-stdin"], /The client's secret is empty/],
    [
      ["--sandbox", "--client-id", "a"],
      /--sandbox uses the credentials that the sandbox publishes/,
    ],
    [["--client-secret", "s3cret-value"], /unknown option '--client-secret'/],
  ]);
});

Deno.test("'token' shows its request and the answer, with masked secrets, when --verbose is given", async () => {
  const { stdout, stderr } = await runCli(["token", "--base-url", service.url, "--verbose"], {
    env: service.client,
  });
  assert.match(stdout, JWT);
  assert.match(stderr, /^> POST \S+\/api\/v1\/oauth\/token$/m);
  assert.match(stderr, /^> authorization: Basic \*\*\*$/m);
  assert.match(stderr, /^> grant_type=client_credentials$/m);
  assert.match(stderr, /^< 200 after \d+ ms$/m);
  assert.match(stderr, /^< ratelimit-limit: 30$/m);
  assert.match(stderr, /^< \{"access_token":"\*\*\*","token_type":"Bearer"/m);
  assert(!stderr.includes(service.client.WAITLIST_CLIENT_SECRET));
  assert(!stderr.includes(stdout.trim()));
});
