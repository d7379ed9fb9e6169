import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { faultyKv } from "../../../support/faulty_kv.ts";
import { openMemoryKv } from "../../../support/memory_kv.ts";
import { startOperatedService } from "../../../support/operator.ts";
import { storedSignUps } from "../../../support/records.ts";
import { json, START, WITH_MAIL } from "../../../support/service.ts";
import signed from "../../../support/signed_hooks.json" with { type: "json" };
import { ADA, join, mailgunned, post, start } from "../../../support/mail_hooks.ts";

const MAILGUN = "mailgun:key-of-mailgun-webhooks";

/** What became of a person, as a list. */
async function marksOf(service: Awaited<ReturnType<typeof start>>, email: string) {
  const { undeliverableAt, complainedAt } = (await storedSignUps(service.kv))[email] ?? {};
  return [undeliverableAt && "bounced", complainedAt && "complained"].filter((mark) => mark);
}

/** A proof as Mailgun makes it, by its documentation. */
function proofOf(token: string, timestamp = signed.mailgun.timestamp) {
  const hmac = createHmac("sha256", "key-of-mailgun-webhooks");
  return { timestamp, token, signature: hmac.update(timestamp + token).digest("hex") };
}

Deno.test("createMailHooks() accepts each token of Mailgun once, and ignores another report with the same token", async (t) => {
  const bo = "bo@example.com";
  const first: [what: string, event: object][] = [
    ["a permanent failure", {}],
    ["a temporary failure", { severity: "temporary" }],
    ["a delivered letter", { event: "delivered" }],
    ["an unknown person", { recipient: "nobody@example.com" }],
    ["an invalid address", { recipient: "no address" }],
    ["a time out of range", { timestamp: 1e300 }],
    ["an unreadable event", { id: 5 }],
  ];
  for (const [what, event] of first) {
    await t.step(`the first report is about ${what}`, async () => {
      await using service = await start(MAILGUN);
      for (const email of [ADA, bo]) await join(service, email);
      assert.equal(await post(service, "mailgun", json(mailgunned(event))), 200);
      const forged = mailgunned({ id: "another", event: "complained", recipient: bo });
      assert.equal(await post(service, "mailgun", json(forged)), 200);
      assert.deepEqual(await marksOf(service, bo), []);
      // Tokens are kept for seven days.
      service.clock.now += 6 * 24 * 60 * 60_000;
      assert.equal(await post(service, "mailgun", json(forged)), 401);
    });
  }
});

Deno.test("createMailHooks() accepts a Mailgun token once, even if the first report with this token was too old to have an effect", async () => {
  await using service = await start(MAILGUN);
  await join(service);
  const complain = (token: string, id: string, at: number) =>
    post(
      service,
      "mailgun",
      json(mailgunned({ event: "complained", id, timestamp: at / 1_000 }, proofOf(token))),
    );
  assert.equal(await complain("a", "1", START), 200);
  service.clock.now += 1_000;
  await service.operate("/signups/deliverable", { emails: [ADA] });
  service.clock.now += 1_000;
  assert.equal(await complain("b", "2", START), 200);
  assert.equal(await complain("b", "3", START + 2_000), 200);
  assert.deepEqual(await marksOf(service, ADA), []);
  assert.equal(await complain("c", "4", START + 2_000), 200);
  assert.deepEqual(await marksOf(service, ADA), ["complained"]);
});

Deno.test("createMailHooks() answers 401 to a Mailgun call when a character was moved between timestamp and token, or when the timestamp is malformed", async (t) => {
  const { timestamp, token, signature } = signed.mailgun;
  for (
    const moved of [
      { timestamp: `${timestamp}${token.slice(0, 1)}`, token: token.slice(1) },
      { timestamp: ` ${timestamp}`, token },
      { timestamp: timestamp.slice(0, -1), token: `${timestamp.slice(-1)}${token}` },
    ]
  ) {
    await t.step(`the timestamp and token are ${JSON.stringify(moved)}`, async () => {
      await using service = await start(MAILGUN);
      assert.equal(
        await post(service, "mailgun", json(mailgunned({}, { ...moved, signature }))),
        401,
      );
    });
  }
  // Number() reads the first one as the same moment.
  for (const odd of [`${timestamp}e0`, `${timestamp}.5`, `0${timestamp}`, `+${timestamp}`, ""]) {
    await t.step(`the timestamp is ${JSON.stringify(odd)}`, async () => {
      await using service = await start(MAILGUN);
      const call = json(mailgunned({}, proofOf("1234567890", odd)));
      assert.equal(await post(service, "mailgun", call), 401);
    });
  }
});

Deno.test("createMailHooks() loses no Mailgun bounce when a commit fails, or when KV's answer to the commit is lost", async (t) => {
  for (const isWritten of [false, true]) {
    await t.step(isWritten ? "the answer is lost" : "the commit fails", async () => {
      let fails = false;
      const kv = faultyKv(
        await openMemoryKv(),
        async (commit) => {
          if (!fails) return await commit();
          if (isWritten) await commit();
          throw new Error("KV was ended");
        },
      );
      await using service = await startOperatedService({ ...WITH_MAIL, MAIL_HOOK: MAILGUN }, kv);
      await join(service);
      fails = true;
      // Where the commit went through, the service finds so by itself.
      const status = isWritten ? 200 : 500;
      assert.equal(await post(service, "mailgun", json(mailgunned({}))), status);
      fails = false;
      assert.deepEqual(await marksOf(service, ADA), isWritten ? ["bounced"] : []);
      assert.equal(await post(service, "mailgun", json(mailgunned({}))), 200, "Mailgun repeats it");
      assert.deepEqual(await marksOf(service, ADA), ["bounced"]);
    });
  }
});
