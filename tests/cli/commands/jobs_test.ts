import assert from "node:assert/strict";
import { Commit } from "../../../server/store/kv/engine.ts";
import { storeWaiting } from "../../support/invitations.ts";
import { assertRefused, printed } from "../support/cli.ts";
import { startFilled } from "../support/import_service.ts";
import { usePeople } from "../support/people_service.ts";
import { runOperator } from "../support/service.ts";

Deno.test("'jobs start erase' erases nobody unless --most is the number of people who fit the filter", async () => {
  await using test = await usePeople();
  const jobs = (...args: string[]) => runOperator(test.url, ["jobs", ...args]);
  const unsure = await jobs("start", "erase", "--state", "unconfirmed");
  assert.equal(unsure.code, 2);
  assert.equal(
    unsure.stderr,
    "waitlist: 2 people would be erased; look at these people with 'waitlist signups list', and give --most 2 to erase them.\n",
  );
  const wrong = await jobs("start", "erase", "--state", "unconfirmed", "--most", "3", "--yes");
  assert.match(
    wrong.stderr,
    /^waitlist: 2 people would be erased, but --most is 3; look at these people/,
  );
  assert.equal((await jobs("list")).stdout, "There are no jobs.\n");
  const flags = ["--state", "unconfirmed", "--most", "2", "--job", "old"];
  const erased = await jobs("start", "erase", ...flags);
  assert.equal(erased.stdout, "The job old is done; 2 people erased.\n", erased.stderr);
  const left = await printed(test.run(["list", "--quiet"]));
  assert.deepEqual(left.trim().split("\n"), ["ada@example.com", "bo@example.com"]);

  assert.match((await jobs("list")).stdout, /old +erase +done +\d{4}-.+ +2 +2\n$/);
  assert.equal((await jobs("list", "--quiet")).stdout, "old\n");
  const shown = (await jobs("show", "old")).stdout;
  assert.match(shown, /People +state unconfirmed\n/);
  assert.match(shown, /Done +2 of 2\n/);
  assert.equal((await jobs("show", "old", "--quiet")).stdout, "done\n");
  assert.equal((await jobs("show", "none")).code, 6);
  assert.match((await jobs("cancel", "old")).stderr, /The job 'old' is done already/);
  assert.equal((await jobs("start", "erase", "--search", "nobody@")).stdout, "Nobody fits.\n");
});

Deno.test("'jobs start' exits with code 1 when the job has been cancelled", async () => {
  const startedAt = "2026-11-21T12:00:00.000Z";
  await using service = await startFilled(async (kv) => {
    await storeWaiting(kv, 2);
    const job = {
      act: "erase",
      selection: { lang: "en" },
      most: 2,
      state: "cancelled",
      done: 1,
      startedAt,
      endedAt: startedAt,
      audit: { at: startedAt, id: "a", action: "startJob" },
    };
    await kv.commit(new Commit().set(["job", "old"], job));
  });
  const flags = ["--lang", "en", "--most", "2", "--job", "old"];
  const { code, stdout } = await runOperator(service.url, ["jobs", "start", "erase", ...flags]);
  assert.equal(code, 1);
  assert.equal(stdout, "The job old is cancelled; 1 person erased of 2 so far.\n");
});

Deno.test("'jobs start remind' asks the operator before it starts the job, and exits with code 2 when a flag is wrong", async () => {
  await using test = await usePeople();
  const jobs = (args: string[], confirm?: (question: string) => boolean) =>
    runOperator(test.url, ["jobs", ...args], { ...confirm && { confirm } });
  let asked = "";
  const { code } = await jobs(["start", "remind", "--lang", "de"], (question) => {
    asked = question;
    return false;
  });
  assert.equal(code, 2);
  assert.match(asked, /^Ask 2 people again to confirm at http:.+\?$/);
  // The service of the test sends no letters.
  const refused = await jobs(["start", "remind", "--lang", "de", "--yes"]);
  assert.match(refused.stderr, /The service sends no e-mails, as MAIL_URL is not set/);
  await assertRefused(jobs, [
    [["start", "remind", "--lang", "de"], /add --yes to run the command without this question/],
    [["start", "erase"], /It is not clear whom the job is for; give a filter, such as --state/],
    [["start", "invite", "--lang", "de"], /The act is 'invite'; give remind or erase/],
    [
      ["start", "remind", "--state", "waiting"],
      /--state is 'waiting'; leave --state out, because only/,
    ],
    [["start", "erase", "--lang", "de", "--most", "0"], /--most is '0'; give a whole number/],
  ]);
});
