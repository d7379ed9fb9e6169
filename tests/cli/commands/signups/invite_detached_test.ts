import assert from "node:assert/strict";
import { runOperator } from "../../support/service.ts";
import { LINK, useWaiting } from "../../support/waiting_service.ts";

Deno.test("signups invite --detach leaves the wave to the service, and waves commands look after it", async () => {
  // Nothing listens there.
  const mail = { MAIL_URL: "smtp://127.0.0.1:9", MAIL_FROM: "Waitlist <waitlist@example.com>" };
  await using test = await useWaiting(700, mail);
  const run = (...args: string[]) => runOperator(test.url, args);
  const show = async (id: string) => JSON.parse((await run("waves", "show", id, "--json")).stdout);
  const first = ["--next", "300", "--lang", "en", ...LINK, "--wave", "first", "--yes"];
  const started = await test.invite([...first, "--detach"]);
  assert.equal(started.stdout, "The wave first runs; 48 people invited so far.\n", started.stderr);
  await run("waves", "pause", "first");
  const { state } = await show("first");
  assert.ok(["paused", "done"].includes(state), state);
  const resumed = await run("waves", "resume", "first");
  // Some letters may have left the outbox during the pause.
  const end =
    /^Invited 300 people in the wave first; their letters are in the outbox\.( \d+ letters were put into the outbox again\.)?\n$/;
  assert.match(resumed.stdout, end, resumed.stderr);

  const interrupted = await runOperator(
    test.url,
    ["signups", "invite", "--next", "300", "--wave", "second", "--yes"],
    {
      onError: (text, interrupt) => {
        if (text.includes("The wave second runs by itself, even after Ctrl+C.")) interrupt();
      },
    },
  );
  assert.equal(interrupted.code, 130, interrupted.stderr);
  assert.match(interrupted.stderr, /a started wave continues by itself\.\n$/);
  let second: { state: string; invited: number };
  do second = await show("second"); while (second.state === "running");
  assert.deepEqual([second.state, second.invited], ["done", 300]);

  const listed = (await run("waves", "list")).stdout;
  assert.match(listed, /first +done +20\S+ +operator +next 300, en +300 +0 +0 +0\n/);
  assert.equal(
    (await run("waves", "people", "first", "--quiet", "--limit", "7")).stdout.split("\n").length,
    8,
  );
  const wrote = await run("waves", "people", "first", "--output", test.output, "--yes");
  assert.equal(wrote.stdout, `Wrote 300 people to ${test.output}.\n`);
  const [, code = ""] = /,([0-9a-f]{32}),first,/.exec(await Deno.readTextFile(test.output))!;

  const renewed = await run("invitations", "renew", code, "--expires", "2040-01-31");
  assert.match(
    renewed.stdout,
    /^Renewed: \S+ can accept the invitation until 2040-02-01T00:00:00\.000Z\.\n$/,
  );
  // The address of a person names the code, too.
  const expires = ["--expires", "2041-01-31"];
  const [, email = ""] = /^Renewed: (\S+)/.exec(renewed.stdout)!;
  const again = await run("invitations", "renew", email, ...expires);
  assert.match(again.stdout, /^Renewed: \S+ can accept the invitation until 2041-02-01T/);
  const none = await run("invitations", "renew", "visitor699@example.com", ...expires);
  assert.match(none.stderr, /^waitlist: visitor699@example\.com has no invitation; look at /);
  const cancelled = await run("waves", "cancel", "first", "--yes");
  assert.match(
    cancelled.stdout,
    /^The wave first is cancelled; .+ invited\.$/m,
    "its letters wait",
  );
  assert.equal((await run("waves", "show", "none")).code, 6);
  // The link is that of the last wave.
  const plan = await test.invite([
    "--next",
    "9",
    "--output",
    test.output,
    "--dry-run",
    "--expires",
    "2040-01-31",
  ]);
  assert.equal(plan.stderr, `The link is that of the last wave: ${LINK[1]}\n`);
  assert.match(
    plan.stdout,
    /^Passed over: 600 invited\.\nWould invite: .+\nWould invite 9 people\.\n$/s,
  );
  const detached = await test.invite(["--next", "9", "--output", test.output, "--detach", "--yes"]);
  assert.match(
    detached.stderr,
    /--detach does not wait for the people that --output writes; leave one out/,
  );
});
