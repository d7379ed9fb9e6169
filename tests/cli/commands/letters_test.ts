import assert from "node:assert/strict";
import { Commit } from "../../../server/store/kv/engine.ts";
import { momentAndIdOf, setLoggedLetter } from "../../../server/store/people/letter_log.ts";
import { assertRefused, printed } from "../support/cli.ts";
import { startFilled } from "../support/import_service.ts";
import { runOperator, startCliService } from "../support/service.ts";

Deno.test("'letters list' says that no e-mail was sent in the last 90 days, and refuses --limit above 500", async () => {
  await using service = await startCliService();
  const run = (args: string[]) => runOperator(service.url, ["letters", ...args]);
  assert.equal(await printed(run(["list"])), "No e-mail was sent in the last 90 days.\n");
  assert.deepEqual(JSON.parse((await run(["list", "--json"])).stdout), { letters: [] });
  await assertRefused(run, [
    [["list", "--limit", "501"], /give a number up to 500/],
    [["list", "--letter", "test"], /--letter is 'test'; give confirmation, invitation or link/],
    [
      ["list", "--state", "waiting"],
      /--state is 'waiting'; give taken, refused, retried, bounced, comp/,
    ],
  ]);
});

Deno.test("'letters list' lists only the e-mails of the kind in --letter and in the state in --state", async () => {
  const putAt = new Date(Date.now() - 60_000).toISOString();
  const letters = [
    { letter: "link", putAt, takenAt: putAt, answer: "250 OK" },
    { letter: "invitation", putAt, refusedAt: putAt, answer: "550 no" },
  ] as const;
  const commit = new Commit();
  for (const [index, letter] of letters.entries()) {
    const momentAndId = momentAndIdOf(putAt, `item-${index}`);
    setLoggedLetter(commit, { recordId: "a-record", momentAndId, letter });
  }
  await using service = await startFilled((kv) => kv.commit(commit));
  const list = (flags: string[]) => runOperator(service.url, ["letters", "list", ...flags]);
  assert.match(await printed(list(["--state", "refused"])), /^[^\n]+\n[^\n]+ 550 no\n$/);
  assert.match(await printed(list(["--letter", "link"])), /^[^\n]+\n[^\n]+ 250 OK\n$/);
  assert.equal(
    await printed(list(["--letter", "link", "--state", "refused"])),
    "No e-mail of the last 90 days fits --letter link and --state refused.\n",
  );
  const since = new Date(Date.parse(putAt) + 1).toISOString();
  assert.match(
    await printed(list(["--since", putAt])),
    /250 OK\n[^\n]+550 no|550 no\n[^\n]+250 OK/,
  );
  assert.equal(
    await printed(list(["--wave", "first", "--since", since])),
    `No e-mail of the last 90 days fits --wave first and --since ${since}.\n`,
  );
  const before = `${putAt} item-0`;
  assert.equal(
    await printed(list(["--letter", "link", "--before", before])),
    `No e-mail of the last 90 days that is before '${before}' fits --letter link.\n`,
  );
});

Deno.test("'letters list' shows times to the minute, and prints the --before flag that leads to older e-mails", async () => {
  const newest = Date.now();
  const putAt = [newest, newest - 60_000, newest - 120_000].map((ms) => new Date(ms).toISOString());
  const commit = new Commit();
  for (const [index, at] of putAt.entries()) {
    setLoggedLetter(commit, {
      recordId: "a-record",
      momentAndId: momentAndIdOf(at, `item-${index}`),
      letter: { letter: "link", putAt: at, takenAt: at, answer: `250 OK ${index}` },
    });
  }
  await using service = await startFilled((kv) => kv.commit(commit));
  const list = (flags: string[]) => runOperator(service.url, ["letters", "list", ...flags]);
  const shown = putAt.map((at) => at.slice(0, 16).replace("T", " "));
  const next = `${putAt[1]} item-1`;

  const first = await list(["--limit", "2"]);
  assert.equal(first.stderr, `There are older e-mails; add --before '${next}'.\n`);
  assert.deepEqual(first.stdout.trimEnd().split("\n").map((line) => line.split(/ {2,}/)), [
    ["Put in (UTC)", "E-mail", "To", "State", "Answer or reason"],
    [shown[0], "link", "taken", "250 OK 0"],
    [shown[1], "link", "taken", "250 OK 1"],
  ]);
  assert.equal(JSON.parse((await list(["--limit", "2", "--json"])).stdout).next, next);

  const second = await printed(list(["--limit", "2", "--before", next]));
  assert.match(second, /\n.+ 250 OK 2\n$/);
  assert.equal(second.split("\n").length, 3);

  const last = `${putAt[2]} item-2`;
  assert.equal(
    await printed(list(["--before", last])),
    `No e-mail of the last 90 days is before '${last}'.\n`,
  );
  await assertRefused(list, [[
    ["--before", "no position"],
    /'before' is 'no position'; give the 'next'/,
  ]]);
});
