import assert from "node:assert/strict";
import { isUndeliverableStatus, statusOfReply } from "../../shared/delivery_status.ts";

Deno.test("isUndeliverableStatus() returns true only for a status that says that the mailbox does not exist, and undefined for a text that is no status", async (t) => {
  const cases: [text: string | undefined, ends: boolean | undefined][] = [
    ...["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.4.4"]
      .map((status): [string, boolean] => [status, true]),
    ["5.1.1 (unknown user)", true],
    ...["5.0.0", "5.1.0", "5.1.11", "5.2.2", "5.3.4", "5.4.41", "5.7.1", "4.1.1", "2.1.5"]
      .map((status): [string, boolean] => [status, false]),
    ...["", "5.1", "5.1.1.1", "550 5.1.1", "constructor", undefined]
      .map((text): [string | undefined, undefined] => [text, undefined]),
  ];
  for (const [text, ends] of cases) {
    await t.step(`${text}`, () => {
      assert.equal(isUndeliverableStatus(text), ends);
    });
  }
});

Deno.test("statusOfReply() returns the enhanced status code only when it follows the SMTP reply code directly", () => {
  assert.equal(statusOfReply("550 5.1.1 No such user"), "5.1.1");
  assert.equal(statusOfReply("550-5.1.1 No such user\n550 5.1.1 here"), "5.1.1");
  assert.equal(statusOfReply("550 Refused, not 5.1.1"), undefined);
  assert.equal(statusOfReply("5.1.1"), undefined);
});
