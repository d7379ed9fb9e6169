import assert from "node:assert/strict";
import { isMail, isPermanent, readReports } from "../../../../cli/commands/signups/bounce_text.ts";

/** A report about recipients as a message with a part of an encoding. */
function mailOf(part: string, headers = "Content-Type: message/delivery-status"): string {
  return `From: MAILER-DAEMON@mx.test
To: hello@example.com
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
 boundary="b"

--b
Content-Type: text/plain

Your message could not be delivered to eve@example.com.

--b
${headers}

${part}
--b
Content-Type: text/rfc822-headers

To: eve@example.com
--b--
`;
}

const PART = `Reporting-MTA: dns; mx.test

Final-Recipient: rfc822; ada@example.com
Action: failed
Status: 5.1.1
`;

const permanentIn = (text: string) =>
  readReports(text).filter(isPermanent).map(({ email }) => email);

Deno.test("readReports() decodes the delivery report of an e-mail, whatever transfer encoding and line ends the e-mail has", async (t) => {
  const type = "Content-Type: message/delivery-status";
  const base64 = btoa(PART.replaceAll("\n", "\r\n")).replace(/.{20}/g, "$&\n");
  const quoted = PART.replace("ada@example.com", "=61d=\na=40example.com").replace(
    "5.1.1",
    "5.1=2E1 ",
  );
  const mails = [
    mailOf(PART),
    mailOf(PART).replaceAll("\n", "\r\n"),
    mailOf(PART, "content-type:\n MESSAGE/Delivery-Status; charset=us-ascii"),
    mailOf(base64, `${type}\nContent-Transfer-Encoding: base64`),
    mailOf(base64, `Content-Transfer-Encoding: BASE64\n${type}; name="details.txt"`),
    mailOf(quoted, `${type}\nContent-Transfer-Encoding: quoted-printable`),
    mailOf(PART, "Content-Type: message/global-delivery-status"),
    mailOf(PART.trimEnd()),
    PART,
  ];
  for (const mail of mails) {
    await t.step(mail, () => {
      assert.deepEqual(permanentIn(mail), ["ada@example.com"]);
    });
  }
  const two = mailOf(PART) + mailOf(PART.replace("ada", "bo"));
  assert.deepEqual(permanentIn(two), ["ada@example.com", "bo@example.com"]);
  const mailbox = `From MAILER-DAEMON Sat Nov 21 2026\n${mailOf(PART)}\nFrom MAILER-DAEMON Sun\n${
    mailOf(PART.replace("ada", "bo"))
  }`;
  assert.deepEqual(permanentIn(mailbox), ["ada@example.com", "bo@example.com"]);
});

Deno.test("readReports() returns no report when an e-mail has no delivery report, or the report cannot be decoded", async (t) => {
  for (
    const mail of [
      mailOf(PART, "Content-Type: text/plain"),
      mailOf("a!b", "Content-Type: message/delivery-status\nContent-Transfer-Encoding: base64"),
      mailOf("", "Content-Type: message/delivery-status"),
    ]
  ) {
    await t.step(mail, () => {
      assert.deepEqual(readReports(mail), []);
      assert.ok(isMail(mail));
    });
  }
  assert.ok(!isMail("ada@example.com\nfrom@example.com\n"));
});

Deno.test("readReports() returns a report's Original-Recipient if it is an e-mail address, and else the report's Final-Recipient", async (t) => {
  const original = (value: string, final = "rfc822; final@example.com") =>
    PART.replace(/Final-Recipient: .*/, `Original-Recipient: ${value}\nFinal-Recipient: ${final}`);
  const cases: [part: string, email: string | undefined][] = [
    [original("rfc822; Ada@example.com"), "ada@example.com"],
    [original("RFC822;<ada@example.com>"), "ada@example.com"],
    [original("utf-8; ada\\x{2B}news@example.com"), "ada+news@example.com"],
    [original("rfc822; unknown"), "final@example.com"],
    [original("rfc822;"), "final@example.com"],
    [original("x400; /CN=ada/@example.com"), "final@example.com"],
    [original("dns; ada@example.com"), "final@example.com"],
    [original("", "utf-8; final@example.com"), "final@example.com"],
    [original("utf-8; \\x{110000}@example.com", "x400; /CN=ada/"), undefined],
  ];
  for (const [part, email] of cases) {
    await t.step(part, () => {
      assert.deepEqual(readReports(mailOf(part)).map((each) => each.email), [email]);
    });
  }
  const [nobody] = readReports(original("", "x400; /CN=ada/"));
  assert.equal(nobody?.recipient, "x400; /CN=ada/");
});

Deno.test("isPermanent() is true only for a failed delivery whose status says that the mailbox does not exist", async (t) => {
  const cases: [action: string, status: string, permanent: boolean][] = [
    ...["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.4.4"]
      .map((status): [string, string, boolean] => ["failed", status, true]),
    ["Failed", "5.1.1 (unknown user)", true],
    ["delayed", "5.1.1", false],
    ["failed", "5.1.11", false],
    ["failed", "5.7.1", false],
    ["failed", "4.4.7", false],
    ["failed", "", false],
    ["", "5.1.1", false],
  ];
  for (const [action, status, permanent] of cases) {
    await t.step(`${action} ${status}`, () => {
      const part = PART.replace("failed", action).replace("5.1.1", status);
      assert.equal(readReports(part).some(isPermanent), permanent);
    });
  }
});
