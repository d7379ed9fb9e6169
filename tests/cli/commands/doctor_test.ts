/** What `doctor` finds at a service without a fault, and at services with one each. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Finding } from "../../../cli/commands/doctor/check.ts";
import { makeTestFolder } from "../../support/process.ts";
import { startProxy, withHeaders } from "../support/proxy.ts";
import { OPERATOR, runOperator, startCliService, useService } from "../support/service.ts";
import { type Alter, diagnose, lineOf } from "../support/doctor.ts";

const service = useService();

Deno.test("'doctor' reports no fault when the operator key is missing, and names the checks that need this key", async () => {
  await using plain = await startCliService(undefined, { TRUSTED_PROXY_HOPS: "0" });
  const { code, stdout, stderr } = await diagnose(plain.url);
  assert.equal(code, 0, stdout);
  assert.equal(stderr, "");
  const lines = stdout.trimEnd().split("\n").map((line) => line.replaceAll(/ +/g, " "));
  assert.match(lines[0]!, /^ok address the service calls itself http:\/\/127\.0\.0\.1:\d+ too$/);
  assert.match(
    lines[1]!,
    /^- tls the URL of the service leads to this computer; give --base-url with the public URL$/,
  );
  assert.match(
    lines[2]!,
    /^ok clock the service's clock is \d+ ms (ahead of|behind) this computer's clock$/,
  );
  assert.match(
    lines[3]!,
    /^- proxy visitors cannot choose .+; to check also .+, set WAITLIST_OPERATOR_KEY$/,
  );
  assert.deepEqual(
    lines.slice(4),
    ["launch", "letters", "backups"].map((check) =>
      `- ${check} this check needs the operator key; set WAITLIST_OPERATOR_KEY`
    ),
  );
});

Deno.test("'doctor' checks e-mails and backups when it has the operator key, and reports that no backup was made yet", async () => {
  await using folder = await makeTestFolder();
  await using own = await startCliService();
  const before = await diagnose(own.url, { env: OPERATOR });
  assert.equal(before.code, 1, "for the proxy");
  assert.match(
    lineOf(before, "letters"),
    /^ok letters the service sends no e-mails, because MAIL_URL is not set$/,
  );
  assert.match(
    lineOf(before, "proxy"),
    /^fault proxy with a forged X-Forwarded-For, visitors can choose /,
  );
  assert.match(
    lineOf(before, "launch"),
    /^- launch this check finds placeholders in texts and settings of a public service/,
  );
  const none = /^- backups there was no backup, but nobody is on the list yet$/;
  assert.match(lineOf(before, "backups"), none);

  await runOperator(own.url, ["backup", join(folder.path, "waitlist.ndjson")]);
  const after = await diagnose(own.url, { env: OPERATOR });
  assert.match(lineOf(after, "backups"), /^ok backups the last backup is of 20\d\d-/);
});

Deno.test("'doctor' names the fault when a proxy changes the service's answers or sends additional calls to the service", async (t) => {
  const status = `${service.url}/api/v1/status`;
  const asItIs: Alter = (response) => response;
  const table: [check: string, line: RegExp, alter: Alter][] = [
    ["proxy", /^- proxy visitors cannot/, asItIs],
    ["address", /^fault address the service calls itself .+; give --base-url /, asItIs],
    [
      "proxy",
      /^fault proxy the service counted \d+ calls? more than this program made/,
      async (response) => {
        const headers = { "X-Forwarded-For": "192.0.2.62" };
        await (await fetch(status, { headers })).body?.cancel();
        return response;
      },
    ],
    [
      "proxy",
      /^fault proxy answers have no RateLimit headers/,
      (response) => withHeaders(response, (headers) => headers.delete("ratelimit-remaining")),
    ],
    [
      "clock",
      /^fault clock the service's clock is 1 min \d+ s behind this computer's clock; synchronise both clocks/,
      async (response) => {
        const body = await response.json();
        const time = new Date(Date.parse(body.time) - 90_000).toISOString();
        return Response.json({ ...body, time }, { headers: response.headers });
      },
    ],
  ];
  for (const [index, [check, line, alter]] of table.entries()) {
    await t.step(`${check}: ${line}`, async () => {
      await using proxy = startProxy(service, { from: `192.0.2.${60 + index}`, alter });
      const found = await diagnose(proxy.url);
      assert.equal(found.code, 1, "the address of the proxy is not the service's own");
      assert.match(lineOf(found, check), line);
    });
  }
});

Deno.test("'doctor' says how many seconds to wait when the request limit is used up", async () => {
  let calls = 0;
  const alter = (response: Response) => {
    if (++calls < 4) return response;
    return new Response(null, { status: 429, headers: { "RateLimit-Reset": "17" } });
  };
  await using proxy = startProxy(service, { from: "192.0.2.70", alter });
  const found = await diagnose(proxy.url);
  assert.match(
    lineOf(found, "proxy"),
    /^- proxy the request limit is used up; run 'waitlist doctor' again in 17 s$/,
  );
});

Deno.test("'doctor' prints JSON when --json is given, and nothing when --quiet is given", async () => {
  const { code, stdout } = await diagnose(service.url, { flags: ["--json"] });
  assert.equal(code, 1);
  const { baseUrl, faults, checks } = JSON.parse(stdout);
  assert.deepEqual([baseUrl, faults], [service.url, 1]);
  assert.deepEqual(Object.keys(checks[0]), ["check", "result", "message"]);
  const fault = (checks as Finding[]).filter(({ result }) => result === "fault");
  assert.deepEqual(fault.map(({ check }) => check), ["proxy"]);
  const quiet = await diagnose(service.url, { flags: ["--quiet"] });
  assert.deepEqual(quiet, { code: 1, stdout: "", stderr: "" });
});

Deno.test("'doctor' exits with code 4 when the operator key is wrong, and with code 3 when nothing answers", async () => {
  const env = { WAITLIST_OPERATOR_KEY: "the-operator-key-of-yesterday" };
  assert.equal((await diagnose(service.url, { env })).code, 4);
  const { code, stderr } = await diagnose("http://127.0.0.1:1");
  assert.equal(code, 3);
  assert.match(stderr, /^waitlist: .+127\.0\.0\.1:1.+\.\n$/);
});
