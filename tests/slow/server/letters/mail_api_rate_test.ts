import assert from "node:assert/strict";
import { addresses, joinAll, mailVariables } from "../../../support/mail.ts";
import { startService } from "../../../support/process.ts";
import { listenTo } from "../../../support/receiver.ts";

/** An API that takes two calls in any second, as Resend's does. */
const PER_SECOND = 2;

const LETTERS = 40;

Deno.test("main() sends letters as fast as the mail API accepts them, and never before the time of Retry-After", async () => {
  const takenAt: number[] = [];
  let refused = 0;
  const all = Promise.withResolvers<void>();
  await using api = listenTo(() => {
    const at = performance.now();
    if (takenAt.filter((each) => each > at - 1_000).length >= PER_SECOND) {
      refused++;
      return new Response("Too many requests", { status: 429, headers: { "Retry-After": "1" } });
    }
    if (takenAt.push(at) === LETTERS) all.resolve();
    return Response.json({ id: "x" });
  });
  await using service = await startService({
    ...mailVariables(api, 300),
    MAIL_TOKEN: "token",
  });
  await joinAll(service, addresses(LETTERS));
  await all.promise;
  const recipients = new Set(api.received.map(({ body }) => JSON.parse(body).to));
  assert.equal(recipients.size, LETTERS);
  const seconds = (takenAt.at(-1)! - takenAt[0]!) / 1_000;
  console.log(`${LETTERS} letters in ${seconds.toFixed(1)} s, ${refused} calls refused`);
  assert.ok(seconds < LETTERS / PER_SECOND * 1.5, `${seconds} s`);
  assert.ok(refused < LETTERS / 2, `${refused} calls were refused`);
});
