/** What `doctor` finds at a service without a fault, and at services with one each. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type Finished, runCli } from "../support/cli.ts";
import { type Proxy, startProxy, withHeaders } from "../support/proxy.ts";
import { OPERATOR, OPERATOR_KEY, startCliService, useService } from "../support/service.ts";

const service = useService();

/** Calls without the operator key, unless it is given. */
const diagnose = (url: string, { env = {}, flags = [] as string[] } = {}): Promise<Finished> =>
  runCli(["doctor", "--base-url", url, ...flags], { env });

/** The line about one thing. */
function lineOf({ stdout }: Finished, check: string): string {
  const lines = stdout.split("\n").filter((line) => line.startsWith(check, 7));
  assert.equal(lines.length, 1, stdout);
  return lines[0]!.replaceAll(/ +/g, " ");
}

Deno.test("doctor says that all is well, and what takes a key, when a service is called without one", async () => {
  await using plain = await startCliService(undefined, { TRUSTED_PROXY_HOPS: "0" });
  const { code, stdout, stderr } = await diagnose(plain.url);
  assert.equal(code, 0, stdout);
  assert.equal(stderr, "");
  const lines = stdout.trimEnd().split("\n").map((line) => line.replaceAll(/ +/g, " "));
  assert.match(lines[0]!, /^ok address the service calls itself http:\/\/127\.0\.0\.1:\d+ too$/);
  assert.match(lines[1]!, /^- tls http: to this computer; call the public address$/);
  assert.match(lines[2]!, /^ok clock \d+ ms (ahead of|behind) this computer$/);
  assert.match(lines[3]!, /^ok proxy visitors cannot choose the address that limits count by, /);
  for (const [index, check] of ["launch", "letters", "backups"].entries()) {
    assert.equal(
      lines[4 + index],
      `- ${check} it takes the operator key; set WAITLIST_OPERATOR_KEY`,
    );
  }
  assert.equal(lines.length, 7);
});

Deno.test("doctor looks at letters and backups when it has the key, and says when there was no backup", async () => {
  await using folder = await makeFolder();
  await using own = await startCliService();
  const env = { ...OPERATOR, WAITLIST_BASE_URL: own.url };
  const before = await diagnose(own.url, { env });
  assert.equal(before.code, 1);
  assert.match(lineOf(before, "letters"), /^ok letters none are sent, as MAIL_URL is not set$/);
  assert.match(lineOf(before, "launch"), /^- launch placeholders do not count while the address/);
  assert.match(
    lineOf(before, "backups"),
    /^fault backups there has been none; run 'waitlist backup' /,
  );

  const { code } = await runCli(["backup", join(folder.path, "waitlist.ndjson")], { env });
  assert.equal(code, 0);
  const after = await diagnose(own.url, { env });
  assert.match(lineOf(after, "backups"), /^ok backups the last one is of 20\d\d-/);
});

Deno.test("doctor says that visitors can choose their address when the service trusts a proxy too many", async () => {
  // It trusts one proxy and is called without any.
  const found = await diagnose(service.url);
  assert.equal(found.code, 1);
  assert.match(
    lineOf(found, "proxy"),
    /^fault proxy visitors can choose the address .+HOPS to the /,
  );
  await using two = await startCliService(undefined, { TRUSTED_PROXY_HOPS: "2" });
  assert.match(lineOf(await diagnose(two.url), "proxy"), /^fault proxy visitors can choose/);
});

Deno.test("doctor names the fault of what is in front when a proxy changes answers or adds calls", async () => {
  const status = `${service.url}/api/v1/status`;
  const table: [
    check: string,
    line: RegExp,
    alter: NonNullable<Parameters<typeof startProxy>[1]["alter"]>,
  ][] = [
    ["proxy", /^ok proxy visitors cannot/, (response) => response],
    [
      "address",
      /^fault address the service calls itself .+; give --base-url /,
      (response) => response,
    ],
    ["proxy", /^fault proxy \d+ calls of others were counted with these/, async (response) => {
      const headers = { "X-Forwarded-For": "192.0.2.62" };
      await (await fetch(status, { headers })).body?.cancel();
      return response;
    }],
    [
      "proxy",
      /^fault proxy answers have no RateLimit headers/,
      (response) => withHeaders(response, (headers) => headers.delete("ratelimit-remaining")),
    ],
    [
      "clock",
      /^fault clock 1 min \d+ s behind this computer; let both take the time/,
      async (response) => {
        const body = await response.json();
        const time = new Date(Date.parse(body.time) - 90_000).toISOString();
        return Response.json({ ...body, time }, { headers: response.headers });
      },
    ],
  ];
  for (const [index, [check, line, alter]] of table.entries()) {
    await using proxy = startProxy(service, { from: `192.0.2.${60 + index}`, alter });
    const found = await diagnose(proxy.url);
    assert.equal(found.code, 1, "the address of the proxy is not the service's own");
    assert.match(lineOf(found, check), line);
  }
});

Deno.test("doctor says when to try again when the limit is used up", async () => {
  let calls = 0;
  const alter = (response: Response) => {
    if (++calls < 4) return response;
    return new Response(null, { status: 429, headers: { "RateLimit-Reset": "17" } });
  };
  await using proxy = startProxy(service, { from: "192.0.2.70", alter });
  const found = await diagnose(proxy.url);
  assert.match(lineOf(found, "proxy"), /^- proxy the limit is used up; try again in 17 s$/);
});

/** A proxy that changes the overview. */
const startOverviewProxy = (change: (overview: Overview) => Overview): Proxy =>
  startProxy(service, {
    from: "192.0.2.71",
    alter: async (response, request) => {
      if (!request.url.endsWith("/overview")) return response;
      return Response.json(change(await response.json()), { headers: response.headers });
    },
  });

Deno.test("doctor names the fault when letters wait or are paused, or the last backup is old", async () => {
  const outbox = { due: 3, held: 0, refused: 2, sentToday: 5 };
  const until = "2026-11-21T12:30:00.000Z";
  const ago = (overview: Overview, minutes: number) =>
    new Date(Date.parse(overview.generatedAt) - minutes * 60_000).toISOString();
  const table: [check: string, line: RegExp, change: (overview: Overview) => Overview][] = [
    [
      "letters",
      /^ok letters 5 sent today, 3 wait; 2 refused, see 'waitlist outbox list --refused'$/,
      (overview) => ({ ...overview, sendsLetters: true, outbox }),
    ],
    [
      "letters",
      /^fault letters all are paused until 2026-\S+: Wrong password; look at MAIL_URL .+retry --all'$/,
      (overview) => ({
        ...overview,
        outbox: { ...outbox, pause: { until, reason: "Wrong password" } },
      }),
    ],
    [
      "letters",
      /^fault letters 3 letters and events wait, the first since 20\S+; see 'waitlist outbox list'/,
      (overview) => ({ ...overview, outbox: { ...outbox, oldestDue: ago(overview, 16) } }),
    ],
    [
      "letters",
      /^fault letters 8 of 18 letters were refused on 2026-11-21 \(UTC\); 6 of 9 tries to deliver events failed on /,
      (overview) => ({
        ...overview,
        outbox,
        refusals: [
          { about: "letters", day: "2026-11-21", refused: 8, tried: 18 },
          { about: "events", day: "2026-11-20", refused: 6, tried: 9 },
        ],
      }),
    ],
    [
      "backups",
      /^fault backups the last one is 8 days old, of 20/,
      (overview) => ({ ...overview, lastDone: { backup: ago(overview, 8 * 24 * 60 + 1) } }),
    ],
    [
      "backups",
      /^ok backups the last one is of 20/,
      (overview) => ({ ...overview, lastDone: { backup: ago(overview, 7 * 24 * 60) } }),
    ],
  ];
  for (const [check, line, change] of table) {
    await using proxy = startOverviewProxy(change);
    assert.match(lineOf(await diagnose(proxy.url, { env: OPERATOR }), check), line);
  }
});

Deno.test("doctor prints JSON when --json is given, and nothing when --quiet is", async () => {
  const { code, stdout } = await diagnose(service.url, { flags: ["--json"] });
  assert.equal(code, 1);
  const { baseUrl, faults, checks } = JSON.parse(stdout);
  assert.equal(baseUrl, service.url);
  assert.equal(faults, 1);
  assert.deepEqual(Object.keys(checks[0]), ["check", "result", "message"]);
  const fault = checks.filter(({ result }: { result: string }) => result === "fault");
  assert.deepEqual(fault.map(({ check }: { check: string }) => check), ["proxy"]);
  assert.deepEqual(await diagnose(service.url, { flags: ["--quiet"] }), {
    code: 1,
    stdout: "",
    stderr: "",
  });
});

Deno.test("doctor ends like other commands when the key is wrong, or nothing answers", async () => {
  const env = { WAITLIST_OPERATOR_KEY: `${OPERATOR_KEY}-of-yesterday` };
  assert.equal((await diagnose(service.url, { env })).code, 4);
  const { code, stderr } = await diagnose("http://127.0.0.1:1");
  assert.equal(code, 3);
  assert.match(stderr, /^waitlist: .+127\.0\.0\.1:1.+\.\n$/);
});

async function makeFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await Deno.makeTempDir({ prefix: "doctor-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
