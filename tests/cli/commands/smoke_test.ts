import assert from "node:assert/strict";
import { runCli } from "../support/cli.ts";
import { startProxy } from "../support/proxy.ts";
import { useService } from "../support/service.ts";

const service = useService();

Deno.test("smoke runs the whole sandbox flow, with at most 50 calls", async () => {
  await using proxy = startProxy(service, { from: "192.0.2.71" });
  const { code, stdout, stderr } = await runCli(["smoke", "--base-url", proxy.url]);
  assert.equal(stderr, "");
  assert.match(stdout, /^ok +status says/);
  assert.match(stdout, /^ok +token comes/m);
  assert.match(stdout, /^ok +stats come/m);
  assert.match(stdout, /^ok +join accepts/m);
  assert.match(stdout, /^ok +getWaitlistStats counts/m);
  assert.match(stdout, /^All 46 checks hold, with 47 calls in .+\.$/m);
  assert.equal(code, 0);
  assert.equal(proxy.calls.length, 47);
  assert(proxy.calls.every((call) => / \/sandbox\//.test(call)), "production is never called");
});

Deno.test("smoke prints nothing when all is well and --quiet is given", async () => {
  await using proxy = startProxy(service, { from: "192.0.2.72" });
  const { code, stdout, stderr } = await runCli(["smoke", "--quiet", "--base-url", proxy.url]);
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: "", stderr: "" });
});

Deno.test("smoke ends with 1 and a report when one thing is broken", async () => {
  const report = await Deno.makeTempFile({ suffix: ".json" });
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
  await Deno.remove(report);
  assert.deepEqual({ checks: checks.length, failed }, { checks: 46, failed: 4 });
});

Deno.test("smoke ends with 4 when the published credentials do not work", async () => {
  await using proxy = startProxy(service, {
    from: "192.0.2.74",
    alter: async (response, { url }) =>
      url.endsWith("/openapi.json")
        ? Response.json({
          ...await response.json(),
          "x-sandbox-client": { clientId: "old", clientSecret: "old" },
        })
        : response,
  });
  const { code, stdout, stderr } = await runCli(["smoke", "--base-url", proxy.url]);
  assert.equal(code, 4);
  assert.match(stdout, /^FAIL token comes for the published credentials: \S+ answered 401/m);
  assert.match(stderr, /^waitlist: \S+ answered 401: .+\.\n$/);
});
