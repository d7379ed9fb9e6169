import assert from "node:assert/strict";
import { assertRefused } from "../../support/cli.ts";
import { PEOPLE, usePeople } from "../../support/people_service.ts";

/** Two bounces as mail servers send them (RFC 3464, appendix B): one for good, one that is only late. */
const BOUNCES = `From: MAILER-DAEMON@example.net
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.net

Original-Recipient: rfc822;
 Ada@example.com
Final-Recipient: rfc822; ada.lovelace@example.net
Action: failed
Status: 5.1.1

Final-Recipient: rfc822; bo@example.com
Action: delayed
Status: 4.4.1

--b--
`.replaceAll("\n", "\r\n");

Deno.test("signups undeliverable takes addresses, a file or standard input", async () => {
  await using test = await usePeople();
  const one = await test.run(["undeliverable", "ada@example.com"]);
  assert.deepEqual([one.code, one.stdout], [0, "Marked 1 address.\n"]);
  const file = await test.file("bounces.txt", "bo@example.com\r\n\nnobody@example.com\n");
  const many = await test.run(["undeliverable", "--file", file]);
  assert.equal(many.code, 1);
  assert.equal(
    many.stdout,
    "Not marked: nobody@example.com is not on the list.\nMarked 1 address.\n",
  );
  const stdin = await test.run(["undeliverable", "--file", "-"], undefined, "cy@example.com\n");
  assert.equal(stdin.stdout, "Marked 1 address.\n");
  const shown = await test.run(["list", "--search", "cy"]);
  assert.match(shown.stdout, /\ncy@example\.com +unconfirmed, undeliverable +2024/);
  const mixed = "\nada@example.com\nno address\ncy@example.com\nx@y\n";
  const others = await test.run(["undeliverable", "--file", "-"], undefined, mixed);
  assert.equal(others.code, 1);
  assert.equal(
    others.stdout,
    "Line 3: 'no address' is not an e-mail address.\nLine 5: 'x@y' is not an e-mail address.\n" +
      "Marked 2 addresses.\n",
  );
  const lifted = await test.run(["deliverable", "ada@example.com", "nobody@example.com"]);
  assert.equal(lifted.code, 1);
  assert.equal(
    lifted.stdout,
    "Nothing to lift: nobody@example.com is not on the list.\nLetters go to 1 address again.\n",
  );
  const bounces = await test.run(["undeliverable", "--file", "-"], undefined, BOUNCES);
  assert.equal(bounces.stdout, "Marked 1 address.\n");
  const delayed = BOUNCES.replaceAll("failed", "delayed");
  const soft = await test.run(["undeliverable", "--file", "-"], undefined, delayed);
  assert.match(soft.stderr, /of no address that its letter has failed for good/);
  await assertRefused(
    (args) => test.run(["undeliverable", ...args]),
    [[], ["ada@example.com", "--file", "x"], ["--file", "-"]].map((args) => [args, /./]),
  );
  const records = await test.records();
  const marked = PEOPLE.filter((name) => records[`${name}@example.com`]?.undeliverableAt);
  assert.deepEqual(marked, ["ada", "bo", "cy"]);
});
