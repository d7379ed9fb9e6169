import assert from "node:assert/strict";
import { printed, runCli } from "../support/cli.ts";
import { startProxy } from "../support/proxy.ts";
import { useService } from "../support/service.ts";

const service = useService();

Deno.test("'status' shows the environment, the latency, the difference of the clocks and the request limit when the service is up", async () => {
  const stdout = await printed(runCli(["status", "--base-url", service.url]));
  assert.match(stdout, /^waitlist-web is ok\n/);
  assert.match(stdout, /Environment +production\n/);
  assert.match(stdout, /Latency +\d+(\.\d)? m?s\n/);
  assert.match(stdout, /Clock +\S+ m?s (ahead of|behind) this computer\n/);
  assert.match(stdout, /Limit +119 of 120 requests left; the limit starts anew in \d+ s\n/);
  assert.match(stdout, /Policy +120;w=60\n/);
  assert(!stdout.includes("\x1b"), "colour is for terminals");
});

Deno.test("'status' prints environment, latency, difference of the clocks and request limit as JSON when --json is given", async () => {
  const env = { WAITLIST_BASE_URL: service.url };
  const stdout = await printed(runCli(["status", "--sandbox", "--json"], { env }));
  const report = JSON.parse(stdout);
  assert.equal(report.environment, "sandbox");
  assert.equal(report.rateLimit.limit, 120);
  assert.equal(report.rateLimit.policy, "120;w=60");
  assert(Number.isInteger(report.latencyMs));
  // Both look at the same clock, within the time of the call.
  assert(Math.abs(report.clockDifferenceMs) <= report.latencyMs);
});

Deno.test("'status' exits with code 1 when production answers in place of the sandbox", async () => {
  await using proxy = startProxy(service, {
    from: "192.0.2.12",
    alter: async (response) =>
      Response.json({ ...await response.json(), environment: "production" }, {
        headers: response.headers,
      }),
  });
  const { code, stdout, stderr } = await runCli(["status", "--sandbox", "--base-url", proxy.url]);
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(
    stderr,
    /^waitlist: The call was for the environment 'sandbox', but the service at \S+ answered for the environment 'production'; .+\.\n$/,
  );
});
