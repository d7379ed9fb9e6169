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

Deno.test("'signups undeliverable' marks addresses that come as arguments, from a file or from standard input", async () => {
  await using test = await usePeople();
  const one = await test.run(["undeliverable", "ada@example.com"]);
  assert.deepEqual([one.code, one.stdout], [0, "Marked 1 address.\n"]);
  const file = await test.file("bounces.txt", "bo@example.com\r\n\nnobody@example.com\n");
  const many = await test.run(["undeliverable", "--file", file]);
  assert.equal(many.code, 1);
  assert.equal(
    many.stdout,
    "Not marked as undeliverable: nobody@example.com is not on the list, or the record of this address cannot be read.\nMarked 1 address.\n",
  );
  const stdin = await test.run(["undeliverable", "--file", "-"], undefined, "cy@example.com\n");
  assert.equal(stdin.stdout, "Marked 1 address.\n");
  const shown = await test.run(["list", "--search", "cy@"]);
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
    "Not changed: nobody@example.com is not on the list, or the record of this address cannot be read.\nE-mails go to 1 address again.\n",
  );
  const bounces = await test.run(["undeliverable", "--file", "-"], undefined, BOUNCES);
  assert.equal(
    bounces.stdout,
    "Not marked as undeliverable: bo@example.com, because the mailbox may exist: the delivery report says 'delayed, 4.4.1' of this address.\n" +
      "Marked 1 address.\n",
  );
  assert.equal(bounces.code, 1);
  await assertRefused(
    (args) => test.run(["undeliverable", ...args]),
    [[], ["ada@example.com", "--file", "x"], ["--file", "-"]].map((args) => [args, /./]),
  );
  const records = await test.records();
  const marked = PEOPLE.filter((name) => records[`${name}@example.com`]?.undeliverableAt);
  assert.deepEqual(marked, ["ada", "bo", "cy"]);
});

Deno.test("'signups undeliverable' marks an address in a delivery report only when the status says that the mailbox does not exist", async () => {
  await using test = await usePeople();
  const statuses = ["5.7.1", "5.2.2", "5.3.4", "5.0.0", "4.4.7", "5.1.1"];
  const blocks = statuses.map((status, n) =>
    `Final-Recipient: rfc822; ${
      n === 5 ? "ada" : `a${n}`
    }@example.com\nAction: failed\nStatus: ${status}\n`
  );
  const report = ["Reporting-MTA: dns; mx.test\n", ...blocks].join("\n");
  const many = await test.run(["undeliverable", "--file", "-"], undefined, report);
  assert.equal(many.code, 1);
  assert.match(
    many.stdout,
    /^Not marked as undeliverable: a0@example\.com, because the mailbox may exist: the delivery report says 'failed, 5\.7\.1' of this address/,
  );
  assert.equal(many.stdout.match(/^Not marked as undeliverable: a\d/gm)?.length, 5);
  assert.match(many.stdout, /\nMarked 1 address\.\n$/);
  const json = await test.run(["undeliverable", "--file", "-", "--json"], undefined, report);
  assert.deepEqual(JSON.parse(json.stdout).otherReports[1], {
    recipient: "a1@example.com",
    action: "failed",
    status: "5.2.2",
  });
  const records = await test.records();
  assert.deepEqual(
    PEOPLE.filter((name) => records[`${name}@example.com`]?.undeliverableAt),
    ["ada"],
  );
});

Deno.test("'signups undeliverable' refuses an e-mail without a delivery report, and marks nobody", async (t) => {
  await using test = await usePeople();
  // As Exim (warn_message) and qmail (bouncesaying) word their notices.
  const notices = {
    Exim: `Return-path: <>
From: Mail Delivery System <Mailer-Daemon@mx.test>
Subject: Warning: message 1abc delayed 24 hours

A message that you sent has not yet been delivered to one or more of its
recipients after more than 24 hours on the queue on mx.test.

The address to which the message has not yet been delivered is:

ada@example.com
`,
    qmail: `From: MAILER-DAEMON@mx.test
Subject: failure notice

Hi. This is the qmail-send program at mx.test.

<bo@example.com>:
Sorry, no mailbox here by that name. (#5.1.1)
bo@example.com
`,
    "a report that is not base64": `From: MAILER-DAEMON@mx.test
Content-Type: message/delivery-status
Content-Transfer-Encoding: base64

not base64!
cy@example.com
`,
  };
  for (const [sender, notice] of Object.entries(notices)) {
    await t.step(sender, async () => {
      const fromInput = (args: string[]) => test.run(["undeliverable", ...args], undefined, notice);
      await assertRefused(fromInput, [
        [["--file", "-"], /The mail in '-' has no delivery report that this program can read/],
      ]);
    });
  }
  const records = await test.records();
  assert.deepEqual(Object.values(records).filter((each) => each?.undeliverableAt), []);
});
