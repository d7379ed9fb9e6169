import assert from "node:assert/strict";
import { assertRefused, printed, runCli } from "../support/cli.ts";
import { startProxy } from "../support/proxy.ts";
import { OPERATOR, useService } from "../support/service.ts";

const service = useService();

Deno.test("'stats' prints totals and counts without colours when its output is a pipe", async () => {
  const stdout = await printed(runCli(["stats", "--sandbox", "--base-url", service.url]));
  assert.match(stdout, /^Waitlist statistics, sandbox, 2026-01-15 12:00:00 UTC\n/);
  assert.match(stdout, /Total +1,280\n +Last 7 days +96\n +Last 30 days +412\n/);
  assert.match(stdout, /By language\n +en +768\n +de +512\n/);
  assert.match(stdout, /By role\n/);
  assert.match(stdout, /By use case\n/);
  assert.match(stdout, /By form\n/);
  assert(!stdout.includes("\x1b"), "colour is for terminals");
});

Deno.test("'stats' prints JSON with --json, CSV with --csv, and only the total with --quiet", async () => {
  const env = { WAITLIST_BASE_URL: service.url, ...service.client };
  const json = await printed(runCli(["stats", "--json"], { env }));
  const { generatedAt, total, byLang, environment } = JSON.parse(json);
  assert(!Number.isNaN(Date.parse(generatedAt)));
  assert.deepEqual([total, byLang, environment], [0, {}, "production"]);
  const csv = await printed(runCli(["stats", "--csv", "--sandbox"], { env }));
  assert.match(csv, /^generatedAt,.+\n2026-01-15T12:00:00\.000Z,sandbox,total,,1280\n/);
  const quiet = await runCli(["stats", "--quiet", "--sandbox"], { env });
  assert.deepEqual(quiet, { code: 0, stdout: "1280\n", stderr: "" });
});

Deno.test("'stats' names the command that creates a client when only the operator key is set", async () => {
  const env = { ...OPERATOR, WAITLIST_BASE_URL: service.url };
  const { code, stdout, stderr } = await runCli(["stats"], { env });
  assert.match(
    stderr,
    /^waitlist: The client_id is missing; create an OAuth client with 'waitlist (.+)', and set WAITLIST_CLIENT_ID and WAITLIST_CLIENT_SECRET to the values that 'waitlist clients create' prints\.\n$/,
  );
  assert.deepEqual([code, stdout], [2, ""]);

  const [, command = ""] = /'waitlist (.+?)'/.exec(stderr) ?? [];
  const created = await runCli([...command.split(" "), "--quiet"], { env });
  const [WAITLIST_CLIENT_ID = "", WAITLIST_CLIENT_SECRET = ""] = created.stdout.split("\n");
  await printed(runCli(["stats", "--quiet"], {
    env: { ...env, WAITLIST_CLIENT_ID, WAITLIST_CLIENT_SECRET },
  }));
});

Deno.test("'stats' exits with code 2 when --csv and --json are both given, or when the interval of --watch is wrong", async () => {
  await assertRefused((args) => runCli(["stats", "--sandbox", ...args]), [
    [["--csv", "--json"], /--csv and --json exclude each other; leave out one of these flags/],
    [["--watch", "4"], /--watch is '4'; give a number of seconds from 5 to 86400/],
    [["--watch", "soon"], /--watch is 'soon'; give a number of seconds/],
  ]);
});

Deno.test("'stats --watch' continues when a later request fails, and exits with code 0 on Ctrl+C", async () => {
  const outputs: [flag: string, from: string, stdout: RegExp, stderr: RegExp][] = [
    [
      "--csv",
      "192.0.2.41",
      /^generatedAt,.+\n/,
      /^waitlist: The answer is an error without a message \(502 from \S+\); the command asks for the statistics again\.\n\nStopped watching\.\n$/,
    ],
    [
      "--json",
      "192.0.2.42",
      /^{.+"environment":"production"}\n$/,
      /^{"error":"failed_check","message":"The answer is an error without a message \(502 from \S+\); try again later, .+\."}\n$/,
    ],
  ];
  await Promise.all(outputs.map(async ([flag, from, expectedOutput, expectedErrors]) => {
    let looks = 0;
    await using proxy = startProxy(service, {
      from,
      alter: (response, { url }) =>
        url.endsWith("/stats") && ++looks > 1
          ? new Response("<h1>Bad gateway</h1>", { status: 502 })
          : response,
    });
    const args = ["stats", "--watch", "5", flag, "--base-url", proxy.url];
    const { code, stdout, stderr } = await runCli(args, {
      env: service.client,
      onError: (text, interrupt) => text.includes("(502 from ") && interrupt(),
    });
    assert.equal(code, 0);
    assert.match(stdout, expectedOutput);
    assert.match(stderr, expectedErrors);
    assert.deepEqual(proxy.calls, [
      "POST /api/v1/oauth/token",
      "GET /api/v1/waitlist/stats",
      "GET /api/v1/waitlist/stats",
    ]);
  }));
});

Deno.test("'stats --watch' ends with an error when its first request fails", async () => {
  await assertRefused((args) => runCli(args, { env: service.client }), [
    [
      ["stats", "--watch", "--base-url", "http://127.0.0.1:9"],
      /^waitlist: Cannot get an answer from http:\/\/127.0.0.1:9: .+\.\n$/,
      3,
    ],
  ]);
});
