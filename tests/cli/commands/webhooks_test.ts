import assert from "node:assert/strict";
import { listenTo } from "../../support/receiver.ts";
import { printed } from "../support/cli.ts";
import { startProxy } from "../support/proxy.ts";
import { OPERATOR_KEY, runOperator, startCliService } from "../support/service.ts";

const SECRET = `whsec_${btoa("a secret of more than 24 bytes..")}`;

Deno.test("'webhooks deliveries' shows how the receiver answered events, and 'webhooks resend' sends an event again", async () => {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  await using receiver = listenTo(() => {
    (receiver.received.length === 1 ? first : second).resolve();
    // The connection is closed, as Deno 2.5 keeps an unused one open for 30 s.
    return new Response("Thank you", { headers: { Connection: "close" } });
  });
  await using service = await startCliService(undefined, {
    OPERATOR_KEY,
    WEBHOOK_URL: `${receiver.url}/hook`,
    WEBHOOK_SECRET: SECRET,
  });
  const run = (...args: string[]) => runOperator(service.url, args);
  assert.equal(await printed(run("webhooks", "deliveries")), "No event was sent yet.\n");
  await printed(run("join", "ada@example.com", "--consent", "--yes"));
  await first.promise;
  let ids = "";
  while (ids === "") ids = (await run("webhooks", "deliveries", "--quiet")).stdout;
  assert.match(
    await printed(run("webhooks", "deliveries")),
    /signup\.joined +ada@example\.com +20\S+ [\d:]+ +200 +\d+ ms +Thank you/,
  );
  const sent = await printed(run("webhooks", "resend", ids.trim()));
  assert.match(sent, /^The service sends the event now; /);
  await second.promise;
  const [sentFirst, again] = receiver.received.map(({ headers }) => headers["webhook-id"]);
  assert.deepEqual([sentFirst, again], [ids.trim(), ids.trim()]);
  const unknown = await run("webhooks", "resend", "unknown");
  assert.equal(unknown.code, 1);
  assert.match(
    unknown.stdout,
    /^The event is not sent again: 'waitlist webhooks deliveries' lists no event with this id\./,
  );
  assert.match(
    await printed(run("webhooks", "test")),
    /^The receiver accepted the event with HTTP 200 after \d+ ms\.\n$/,
  );
});

Deno.test("'webhooks resend' sends nothing when the given id belongs to an e-mail", async () => {
  await using service = await startCliService();
  await using proxy = startProxy(service, { from: "192.0.2.73" });
  const resent = await runOperator(proxy.url, ["webhooks", "resend", "the-id-of-a-letter"]);
  assert.equal(resent.code, 1);
  assert.match(
    resent.stdout,
    /lists no event with this id\. To send an e-mail, or an event that is not in this list, run 'waitlist outbox retry'\./,
  );
  assert.ok(!proxy.calls.includes("POST /operator/v1/outbox/retry"), proxy.calls.join());
});
