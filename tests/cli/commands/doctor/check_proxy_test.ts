/** What `doctor` finds at a service behind a proxy that speaks TLS. */
import assert from "node:assert/strict";
import { runCli } from "../../support/cli.ts";
import { withHeaders } from "../../support/proxy.ts";
import { OPERATOR, OPERATOR_KEY, startCliService } from "../../support/service.ts";

const read = (name: string) =>
  Deno.readTextFileSync(new URL(`../../../support/tls/${name}`, import.meta.url));

/** Starts a service behind TLS, with its `BASE_URL`, and a `fetch` that trusts the certificate. */
async function startBehindTls(
  variables: Record<string, string>,
  alter = (response: Response) => response,
) {
  const stack = new AsyncDisposableStack();
  const client = stack.use(Deno.createHttpClient({ caCerts: [read("ca.pem")] }));
  let target = "";
  const front = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen: () => {},
    cert: read("cert.pem"),
    key: read("key.pem"),
  }, async (request) => {
    const headers = new Headers(request.headers);
    const forwarded = headers.get("x-forwarded-for");
    // It appends the address of the caller, like nginx with `$proxy_add_x_forwarded_for`.
    headers.set("x-forwarded-for", forwarded ? `${forwarded}, 127.0.0.1` : "127.0.0.1");
    return alter(await fetch(target + new URL(request.url).pathname, { headers }));
  });
  stack.defer(() => front.shutdown());
  const url = `https://localhost:${front.addr.port}`;
  const service = stack.use(
    await startCliService(undefined, { OPERATOR_KEY, BASE_URL: url, ...variables }),
  );
  target = service.url;
  const trusting = (input: RequestInfo | URL, init?: RequestInit) =>
    fetch(input, { ...init, client });
  return {
    diagnose: (flags: string[] = [], env: Record<string, string> = OPERATOR) =>
      runCli(["doctor", "--base-url", url, ...flags], { env, fetch: trusting as typeof fetch }),
    url,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** The results and messages by what was looked at. */
async function findingsOf(run: Promise<{ stdout: string }>): Promise<string[]> {
  const { checks } = JSON.parse((await run).stdout);
  return checks.map((finding: Record<string, string>) =>
    `${finding.check} ${finding.result}: ${finding.message}`
  );
}

Deno.test("'doctor' lists the settings with placeholder values when the base URL begins with https:", async () => {
  await using service = await startBehindTls({ TRUSTED_PROXY_HOPS: "0", MAIL_URL: "file:mail" });
  const findings = await findingsOf(service.diagnose(["--json"]));
  const expected = [
    /^address ok: the service calls itself https:\/\/localhost:\d+ too$/,
    /^tls ok: the certificate is valid, and browsers are told to use only https:$/,
    /^clock ok: /,
    /^name fault: .+ 'Example Company'\. Set SITE_NAME, or 'name' in brand\.yaml$/,
    /^promise fault: The home page does not say what the company offers\. Set 'promise' in brand\.yaml/,
    /^picture fault: .+ shows no company\. Put your own picture into the folder of CONTENT_PATH, as assets\/social/,
    /^contact fault: .+ a guess, made of hello@ and the host of BASE_URL\. Set CONTACT/,
    /^texts fault: .+content\/en\/index\.md, content\/en\/imprint\.md, content\/en\/privacy\.md, /,
    /^letters fault: Letters are put into a folder .+\. Set MAIL_URL/,
    /^proxy fault: .+ TRUSTED_PROXY_HOPS is 0, so all visitors share the limits of the proxy's address\. /,
    /^backups unchecked: there was no backup, but nobody is on the list yet/,
  ];
  assert.equal(findings.length, expected.length, findings.join("\n"));
  for (const [index, pattern] of expected.entries()) assert.match(findings[index]!, pattern);
});

Deno.test("'doctor' reports a fault of the proxy only when TRUSTED_PROXY_HOPS is larger than the number of proxies", async (t) => {
  const table: [hops: string, finding: RegExp][] = [
    [
      "1",
      /^proxy unchecked: visitors cannot choose .+; to check also .+, set WAITLIST_OPERATOR_KEY$/,
    ],
    ["2", /^proxy fault: with a forged X-Forwarded-For, visitors can choose/],
    ["3", /^proxy fault: with a forged X-Forwarded-For, visitors can choose/],
  ];
  for (const [hops, pattern] of table) {
    await t.step(hops, async () => {
      await using service = await startBehindTls({ TRUSTED_PROXY_HOPS: hops });
      const findings = await findingsOf(service.diagnose(["--json"], {}));
      assert.match(findings.find((finding) => finding.startsWith("proxy"))!, pattern);
    });
  }
});

Deno.test("'doctor' says that Strict-Transport-Security is missing when the proxy removes it", async () => {
  const alter = (response: Response) =>
    withHeaders(response, (headers) => {
      // `fetch` has decoded the body already.
      for (const name of ["strict-transport-security", "content-encoding", "content-length"]) {
        headers.delete(name);
      }
    });
  await using service = await startBehindTls({ TRUSTED_PROXY_HOPS: "1" }, alter);
  const findings = await findingsOf(service.diagnose(["--json"], {}));
  assert.match(
    findings[1]!,
    /^tls fault: pages have no header Strict-Transport-Security; set the service's BASE_URL/,
  );
});

Deno.test("'doctor' exits with code 3 and names the certificate when the certificate is not trusted", async () => {
  await using service = await startBehindTls({});
  const { code, stderr } = await runCli(["doctor", "--base-url", service.url]);
  assert.equal(code, 3);
  assert.match(stderr, /the TLS certificate of the server is not trusted; if a private authority/);
});
