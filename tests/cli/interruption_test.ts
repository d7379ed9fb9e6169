import assert from "node:assert/strict";
import { runCli } from "./support/cli.ts";
import { OPERATOR } from "./support/service.ts";

const LINK = ["--link", "https://app.example.com/{code}"];

/** A wave is the service's own work. */
const WAVE = /look at 'waitlist waves list'; a \w+ wave continues by itself$/;

Deno.test("waitlist says how to go on, and ends with 130, when Ctrl+C ends long work", async () => {
  const table: [args: string[], goOn: RegExp][] = [
    [["counters", "verify"], /again; it counts anew$/],
    [["counters", "repair"], /again; it counts anew$/],
    [["signups", "export"], /with --output it continues where it stopped$/],
    [["signups", "remind", "--all", "--yes"], /nobody is asked twice within 24 hours$/],
    [
      ["signups", "undeliverable", "ada@example.com"],
      /addresses that are marked already stay marked$/,
    ],
    [
      ["signups", "erase", "--state", "waiting", "--before", "2026-01-01", "--yes"],
      /it continues with the people who are left$/,
    ],
    [["outbox", "retry", "--all"], /again$/],
    [["signups", "invite", "--next", "2", ...LINK, "--yes"], WAVE],
    [["waves", "resume", "w"], WAVE],
  ];
  for (const [args, goOn] of table) {
    const interruption = new AbortController();
    const fetch = () => {
      interruption.abort();
      return Promise.resolve(new Response(null, { status: 401 }));
    };
    const { code, stderr } = await runCli(args, { env: OPERATOR, interruption, fetch });
    assert.equal(code, 130, stderr);
    const last = stderr.trimEnd().split("\n").at(-1)!;
    const beginning = goOn === WAVE ? "" : "to go on, run the same command again";
    assert.match(last, new RegExp(`^waitlist: Interrupted; ${beginning}.*\\.$`));
    assert.match(last.slice(0, -1), goOn);
  }
});
