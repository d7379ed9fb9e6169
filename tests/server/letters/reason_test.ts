import assert from "node:assert/strict";
import { reasonWithoutRecipient, toReason } from "../../../server/letters/reason.ts";
import { createSelfServiceUrls } from "../../../server/waitlist/self_service_urls.ts";
import { SELF_SERVICE_KEY_BYTES } from "../../../server/waitlist/self_service_token.ts";
import { createSelfServiceTokenMaker } from "../../../server/waitlist/self_service_token.ts";
import { RECORD_ID_LENGTH } from "../../../server/waitlist/record.ts";

Deno.test("reasonWithoutRecipient() removes addresses and the recipient's mailbox from a mail server's answer", async (t) => {
  const table: [said: string, reason: string][] = [
    ["550 5.1.1 <ada.l@example.com>: Recipient rejected", "550 5.1.1 … Recipient rejected"],
    ["550 User ADA.L is unknown", "550 User … is unknown"],
    ["550 no adaxl, no xada.l", "550 no adaxl, no xada.l"],
    ["554-to=bob@example.org\r\n554 and ada.l%40example.com", "… 554 and …"],
    ["421\u202e\u2028 busy\t", "421 busy"],
  ];
  for (const [said, reason] of table) {
    await t.step(`the answer is ${JSON.stringify(said)}`, () => {
      assert.equal(reasonWithoutRecipient("ada.l@example.com", said), reason);
    });
  }
});

Deno.test("reasonWithoutRecipient() removes links to self-service pages from an answer that quotes the letter", async (t) => {
  const key = new Uint8Array(SELF_SERVICE_KEY_BYTES);
  const [email, id] = ["ada.l@example.com", "i".repeat(RECORD_ID_LENGTH)];
  const { pageUrl, leaveUrl } = createSelfServiceUrls("https://w.test", () => key);
  const token = createSelfServiceTokenMaker(key)({ email, id });
  for (
    const [said, reason] of [
      [`HTTP 502 {"url":"${pageUrl("en", email, id)}"} is refused`, "HTTP 502 … is refused"],
      [`List-Unsubscribe: <${leaveUrl(email, id)}>`, "List-Unsubscribe: …"],
      [`no ${token.slice(20, -20)} here`, "no … here"],
      // A part of an older link.
      [`no ${"-_a0".repeat(10)} here`, "no … here"],
      [
        "451 mail-am0eur02on2081.outbound.protection.outlook.com https://x.test/?p=busy",
        "451 mail-am0eur02on2081.outbound.protection.outlook.com https://x.test/?p=busy",
      ],
    ] as const
  ) {
    await t.step(`the answer is ${JSON.stringify(said)}`, () => {
      assert.equal(reasonWithoutRecipient(email, said), reason);
    });
  }
});

Deno.test("reasonWithoutRecipient() shortens an answer to 200 characters, and removes a mailbox that contains special characters", () => {
  assert.equal(reasonWithoutRecipient("a@example.com", "b ".repeat(1_000_000)).length, 200);
  const mailbox = "!#$%&'*+/=?^_`{|}~-";
  assert.equal(reasonWithoutRecipient(`${mailbox}@example.com`, `no ${mailbox} here`), "no … here");
});

Deno.test("reasonWithoutRecipient() does not cut a long answer inside a character of two UTF-16 units", async (t) => {
  for (const before of ["", "x"]) {
    await t.step(`the text before the characters is ${JSON.stringify(before)}`, () => {
      const reason = reasonWithoutRecipient("a@example.com", `no ${before}${"😀".repeat(600)}`);
      assert.ok(reason.isWellFormed());
      assert.ok([199, 200].includes(reason.length));
    });
  }
});

Deno.test("reasonWithoutRecipient() keeps the reply codes of an answer, even if the recipient's address has a number before the @", async (t) => {
  for (
    const [email, said, reason] of [
      ["550@example.com", "550 5.1.1 User 550 is unknown", "550 5.1.1 User … is unknown"],
      ["5@example.com", "421-4.7.0 Try again, 5", "421-4.7.0 Try again, …"],
      ["452@example.com", "452@example.com has no room", "… has no room"],
    ] as const
  ) {
    await t.step(`the recipient is ${email}`, () => {
      assert.equal(reasonWithoutRecipient(email, said), reason);
    });
  }
});

Deno.test("toReason() keeps the service's own error text, and removes addresses and links to self-service pages", () => {
  assert.equal(
    toReason("The mail server did not answer in time"),
    "The mail server did not answer in time",
  );
  assert.equal(toReason('Invalid recipient "mail@example.com"'), "Invalid recipient …");
  assert.equal(toReason("no https://w.test/place/?t=abc here\n"), "no … here");
});
