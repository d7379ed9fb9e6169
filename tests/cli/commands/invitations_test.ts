import assert from "node:assert/strict";
import { assertRefused, printed } from "../support/cli.ts";
import { CONSENT } from "../support/import_service.ts";
import { LINK, useWaiting } from "../support/people_service.ts";
import { runOperator } from "../support/service.ts";

const INVITED = [
  "email,consentedAt,state,invitedAt,invitationCode,wave,expiresAt",
  `ada@example.com,${CONSENT},invited,${CONSENT},${"a".repeat(32)},first,2040-01-31T00:00:00Z`,
  `bo@example.com,${CONSENT},invited,${CONSENT},${"b".repeat(32)},first,`,
].join("\n");

Deno.test("'invitations resend' puts the invitation of one person into the outbox again, once", async () => {
  await using test = await useWaiting(1, {
    MAIL_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "Waitlist <hello@example.com>",
  });
  const run = (...args: string[]) => runOperator(test.url, ["invitations", "resend", ...args]);
  await printed(test.invite(["--next", "1", "--wave", "first", ...LINK, "--yes", "--detach"]));
  await printed(test.import([await test.file("invited.csv", INVITED)]));
  const sent = await run("Ada@example.com");
  assert.equal(
    sent.stdout,
    "The invitation to ada@example.com is in the outbox again; the person can accept the invitation until " +
      "the end of 2040-01-30 (UTC).\n",
    sent.stderr,
  );
  const { email, state, expiresAt } = JSON.parse((await run("bo@example.com", "--json")).stdout);
  assert.deepEqual([email, state, expiresAt], ["bo@example.com", "invited", undefined]);
  await assertRefused((args) => run(...args), [
    [["ada@example.com"], /: The invitation still waits in the outbox; see 'outbox list'/],
    [["visitor0@example.com"], /: The invitation still waits in the outbox/],
    [["nobody@example.com"], /: The address is not on the waitlist\. Check its spelling/, 6],
    [[], /email/],
  ]);
});
