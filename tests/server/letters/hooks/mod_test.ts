/** What mail providers report, through the whole service. Signatures are made by others' code. @module */
import assert from "node:assert/strict";
import { type AroundCommit, faultyKv } from "../../../support/faulty_kv.ts";
import { Commit } from "../../../../server/store/kv/engine.ts";
import { listAll, openMemoryKv } from "../../../support/memory_kv.ts";
import { startOperatedService } from "../../../support/operator.ts";
import { storedSignUps } from "../../../support/records.ts";
import { json, START, WITH_MAIL } from "../../../support/service.ts";
import { ADA, auditOf, DAY, join, moment, post, report } from "../../../support/mail_hooks.ts";
import { SECRET, sign, start } from "../../../support/mail_hooks.ts";
import signed from "../../../support/signed_hooks.json" with { type: "json" };

const IGNORED = "Ignored, as it has no report in it.\n";

Deno.test("createMailHooks() marks a person as undeliverable for a permanent bounce, and not for a temporary bounce", async () => {
  await using service = await start(`generic:${SECRET}`);
  await join(service);
  const bounce = sign(report("mail.bounced", { permanent: false }));
  assert.equal(await post(service, "generic", bounce), 200);
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, undefined);
  const permanent = sign(report("mail.bounced", { email: "ADA@example.com" }), { id: "msg_2" });
  for (let n = 0; n < 2; n++) assert.equal(await post(service, "generic", permanent), 200);
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, moment(START));
  const [entry, ...others] = (await auditOf(service)).filter(({ operator }) => operator === "mail");
  assert.deepEqual(others, []);
  assert.equal(entry.action, "mailBounced");
  assert.match(entry.address, /^[\w-]{43}$/);
  assert.deepEqual(entry.details, { provider: "generic", reason: "550 5.1.1 … is unknown" });

  // A repeat that comes after the person has signed up again changes nothing; after seven days the id is forgotten.
  await join(service);
  assert.equal(await post(service, "generic", permanent), 200);
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, undefined);
  service.clock.now += 7 * DAY + 1;
  await service.repeatOnce();
  const late = sign(report("mail.bounced"), { id: "msg_2", at: service.clock.now });
  assert.equal(await post(service, "generic", late), 200);
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, moment(START));
});

Deno.test("createMailHooks() ignores a repeated report, even if it could not read the letter limit when the report first came", async () => {
  const kv = await openMemoryKv();
  const variables = { ...WITH_MAIL, MAIL_HOOK: `generic:${SECRET}` };
  await using service = await startOperatedService(variables, kv);
  const email = "ada+1@example.com";
  await join(service, email);
  const [limit = assert.fail()] = await listAll(kv, { prefix: ["brake"] });
  await kv.raw.set(limit.key, new TextEncoder().encode("{"));
  const bounce = sign(report("mail.bounced", { email }));
  assert.equal(await post(service, "generic", bounce), 200);
  await kv.commit(new Commit().set(limit.key, limit.value));
  assert.equal(await post(service, "generic", bounce), 200);
  assert.equal((await storedSignUps(kv))[email]?.undeliverableAt, undefined);
  const another = sign(report("mail.bounced", { email }), { id: "msg_2" });
  assert.equal(await post(service, "generic", another), 200);
  assert.equal((await storedSignUps(kv))[email]?.undeliverableAt, moment(START));
});

Deno.test("createMailHooks() answers 401 without reading the body when the headers have no valid signature of the provider", async (t) => {
  const arn = "arn:aws:sns:eu-west-1:123456789012:mail";
  const good = sign(report("mail.bounced")).headers;
  const stale = sign(report("mail.bounced"), { at: START - 301_000 }).headers;
  const calls: [hook: string, headers: Record<string, string>][] = [
    [`generic:${SECRET}`, {}],
    [`generic:${SECRET}`, stale],
    [`generic:${SECRET}`, { ...good, "webhook-timestamp": "now" }],
    [`generic:${SECRET}`, { ...good, "webhook-signature": "v1a,c2lnbmVk" }],
    [`resend:${SECRET}`, good],
    [`ses:${arn}`, {}],
    [`ses:${arn}`, { "x-amz-sns-topic-arn": `${arn}2` }],
    ["postmark:a password of the hook", { Authorization: "Basic aG9vazp3cm9uZw==" }],
  ];
  for (const [hook, headers] of calls) {
    await t.step(
      `the hook is ${hook}, and the headers are ${JSON.stringify(headers)}`,
      async () => {
        await using service = await start(hook.replaceAll(" ", "-"));
        let read = 0;
        const body = new ReadableStream({
          pull(controller) {
            read++;
            controller.close();
          },
        }, { highWaterMark: 0 });
        const [name = ""] = hook.split(":");
        assert.equal(await post(service, name, { method: "POST", headers, body }), 401);
        assert.equal(read, 0);
      },
    );
  }
});

Deno.test("createMailHooks() refuses unsigned, outdated and changed calls, and counts only refused calls against the request limit", async (t) => {
  await using service = await start(`generic:${SECRET}`);
  await join(service);
  const good = report("mail.bounced");
  const other = `whsec_${btoa("another secret of enough bytes.")}`;
  const refused: [name: string, status: number, init: RequestInit][] = [
    ["unsigned", 401, json(good)],
    ["another secret", 401, sign(good, { secret: other })],
    ["the headers of Svix", 401, sign(good, { prefix: "svix" })],
    ["old", 401, sign(good, { at: START - 301_000 })],
    ["from the future", 401, sign(good, { at: START + 301_000 })],
    ["changed", 401, { ...sign(good), body: JSON.stringify(report("mail.complained")) }],
    ["too large", 413, { ...sign(good), body: " ".repeat(65_537) }],
    ["GET", 405, { method: "GET" }],
  ];
  for (const [name, status, init] of refused) {
    await t.step(`a call is refused with ${status}: ${name}`, async () => {
      assert.equal(await post(service, "generic", init), status);
    });
  }
  for (const name of ["resend", "postmark", "generic/", ""]) {
    await t.step(`the path of the provider ${JSON.stringify(name)} is not found`, async () => {
      assert.equal(await post(service, name, sign(good)), 404);
    });
  }
  const fit = ["mail.delivered", "mail.bounced"].map((type) =>
    report(type, { email: "eve@example.com" })
  );
  const timeless = { ...good, timestamp: "yesterday" };
  for (const [n, payload] of [...fit, {}, [], null, { ...good, data: {} }, timeless].entries()) {
    await t.step(`the signed payload ${JSON.stringify(payload)} is ignored`, async () => {
      assert.equal(await post(service, "generic", sign(payload, { id: `other_${n}` })), 200);
    });
  }
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, undefined);
  for (let n = 0; n < 30; n++) await post(service, "generic", json(good));
  const long = { ...good, data: { ...good.data, reason: "x".repeat(17_000) } };
  assert.equal(await post(service, "generic", sign(long, { id: "long" })), 429, "it is not read");
  const over = await service.request("/hooks/mail/generic", json(good));
  assert.equal(over.status, 429);
  assert.match(over.headers.get("Retry-After") ?? "", /^\d+$/);
  assert.equal(
    await post(service, "generic", sign(good)),
    200,
    "the provider gets in all the same",
  );
  assert.notEqual((await storedSignUps(service.kv))[ADA]?.undeliverableAt, undefined);
});

Deno.test("createMailHooks() dates a bounce without a timestamp by the time of the call, and ignores a report of an unknown type", async () => {
  await using service = await start(`generic:${SECRET}`);
  await join(service);
  const textOf = async (payload: unknown, id: string) =>
    (await service.request("/hooks/mail/generic", sign(payload, { id }))).text();
  const { timestamp: _, ...untimed } = report("mail.bounced");
  assert.equal(await textOf({ ...untimed, type: "mail.opened" }, "1"), IGNORED);
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, undefined);
  assert.equal(await textOf(untimed, "2"), "Taken.\n");
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, moment(START));
});

Deno.test("createMailHooks() makes no request to KV for a forged call", async () => {
  let calls = 0;
  const count = <T>(call: () => Promise<T>) => {
    calls++;
    return call();
  };
  const kv = faultyKv(await openMemoryKv(), count, count);
  await using service = await startOperatedService(
    { ...WITH_MAIL, MAIL_HOOK: `generic:${SECRET}` },
    kv,
  );
  assert.ok(calls > 0);
  calls = 0;
  const forged = sign(report("mail.complained"), { secret: `whsec_${btoa("x".repeat(32))}` });
  for (let n = 0; n < 200; n++) await service.request("/hooks/mail/generic", forged);
  // The service itself reads credentials and exchanges counts at times.
  assert.ok(calls < 20, `${calls} requests to KV while 200 calls came`);
});

Deno.test("createMailHooks() answers 500 when KV fails, and counts the call against the limit", async (t) => {
  const secret = "a-password-of-postmark";
  const basic = { Authorization: `Basic ${btoa(`hook:${secret}`)}` };
  const postmarked = {
    RecordType: "Bounce",
    Type: "HardBounce",
    MessageID: "1",
    Email: ADA,
    BouncedAt: moment(START),
  };
  const calls: [hook: string, call: RequestInit, forged: RequestInit][] = [
    [`generic:${SECRET}`, sign(report("mail.bounced")), json({})],
    [`postmark:${secret}`, { ...json(postmarked), headers: basic }, json({})],
    [
      "mailgun:key-of-mailgun-webhooks",
      json({ signature: signed.mailgun, "event-data": {} }),
      json({}),
    ],
  ];
  for (const [hook, call, forged] of calls) {
    await t.step(`the hook is ${hook}`, async () => {
      let isAway = false;
      const fail: AroundCommit = (commit) =>
        isAway ? Promise.reject(new Error("KV is away")) : commit();
      const kv = faultyKv(await openMemoryKv(), fail);
      await using service = await startOperatedService({ ...WITH_MAIL, MAIL_HOOK: hook }, kv);
      const [name = ""] = hook.split(":");
      for (let n = 0; n < 29; n++) assert.equal(await post(service, name, forged), 401);
      isAway = true;
      // The first one is within the limit.
      for (let n = 0; n < 2; n++) assert.equal(await post(service, name, call), 500);
      isAway = false;
      assert.equal(await post(service, name, forged), 429);
      assert.equal(await post(service, name, call), 200);
    });
  }
});

Deno.test("createMailHooks() judges a bounce by its status code, or by the provider's verdict when the status code is missing", async (t) => {
  const cases: [data: object, marks: boolean][] = [
    [{ permanent: true, status: "5.1.1" }, true],
    [{ permanent: false, status: "5.1.1" }, true],
    [{ permanent: true, status: "5.7.1" }, false],
    [{ permanent: true, status: "5.2.2 (mailbox full)" }, false],
    [{ permanent: true, status: "4.4.7" }, false],
    [{ permanent: true, status: "" }, true],
    [{ permanent: true, status: "constructor" }, true],
    [{ permanent: true, reason: "550 5.7.1 refused" }, true],
    [{ permanent: false, reason: "550 5.1.1 unknown" }, false],
  ];
  for (const [data, marks] of cases) {
    await t.step(
      `${JSON.stringify(data)} ${marks ? "makes" : "does not make"} the person undeliverable`,
      async () => {
        await using service = await start(`generic:${SECRET}`);
        await join(service);
        assert.equal(await post(service, "generic", sign(report("mail.bounced", data))), 200);
        const { undeliverableAt } = (await storedSignUps(service.kv))[ADA]!;
        assert.equal(undeliverableAt !== undefined, marks);
      },
    );
  }
});

Deno.test("createMailHooks() ignores a repeated bounce report when the first report came before the person signed up", async () => {
  await using service = await start(`generic:${SECRET}`);
  const bounce = sign(report("mail.bounced"));
  assert.equal(await post(service, "generic", bounce), 200);
  await join(service);
  assert.equal(await post(service, "generic", bounce), 200);
  assert.equal((await storedSignUps(service.kv))[ADA]?.undeliverableAt, undefined);
});

Deno.test("A complaint ends all letters to the mailbox, and outlasts an erasure until an operator lifts the complaint", async () => {
  await using service = await start(`generic:${SECRET}`);
  const due = async () => (await (await service.operate("/overview")).json()).outbox.due;
  const lift = async (email: string) =>
    (await service.operate("/signups/deliverable", { emails: [email] })).json();
  const isKept = async () => (await storedSignUps(service.kv))[ADA]?.complainedAt;
  await join(service);
  assert.equal(await due(), 1);
  await service.operate("/signups/erase", { email: ADA });
  assert.equal(await due(), 0);
  const complaint = sign(report("mail.complained", { reason: "" }));
  assert.equal(await post(service, "generic", complaint), 200);
  service.clock.now += 40 * DAY;
  await service.repeatOnce();
  for (const email of [ADA, "ada+news@example.com"]) await join(service, email);
  assert.equal(await due(), 0, "no letter, whoever signs up");
  assert.equal(await isKept(), moment(START));

  assert.deepEqual(await lift(ADA), { lifted: 1, notLifted: [] });
  assert.equal(await isKept(), undefined);
  assert.deepEqual(await lift("eve@example.com"), { lifted: 0, notLifted: ["eve@example.com"] });
  service.clock.now += 1_000;
  const late = report("mail.complained", {}, service.clock.now - 2_000);
  const options = { id: "msg_9", at: service.clock.now };
  assert.equal(await post(service, "generic", sign(late, options)), 200);
  assert.equal(await isKept(), undefined, "an older report does nothing");
  await join(service);
  assert.equal(await due(), 1);
  const entries = await auditOf(service);
  const actions = entries.map(({ action }) => action);
  assert.deepEqual(actions.toSorted(), ["eraseSignup", "mailComplained", "markDeliverable"]);
  const { details } = entries.find(({ action }) => action === "mailComplained");
  assert.deepEqual(details, { provider: "generic" }, "no reason where none was given");
});

Deno.test("A complaint removes waiting letters, and keeps an imported alias of the mailbox from getting an invitation", async () => {
  await using service = await start(`generic:${SECRET}`);
  await join(service);
  await post(service, "generic", sign(report("mail.complained")));
  const consentedAt = moment(START);
  const lines = ["ada+1@example.com", "bo@example.com"]
    .map((email) => JSON.stringify({ email, consentedAt, state: "waiting" })).join("\n");
  await service.operate("/signups/import", undefined, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: lines,
  });
  await (await service.operate("/waves", {
    wave: "one",
    next: 9,
    link: "https://example.com/?c={code}",
  })).text();
  await service.workOutbox();
  const { items } = await (await service.operate("/outbox/list", {})).json();
  assert.deepEqual(items.map(({ email }: { email: string }) => email), ["bo@example.com"]);
});
