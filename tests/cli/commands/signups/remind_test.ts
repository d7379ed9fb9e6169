import assert from "node:assert/strict";
import { makeTestFolder } from "../../../support/process.ts";
import { assertRefused } from "../../support/cli.ts";
import { OPERATOR_KEY, runOperator, startCliService } from "../../support/service.ts";
import { usePeople } from "../../support/people_service.ts";

Deno.test("'signups remind' is refused when --yes is missing, when neither addresses nor --all are given, or when MAIL_URL is not set", async () => {
  await using test = await usePeople();
  await assertRefused(test.run, [
    [
      ["remind", "--all"],
      /without a terminal it cannot ask you first; add --yes to run the command without this question\.\n$/,
    ],
    [
      ["remind", "--all", "--yes"],
      /: The service sends no e-mails, as MAIL_URL is not set; .+ \(409 from /,
    ],
    [["remind"], /give either addresses or --all\.\n$/],
  ]);
});

Deno.test("'signups remind' prints how many people it leaves out because their e-mail limit is reached", async () => {
  await using folder = await makeTestFolder();
  await using mailing = await startCliService(`${folder.path}/kv.sqlite3`, {
    OPERATOR_KEY,
    MAIL_URL: "file:mail",
  });
  await runOperator(mailing.url, ["join", "ada@example.com", "--consent", "--yes"]);
  const { stdout } = await runOperator(mailing.url, ["signups", "remind", "--all"], {
    confirm: (question) => question.startsWith("Send an e-mail to everybody who has not confirmed"),
  });
  assert.equal(
    stdout,
    "0 e-mails are in the outbox; 1 person is left out: asked within the last 24 hours or three times " +
      "in 30 days, or not reachable.\n",
  );
});
