import assert from "node:assert/strict";
import { PEOPLE_IN_COMMIT } from "../../../../server/store/people/commit_size.ts";
import { printed } from "../../support/cli.ts";
import { CONSENT } from "../../support/import_service.ts";
import { cutAnswers } from "../../support/proxy.ts";
import { LINK, useWaiting } from "../../support/people_service.ts";
import { runOperator } from "../../support/service.ts";

Deno.test("'signups invite --output' writes the invited people and their links to a file that only the file's owner can read", async (t) => {
  await using test = await useWaiting(3);
  await Deno.remove(test.output);
  const args = ["--next", "2", ...LINK, "--output", test.output, "--yes"];
  // A small wave is done at once, without a word on standard error.
  const stdout = await printed(test.invite([...args, "--wave", "w"]));
  assert.equal(stdout, `Invited 2 people in the wave w; their data is in ${test.output}.\n`);
  assert.equal((await Deno.stat(test.output)).mode! & 0o777, 0o600);
  const [head, ...rows] = (await Deno.readTextFile(test.output)).trimEnd().split("\r\n");
  assert.match(head!, /^email,.+,placeUrl,invitationUrl$/);
  assert.equal(rows.length, 2);
  for (const row of rows) {
    await t.step(row, () => {
      const code = /,invited,[^,]+,([0-9a-f]{32}),w,/.exec(row)?.[1];
      assert.ok(row.endsWith(`,https://app.example.com/?code=${code}`));
    });
  }

  const again = await test.invite([...args, "--wave", "w", "--json"]);
  assert.equal(again.stderr, "");
  const { startedAt: _, ...report } = JSON.parse(again.stdout);
  assert.deepEqual(report, {
    wave: "w",
    state: "done",
    operator: "operator",
    next: 2,
    link: LINK[1],
    letters: false,
    invited: 2,
    taken: 0,
    refused: 0,
    accepted: 0,
    notInvited: [],
    dryRun: false,
    file: test.output,
  });
  const repeated = await Deno.readTextFile(test.output);
  // Each link to a person's page is encrypted anew.
  const withoutToken = (text: string) => text.trimEnd().replaceAll(/\?t=[^,]+/g, "");
  assert.equal(withoutToken(repeated), withoutToken([head, ...rows].join("\r\n")));
  const imported = await test.import([test.output]);
  assert.match(imported.stdout, /: 0 new, 0 merged, 2 unchanged, 0 refused\.\n$/);
});

Deno.test("'signups invite' asks the operator on a terminal, and invites nobody when the operator says no", async () => {
  await using test = await useWaiting(3);
  const file = await test.file("new.ndjson", "");
  await Deno.remove(file);
  const args = ["--next", "2", ...LINK, "--output", file];
  const questions: string[] = [];
  const answering = (answer: boolean) => (question: string) => {
    questions.push(question);
    return answer;
  };
  const refused = await test.invite(args, answering(false));
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /Cancelled; nothing was sent\.\n$/);
  assert.deepEqual(questions, [
    `Invite 2 people at ${test.url}? No e-mail is sent; their data goes to ${file}. ` +
    "This cannot be undone.",
  ]);
  await assert.rejects(Deno.stat(file), Deno.errors.NotFound);

  const done = await test.invite(args, answering(true));
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^Invited 2 people in the wave 20\d\d-\d\d-\d\d-\d{6}-\d{3}; /);
  const lines = (await Deno.readTextFile(file)).trimEnd().split("\n");
  assert.deepEqual(lines.map((line) => JSON.parse(line).state), ["invited", "invited"]);
  const states = Object.values(await test.records()).map(({ state }) => state);
  assert.deepEqual(states.toSorted(), ["invited", "invited", "waiting"]);
});

Deno.test("'signups invite' exits with code 2 and invites nobody when there is neither a terminal nor --yes", async () => {
  await using test = await useWaiting(0);
  // Nothing listens there.
  const { code, stderr } = await test.invite(
    ["--next", "2", ...LINK],
    undefined,
    "http://127.0.0.1:1",
  );
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^waitlist: Nobody was invited, .+; add --yes to run the command without this question\.\n$/,
  );
});

Deno.test("'signups invite --dry-run' shows whom 'signups invite' would invite, and 'signups invite' names addresses that are not on the list", async () => {
  await using test = await useWaiting(3);
  const dry = await printed(
    test.invite(["--next", "9", ...LINK, "--output", "none.csv", "--dry-run"]),
  );
  const people = dry.match(/^Would invite: visitor\d@example\.com, on the list since 20\S+Z\.$/gm);
  assert.equal(people?.length, 3, dry);
  assert.match(dry, /\nWould invite 3 people\.\n$/);

  const named = ["visitor1@example.com", "nobody@example.com"];
  const { code, stdout } = await test.invite([
    ...named,
    ...[...LINK, "--output", test.output, "--yes", "--wave", "w"],
  ]);
  assert.equal(code, 1);
  assert.equal(
    stdout,
    "Passed over: nobody@example.com is not on the list.\n" +
      `Invited 1 person in the wave w; their data is in ${test.output}.\n`,
  );
  const records = await test.records();
  assert.equal(records["visitor1@example.com"]?.state, "invited");
  assert.equal(records["visitor0@example.com"]?.consentedAt, new Date(CONSENT).toISOString());
});

Deno.test("'signups invite' starts only one wave even if two answers of the service break off, and waits for the end of the wave", async () => {
  await using test = await useWaiting(400);
  await using proxy = cutAnswers(test, { bytes: 60, times: 2 });
  const args = ["--next", "300", ...LINK, "--output", test.output, "--yes", "--wave", "w"];
  const { code, stdout, stderr } = await test.invite(args, undefined, proxy.url);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Invited 300 people in the wave w;/);
  assert.match(stderr, /; the program calls the service again in 1 s\.\n/);
  assert.equal((await Deno.readTextFile(test.output)).trimEnd().split("\n").length, 301);
  const states = Object.groupBy(Object.values(await test.records()), ({ state }) => state);
  assert.deepEqual([states.invited?.length, states.waiting?.length], [300, 100]);
});

Deno.test("'signups invite' removes its partial file when this file cannot be renamed to the name in --output", async () => {
  await using test = await useWaiting(2);
  // A file cannot take the name of a folder.
  await Deno.remove(test.output);
  await Deno.mkdir(test.output);
  const args = ["--next", "2", ...LINK, "--output", test.output, "--yes", "--wave", "w"];
  const { code, stderr } = await test.invite(args);
  assert.equal(code, 1);
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  assert.match(
    last,
    /^waitlist: Cannot write '.+': .+; solve this problem, and run 'waitlist waves people w --output .+'\.$/,
  );
  await assert.rejects(Deno.stat(`${test.output}.part`), Deno.errors.NotFound);
});

Deno.test("'signups invite' writes no file when --link is wrong, or when nobody is waiting", async () => {
  await using test = await useWaiting(0);
  const args = ["--next", "2", "--output", test.output, "--yes"];
  const wrong = await test.invite([...args, "--link", "http://a.example/"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /^waitlist: Field 'link' is 'http:.+\n$/);
  const { stdout, stderr } = await test.invite([...args, ...LINK]);
  assert.deepEqual([stdout, stderr], ["The wave would invite nobody.\n", ""]);
});

Deno.test("'signups invite' warns when it sends e-mails and --link has no {code}", async () => {
  await using test = await useWaiting(0);
  const args = ["--next", "2", "--dry-run", "--link", "https://app.example.com/"];
  const { stderr } = await test.invite(args);
  assert.match(
    stderr,
    /^waitlist: The link '.+' has no \{code\}, so the e-mails will have no .+\n/,
  );
  assert.equal((await test.invite([...args, "--output", test.output])).stderr, "");
});

Deno.test("'signups invite' says which flag is wrong, or that the service sends no e-mails because MAIL_URL is not set", async (t) => {
  await using test = await useWaiting(0);
  const wrong: [args: string[], message: RegExp][] = [
    [
      LINK,
      /^waitlist: It is not clear whom to invite; give either --next with a number, or addresses\.\n$/,
    ],
    [["--next", "2", "ada@example.com", ...LINK], /^waitlist: It is not clear whom to invite;/],
    [["--next", "0", ...LINK], /--next is '0'; give a whole number from 1 on\.\n$/],
    [["--next", "2"], /give --link with an https: URL\.\n$/],
    [["--next", "2", "--lang", "fr", ...LINK], /--lang is 'fr'; give en or de\.\n$/],
    [["--next", "2", "--role", "A", ...LINK], /--role is 'A'; give a slug/],
    [["ada@example.com", "--role", "a", ...LINK], /--role works only with --next/],
    [
      ["ada@example.com", "--utm-source", "a", ...LINK],
      /--utm-source works only with --next; leave out --utm-source, or give --next in place of the addresses/,
    ],
    [["--next", "2", "--link", "ftp://a"], /Field 'link' is 'ftp:\/\/a'; give an https: URL/],
    [
      ["--next", "2", ...LINK],
      /^waitlist: The service sends no e-mails, as MAIL_URL is not set; .+ \(409 from .+\n$/,
    ],
  ];
  for (const [args, message] of wrong) {
    await t.step(args.join(" "), async () => {
      const { code, stderr } = await test.invite([...args, "--yes"]);
      assert.equal(code, 2, stderr);
      assert.match(stderr.split("\n").slice(-2).join("\n"), message);
    });
  }
});

Deno.test("'signups invite --detach' does not wait for the wave; 'waves pause', 'waves resume' and 'waves cancel' then control the wave", async () => {
  // Nothing listens there.
  const mail = { MAIL_URL: "smtp://127.0.0.1:9", MAIL_FROM: "Waitlist <waitlist@example.com>" };
  await using test = await useWaiting(700, mail);
  const run = (...args: string[]) => runOperator(test.url, args);
  const show = async (id: string) => JSON.parse((await run("waves", "show", id, "--json")).stdout);
  const first = ["--next", "300", "--lang", "en", ...LINK, "--wave", "first", "--yes"];
  const started = await test.invite([...first, "--detach"]);
  assert.equal(
    started.stdout,
    `The wave first runs; ${PEOPLE_IN_COMMIT} people invited so far.\n`,
    started.stderr,
  );
  await run("waves", "pause", "first");
  const { state } = await show("first");
  assert.ok(["paused", "done"].includes(state), state);
  const resumed = await run("waves", "resume", "first");
  // Some letters may have left the outbox during the pause.
  const end =
    /^The wave first is done\. Invited now: \d+ people\. Put into the outbox again: \d+ e-mails?\. Waiting there, with those of earlier: 300 e-mails\.\n$/;
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
  assert.match(
    interrupted.stderr,
    /a wave that has started continues by itself; look at its state with 'waitlist waves list'\.\n$/,
  );
  let second: { state: string; invited: number };
  do second = await show("second"); while (second.state === "running");
  assert.deepEqual([second.state, second.invited], ["done", 300]);

  const listed = (await run("waves", "list")).stdout;
  assert.match(
    listed,
    /first +Sending e-mails, 0 of 300 +20\S+ [\d:]+ +operator +next 300, en +300 +0 +300 +0 +0 +0 \(0%\)\n/,
  );
  const shown = (await run("waves", "show", "first")).stdout;
  assert.doesNotMatch(shown, /not sent/);
  assert.match(
    shown,
    /State +Sending e-mails, 0 of 300\n[^]+E-mails waiting +300\n +E-mails rejected +0\n +E-mails that came back +0\n +Accepted +0 \(0%\)\n/,
  );
  const tested = await run("invitations", "test", "you@example.com", "--lang", "en,de");
  assert.equal(tested.code, 1);
  assert.match(
    tested.stdout,
    /^The mail server has not accepted the e-mail in the language 'en', because of the error '.+'\.\nThe mail server has not accepted the e-mail in the language 'de', /,
  );
  assert.equal(
    (await run("waves", "people", "first", "--quiet", "--limit", "7")).stdout.split("\n").length,
    8,
  );
  const part = await run("waves", "people", "first", "--limit", "299");
  assert.equal(part.stderr, "There are more; give a larger --limit, or --output for all.\n");
  assert.equal(part.stdout.split("\n").length, 301, "the heading, 299 people, and the end");
  assert.equal((await run("waves", "people", "first", "--limit", "300")).stderr, "");
  const wrote = await run("waves", "people", "first", "--output", test.output, "--yes");
  assert.equal(wrote.stdout, `Wrote 300 people to ${test.output}.\n`);
  const [, code = ""] = /,([0-9a-f]{32}),first,/.exec(await Deno.readTextFile(test.output))!;

  const renewed = await run("invitations", "renew", code, "--expires", "2040-01-31");
  assert.match(
    renewed.stdout,
    /^Renewed: \S+ can accept the invitation until the end of 2040-01-31 \(UTC\)\.\n$/,
  );
  // The address of a person names the code, too.
  const expires = ["--expires", "2041-01-31"];
  const [, email = ""] = /^Renewed: (\S+)/.exec(renewed.stdout)!;
  const again = await run("invitations", "renew", email, ...expires);
  assert.match(
    again.stdout,
    /^Renewed: \S+ can accept the invitation until the end of 2041-01-31 /,
  );
  const none = await run("invitations", "renew", "visitor699@example.com", ...expires);
  assert.match(none.stderr, /^waitlist: visitor699@example\.com has no invitation; look at /);
  await run("signups", "undeliverable", email);
  assert.match(
    (await run("waves", "show", "first")).stdout,
    /State +Sending e-mails, 1 of 300\n[^]+E-mails not sent +1 \(the person had accepted, left the list or gets no e-mails\)\n/,
  );
  const cancelled = await run("waves", "cancel", "first", "--yes");
  assert.match(
    cancelled.stdout,
    /^The wave first is cancelled; .+ invited\.$/m,
    "its e-mails wait",
  );
  assert.match(
    (await run("waves", "show", "first")).stdout,
    /E-mails not sent +300 \(the wave was cancelled before their turn\)\n/,
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
    /--detach and --output exclude each other, because .*; leave out one of these flags \(without --output, the service sends the invitation e-mails\)/,
  );
});
