import assert from "node:assert/strict";
import { proxyAdvice } from "../../cli/proxies.ts";
import { runCli } from "./support/cli.ts";

const PROXY = "http://user:s3cret-value@proxy.test:3128";

/** The variables, the URL of a call, and the proxy in the advice; `undefined` if there is no advice. */
const CASES: [variables: Record<string, string>, url: string, proxy: string | undefined][] = [
  [{}, "https://waitlist.example", undefined],
  [{ HTTPS_PROXY: "" }, "https://waitlist.example", undefined],
  [{ HTTPS_PROXY: "http://" }, "https://waitlist.example", undefined],
  [{ HTTPS_PROXY: PROXY }, "https://waitlist.example", "proxy.test:3128 "],
  [{ https_proxy: PROXY }, "https://waitlist.example", "proxy.test:3128 "],
  [{ HTTPS_PROXY: "proxy.test:3128" }, "https://waitlist.example", "proxy.test:3128 "],
  [{ HTTPS_PROXY: "proxy.test" }, "https://waitlist.example", "proxy.test "],
  [{ HTTP_PROXY: "socks5://proxy.test:1080" }, "http://waitlist.example", "proxy.test:1080 "],
  [{ HTTP_PROXY: "http://[::1]:3128" }, "http://waitlist.example", "[::1]:3128 "],
  [{ HTTPS_PROXY: PROXY }, "http://waitlist.example", undefined],
  [{ HTTP_PROXY: PROXY }, "https://waitlist.example", undefined],
];

/** A value of `NO_PROXY`, the host of a call, and whether the value has the host. */
const EXCEPTIONS: [list: string, host: string, isExcepted: boolean][] = [
  ["", "waitlist.example", false],
  ["*", "waitlist.example", true],
  ["other.example, waitlist.example", "waitlist.example", true],
  ["example", "waitlist.example", true],
  [".example", "waitlist.example", true],
  ["*.example", "waitlist.example", true],
  ["list.example", "waitlist.example", false],
  ["127.0.0.1", "127.0.0.1", true],
  ["10.0.0.0/8", "10.1.2.3", true],
  ["10.0.0.0/8", "11.1.2.3", false],
  ["10.0.0.0/33", "10.1.2.3", false],
  ["10.0.0.0/8", "waitlist.example", false],
  ["fd00::/8", "[fd12::1]", true],
  ["::1", "[::1]", true],
];

Deno.test("proxyAdvice() names the proxy that the environment variables set for a URL, and hides the proxy's password", async (t) => {
  for (const [variables, url, proxy] of CASES) {
    for (const usesProxies of [true, false]) {
      await t.step(JSON.stringify({ url, variables, usesProxies }), () => {
        const advice = proxyAdvice(url, { variables, usesProxies });
        const at = JSON.stringify([variables, url]);
        if (proxy === undefined) assert.equal(advice, undefined, at);
        else {assert.ok(
            `${advice?.replace(",", "")} `.includes(`proxy ${proxy}`),
            `${at}: ${advice}`,
          );}
        assert.doesNotMatch(advice ?? "", /user|s3cret/, at);
      });
    }
  }
});

Deno.test("proxyAdvice() names no proxy when NO_PROXY lists the host", async (t) => {
  for (const [list, host, isExcepted] of EXCEPTIONS) {
    for (const name of ["NO_PROXY", "no_proxy"]) {
      await t.step(`${name}=${list} ${host}`, () => {
        const variables = { HTTPS_PROXY: PROXY, [name]: list };
        const advice = proxyAdvice(`https://${host}`, { variables, usesProxies: true });
        assert.equal(advice === undefined, isExcepted);
      });
    }
  }
});

Deno.test("The CLI names the proxy in HTTP_PROXY when the service does not answer", async (t) => {
  const at = ["--base-url", "http://waitlist.test"];
  const refused = () => Promise.reject(new TypeError("error sending request: connection refused"));
  const run = (args: string[], usesProxies = true, env = {}) =>
    runCli(args, { env: { HTTP_PROXY: PROXY, ...env }, fetch: refused, usesProxies });
  const throughProxy =
    "Cannot get an answer from http://waitlist.test: the connection was refused; check that --base-url is right, and that the " +
    "service runs; HTTP_PROXY sends the call through the proxy proxy.test:3128, so check this proxy too, or " +
    "add waitlist.test to NO_PROXY.";
  for (const command of [["status"], ["stats", "--sandbox"], ["smoke"], ["doctor"]]) {
    await t.step(command.join(" "), async () => {
      const { code, stderr } = await run([...command, ...at]);
      assert.deepEqual([code, stderr], [3, `waitlist: ${throughProxy}\n`]);
    });
  }
  const json = await run(["status", "--json", ...at]);
  assert.deepEqual(JSON.parse(json.stderr), { error: "cannot_connect", message: throughProxy });

  const unused = await run(["status", ...at], false);
  assert.match(
    unused.stderr,
    /; HTTP_PROXY names the proxy proxy\.test:3128, but Node does not use this proxy unless NODE_USE_ENV_PROXY is 1, so set .+\.\n$/,
  );
  const excepted = await run(["status", ...at], true, { NO_PROXY: "waitlist.test" });
  assert.match(excepted.stderr, /check that --base-url is right, and that the service runs\.\n$/);
});

Deno.test("The CLI names the proxy in HTTPS_PROXY when an S3 bucket does not answer", async () => {
  const { code, stderr } = await runCli(
    ["backup", "verify", "s3://backups/list?endpoint=https://s3.test&region=eu-central-1"],
    {
      env: { HTTPS_PROXY: PROXY, AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "s3cret-value" },
      fetch: () => Promise.reject(new TypeError("connection refused")),
    },
  );
  assert.equal(code, 2);
  assert.match(
    stderr,
    /: the connection was refused; check the URL and the bucket's access key; HTTPS_PROXY sends .* proxy proxy\.test:3128, so check .*add s3\.test to NO_PROXY\.\n$/,
  );
});
