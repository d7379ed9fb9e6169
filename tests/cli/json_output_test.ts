/** What `--json` prints: pretty JSON on standard output, or one line of JSON on standard error. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeTestFolder } from "../support/process.ts";
import { printed, runCli } from "./support/cli.ts";
import { serveLocally } from "./support/proxy.ts";
import { OPERATOR, useService } from "./support/service.ts";

const service = useService();

function run(args: string[], env: Record<string, string> = OPERATOR) {
  return runCli([...args, "--json"], { env: { WAITLIST_BASE_URL: service.url, ...env } });
}

Deno.test("Every command prints JSON with the same indentation when --json is given", async (t) => {
  await using folder = await makeTestFolder();
  const list = join(folder.path, "list.csv");
  await Deno.writeTextFile(list, "email,consentedAt\nada@example.com,2026-05-01T09:30:00Z\n");
  for (
    const args of [
      ["status"],
      ["token", "--sandbox"],
      ["stats", "--sandbox"],
      ["join", "ada@example.com", "--consent", "--yes"],
      ["clients", "create", "--name", "Test"],
      ["clients", "list"],
      ["keys", "rotate"],
      ["signups", "import", list],
      ["signups", "show", "ada@example.com"],
      ["signups", "export", "--output", join(folder.path, "export.csv")],
      ["signups", "erase", "ada@example.com", "--yes"],
      ["counters", "verify"],
      ["counters", "repair"],
      ["backup", join(folder.path, "backup.ndjson")],
      ["audit"],
    ]
  ) {
    await t.step(args.join(" "), async () => {
      const stdout = await printed(run(args));
      assert.equal(stdout, `${JSON.stringify(JSON.parse(stdout), null, 2)}\n`);
    });
  }
});

Deno.test("A flag that all commands share may stand before, between or after the words of a command", async (t) => {
  const { url } = service;
  for (
    const args of [
      ["--json", "signups", "list"],
      ["signups", "--json", "list"],
      ["--base-url", url, "--json", "clients", "list"],
      // The flag behind the command's name wins.
      ["--base-url", "http://127.0.0.1:9", "--json", "clients", "list", "--base-url", url],
      ["--base-url", "http://127.0.0.1:9", "clients", "--base-url", url, "list", "--json"],
    ]
  ) {
    await t.step(args.join(" "), async () => {
      const env = { ...args.includes("--base-url") ? {} : { WAITLIST_BASE_URL: url }, ...OPERATOR };
      const stdout = await printed(runCli(args, { env }));
      assert.equal(typeof JSON.parse(stdout), "object");
    });
  }
  for (
    const [args, code, message] of [
      [["--timeout", "0", "status"], 2, /--timeout is '0'/],
      [["--quiet", "status", "--verbose"], 2, /--quiet and --verbose exclude each other/],
      [["--base-url", "http://127.0.0.1:9", "signups", "list"], 3, /Cannot get an answer/],
      [["signups", "--jsno", "list"], 2, /unknown option '--jsno'.*; see 'waitlist signups list/],
    ] as const
  ) {
    await t.step(args.join(" "), async () => {
      const { code: ended, stderr } = await runCli([...args], { env: OPERATOR });
      assert.equal(ended, code, stderr);
      assert.match(stderr, message);
    });
  }
});

Deno.test("An error is one line of JSON on standard error when --json is given", async (t) => {
  const wrong = { WAITLIST_CLIENT_ID: "nobody", WAITLIST_CLIENT_SECRET: "wrong" };
  const { unscopedClient } = service;
  for (
    const [args, code, error, message, env] of [
      [["status", "--jsno"], 2, "usage", /^unknown option '--jsno' .+; see 'waitlist status --h/],
      [["statsu"], 2, "usage", /^unknown command 'statsu' /],
      [["status", "--timeout", "x"], 2, "usage", /^--timeout is 'x'; give a number of seconds /],
      [["status", "--base-url", "http://127.0.0.1:9"], 3, "cannot_connect", /^Cannot get an answ/],
      [
        ["join", "none", "--consent", "--sandbox"],
        2,
        "invalid_email",
        /^The e-mail .+ \(422 from /,
      ],
      [
        ["token"],
        4,
        "invalid_client",
        /^[A-Z].+ \(401 from .+; check WAITLIST_CLIENT_ID and /,
        wrong,
      ],
      [
        ["stats"],
        4,
        "insufficient_scope",
        /^[A-Z].+ \(403 from .+; ask the operator /,
        unscopedClient,
      ],
      [["clients", "list"], 4, "unauthorized", /; check that WAITLIST_OPERATOR_KEY is the /, {
        WAITLIST_OPERATOR_KEY: "not-the-service's",
      }],
      [["signups", "show", "nobody@example.com"], 6, "not_found", /address is not on the waitlis/],
      [["clients", "disable", "nobody"], 6, "not_found", /There is no client 'nobody'/],
    ] as [string[], number, string, RegExp, Record<string, string>?][]
  ) {
    await t.step(args.join(" "), async () => {
      const { stdout, stderr, ...finished } = await run(args, env);
      assert.match(stderr, /^[^\n]+\n$/);
      const { error: name, message: text, ...rest } = JSON.parse(stderr);
      assert.deepEqual([finished.code, name, rest, stdout], [code, error, {}, ""], stderr);
      assert.match(text, message);
      assert.match(text, /[^.]\.$/);
    });
  }
});

Deno.test("An error in JSON has an error code even if the answer came from another server than the waitlist service", async (t) => {
  for (
    const [answer, code, error] of [
      [() => Response.json({ error: "rate_limited", message: "." }, { status: 429 }), 5],
      [() => new Response("Slow down", { status: 429 }), 5, "rate_limited"],
      [() => Response.json({ error: "internal_error", message: "." }, { status: 500 }), 1],
      [() => new Response("Bad gateway", { status: 502 }), 1, "failed_check"],
      [() => new Response("A page"), 1, "failed_check"],
      [() => new Response("Who are you?", { status: 401 }), 4, "not_authorised"],
    ] as [() => Response, number, string?][]
  ) {
    await t.step(`${answer}`, async () => {
      const response = answer();
      const expected = error ?? (await response.clone().json()).error;
      await using page = serveLocally(answer);
      const finished = await run(["status"], { WAITLIST_BASE_URL: page.url });
      assert.deepEqual([finished.code, JSON.parse(finished.stderr).error], [code, expected]);
    });
  }
});

Deno.test("An error that the CLI prints as JSON masks a secret that the service's answer repeats", async () => {
  const secret = 'a "secret"\\';
  await using echo = serveLocally(() =>
    Response.json({ error: "invalid_client", error_description: secret }, { status: 401 })
  );
  const env = { WAITLIST_CLIENT_ID: "nobody", WAITLIST_CLIENT_SECRET: secret };
  const { stderr } = await run(["token", "--base-url", echo.url], env);
  assert.match(JSON.parse(stderr).message, /^\*\*\* \(401 from \S+\); check /);
});
