/** Where commands take the operator key and client secrets from, and to which hosts they send them. @module */
import assert from "node:assert/strict";
import { assertRefused, printed, runCli } from "./support/cli.ts";
import { OPERATOR, OPERATOR_KEY, startCliService, useService } from "./support/service.ts";

const service = useService();

const CLIENT = { WAITLIST_CLIENT_ID: "a-client", WAITLIST_CLIENT_SECRET: "a-client's-secret" };

/** The service by an address that is not a loopback address, though it leads to this computer. */
const elsewhere = () => service.url.replace("127.0.0.1", "0.0.0.0");

Deno.test("A command refuses to send the operator key or a client's secret over plain http: to a host that is not loopback", async (t) => {
  for (
    const [args, secret] of [
      [["token"], "The client's secret"],
      [["stats"], "The client's secret"],
      [["validate"], "The client's secret"],
      [["clients", "list"], "The operator key"],
      [["signups", "show", "ada@example.com"], "The operator key"],
      [["backup", "never-written.ndjson"], "The operator key"],
    ] as [string[], string][]
  ) {
    await t.step(args.join(" "), async () => {
      for (const url of [elsewhere(), "http://waitlist.example", "http://localhost.example:8000"]) {
        const env = { ...CLIENT, ...OPERATOR, WAITLIST_BASE_URL: url };
        const { code, stdout, stderr } = await runCli(args, { env });
        assert.equal(
          stderr,
          `waitlist: ${secret} would go to ${url} in clear text, and others on the network could read this ` +
            "secret; use an https: URL, or add --insecure if you trust this network.\n",
        );
        assert.equal(stdout, "");
        assert.equal(code, 2);
      }
    });
  }
});

Deno.test("A command does not ask for a secret when the base URL is a plain http: URL of a host that is not loopback", async () => {
  const args = ["clients", "list", "--key-stdin", "--base-url", "http://waitlist.example"];
  const { code, stderr } = await runCli(args, { stdin: "" });
  assert.match(stderr, /^waitlist: The operator key would go to /);
  assert.equal(code, 2);
});

Deno.test("A command sends its secret to an http: URL when --insecure is given", async () => {
  const env = { ...OPERATOR, ...service.client, WAITLIST_BASE_URL: elsewhere() };
  for (const args of [["clients", "list", "--quiet"], ["token"]]) {
    await printed(runCli([...args, "--insecure"], { env }));
  }
});

Deno.test("A command for the sandbox needs no --insecure, because the sandbox's credentials are public", async () => {
  const env = { ...CLIENT, ...OPERATOR, WAITLIST_BASE_URL: elsewhere() };
  for (const args of [["token"], ["stats", "--quiet"]]) {
    await printed(runCli([...args, "--sandbox"], { env }));
  }
});

Deno.test("A command needs no --insecure when the base URL is https: or has a loopback host", async (t) => {
  const { port } = new URL(service.url);
  const secrets = { ...CLIENT, ...OPERATOR };
  for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "127.1"]) {
    const env = { ...secrets, WAITLIST_BASE_URL: `http://${host}:${port}` };
    await printed(runCli(["clients", "list", "--quiet"], { env }));
  }
  // Nothing listens there; that it was tried is what counts.
  for (const url of ["http://127.255.0.1:1", "http://[::1]:1", "https://waitlist.invalid"]) {
    await t.step(url, async () => {
      const { code, stderr } = await runCli(["token"], {
        env: { ...secrets, WAITLIST_BASE_URL: url },
      });
      assert.match(stderr, /^waitlist: Cannot get an answer from /);
      assert.equal(code, 3);
    });
  }
});

const LIST = ["clients", "list", "--quiet"];

Deno.test("A command reads the operator key from standard input when --key-stdin is given", async () => {
  const { code, stderr } = await runCli([...LIST, "--base-url", service.url, "--key-stdin"], {
    stdin: `${OPERATOR_KEY}\n`,
    env: { WAITLIST_OPERATOR_KEY: "not this one" },
  });
  assert.equal(code, 0, stderr);
});

Deno.test("A command exits with code 2 when there is no operator key", async (t) => {
  for (
    const [flags, env, stdin] of [
      [[], {}, ""],
      [["--key-stdin"], OPERATOR, ""],
      [["--key-stdin"], {}, "two words\n"],
    ] as [string[], Record<string, string>, string][]
  ) {
    await t.step(JSON.stringify({ flags, env, stdin }), async () => {
      const args = [...LIST, "--base-url", service.url, ...flags];
      await assertRefused(() => runCli(args, { env, stdin }), [[
        args,
        / WAITLIST_OPERATOR_KEY[, ]/,
      ]]);
    });
  }
});

Deno.test("A command exits with code 4 and does not print the key when the operator key is wrong", async (t) => {
  const key = "a-key-that-is-not-the-service's-one";
  for (const flag of ["--quiet", "--verbose"]) {
    await t.step(flag, async () => {
      const { code, stdout, stderr } = await runCli(["clients", "list", flag], {
        env: { WAITLIST_BASE_URL: service.url, WAITLIST_OPERATOR_KEY: key },
      });
      assert.match(
        stderr,
        /^waitlist: [^;]+ \(401 from [^;]+\); check that WAITLIST_OPERATOR_KEY is [^;]+\.\n$/m,
      );
      assert.ok(!stderr.includes(key));
      assert.equal(stdout, "");
      assert.equal(code, 4);
    });
  }
});

Deno.test("A command says that the service needs OPERATOR_KEY when the service has no operator surface", async () => {
  await using closed = await startCliService(undefined, {});
  const { code, stderr } = await runCli([...LIST, "--base-url", closed.url], { env: OPERATOR });
  assert.match(
    stderr,
    /^waitlist: The answer is [^;]+ \(404 from [^;]+\); .+ OPERATOR_KEY or OPERATOR_KEYS is set for the service\.\n$/,
  );
  assert.equal(code, 1);
});

Deno.test("A command exits with code 4 and names the role when the role of the operator key does not allow the call", async () => {
  const key = "0123456789".repeat(4);
  await using viewed = await startCliService(undefined, { OPERATOR_KEYS: `eve:viewer=${key}` });
  const env = { WAITLIST_BASE_URL: viewed.url, WAITLIST_OPERATOR_KEY: key };
  assert.equal((await runCli(["clients", "list"], { env })).code, 0);
  const { code, stderr } = await runCli(["keys", "rotate"], { env });
  assert.match(
    stderr,
    /^waitlist: A key with the role 'viewer' may not do this; use the key of an operator \(403 from /,
  );
  assert.equal(code, 4);
});
