import assert from "node:assert/strict";
import { readConfig, type ServiceVariables } from "../../../server/config/mod.ts";
import { describeMail } from "../../../server/letters/mod.ts";
import { Commit } from "../../../server/store/kv/engine.ts";
import { changeRecords } from "../../../server/store/people/change_records.ts";
import { storeSignUps } from "../../../server/store/people/sign_ups.ts";
import type { OutboxItem } from "../../../server/waitlist/outbox_item.ts";
import { noteConfirmationTaken } from "../../../server/waitlist/letter_outcomes.ts";
import { inviteAll, storeWaiting } from "../../support/invitations.ts";
import { listenTo } from "../../support/receiver.ts";
import { OUTBOX, recordId, recordOf, storedSignUps } from "../../support/records.ts";
import { confirmPerson } from "../../support/self_service.ts";
import { json, startTestService, test } from "../../support/service.ts";
import { listAll } from "../../support/memory_kv.ts";

const DAY = 24 * 60 * 60 * 1000;
const ADA = "ada@example.com";

/** A service whose letters and events go to a receiver. */
async function startMailService(variables: ServiceVariables = {}) {
  // The connection is closed, as Deno 2.5 keeps an unused one open for 30 s.
  const receiver = listenTo(() => new Response("{}", { headers: { Connection: "close" } }));
  const service = await startTestService({
    MAIL_URL: `${receiver.url}/letters`,
    MAIL_FROM: "Example Company <hello@example.com>",
    MAIL_TOKEN: "token-of-the-mail-api",
    WEBHOOK_URL: `${receiver.url}/events`,
    WEBHOOK_SECRET: `whsec_${btoa("a".repeat(32))}`,
    ...variables,
  });
  const sent = () =>
    receiver.received.map(({ path, body }) => ({ path, body: JSON.parse(body) })).sort((a, b) =>
      a.path < b.path ? -1 : 1
    );
  return {
    service,
    sent,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

Deno.test("createService() sends one letter and one event for a new person, and shows the mail API's answer on the self-service page", async () => {
  await using started = await startMailService();
  const { service, sent } = started;
  await service.request("/api/v1/waitlist", json({ email: ADA, consent: true, lang: "de" }));
  for (let times = 0; times < 3; times++) await service.workOutbox();
  const [event, letter] = sent();
  assert.equal(sent().length, 2);
  assert.deepEqual([event?.path, event?.body.type], ["/events", "signup.joined"]);
  assert.equal(event?.body.data.email, ADA);
  assert.equal(event?.body.data.state, "unconfirmed");
  assert.equal(letter?.path, "/letters");
  assert.equal(letter?.body.to, ADA);
  const link = /https:\/\/waitlist\.test(\/de\/platz\/\?t=\S+)/.exec(letter?.body.text)?.[1];
  const page = await (await service.request(link ?? "/nothing")).text();
  const messageId = letter?.body.headers["Message-ID"];
  assert.ok(messageId);
  const record = (await storedSignUps(service.kv))[ADA]!;
  const { putAt = "", takenAt = "", ...said } = record.lastLetters?.confirmation ?? {};
  assert.deepEqual(said, { answer: "HTTP 200 {}", messageId });
  assert.ok(putAt <= takenAt && takenAt === record.confirmations?.takenAt);
  assert.ok(page.includes(`HTTP 200 {} · &lt;${messageId.slice(1, -1)}&gt;`), page);
  assert.ok(!JSON.stringify(service.log).includes("example.com"));
});

Deno.test("createService() sends the event signup.joined with the campaign of the sign-up", async () => {
  await using started = await startMailService();
  const { service, sent } = started;
  const path = "/api/v1/waitlist?utm_source=News&utm_campaign=launch";
  await (await service.request(path, json({ email: ADA, consent: true }))).body?.cancel();
  for (let times = 0; times < 3; times++) await service.workOutbox();
  const { data } = sent().find(({ body }) => body.type === "signup.joined")!.body;
  assert.deepEqual(
    [data.utmSource, data.utmMedium, data.utmCampaign],
    ["news", undefined, "launch"],
  );
  assert.equal("countedAsOther" in data, false);
});

Deno.test("createService() sends events with the person's referral code, the number of referrals and the code of the referring person", async () => {
  await using started = await startMailService({ REFERRALS: "on" });
  const { service, sent } = started;
  await confirmPerson(service, ADA);
  const { referralCode } = await recordOf(service.kv, ADA);
  await confirmPerson(service, "bob@example.com", referralCode);
  await confirmPerson(service, "bob+1@example.com", referralCode);
  for (let times = 0; times < 3; times++) await service.workOutbox();
  const confirmed = sent().filter(({ body }) => body.type === "signup.confirmed");
  const dataOf = (email: string) => {
    const { data } = confirmed.find(({ body }) => body.data.email === email)!.body;
    const { referralCode, referrals, referredBy, referralCounts } = data;
    return { referralCode, referrals, referredBy, referralCounts };
  };
  assert.equal(confirmed.length, 3);
  assert.deepEqual(dataOf(ADA), {
    referralCode,
    referrals: 1,
    referredBy: undefined,
    referralCounts: undefined,
  });
  const bob = await recordOf(service.kv, "bob@example.com");
  assert.deepEqual(dataOf("bob@example.com"), {
    referralCode: bob.referralCode,
    referrals: 0,
    referredBy: referralCode,
    referralCounts: true,
  });
  assert.equal(dataOf("bob+1@example.com").referralCounts, false);
  assert.ok(
    !JSON.stringify(confirmed).includes(bob.referrerId!),
    "no event has the id of a record",
  );
});

Deno.test("createService() sends at most 5 letters in a second with the default MAIL_PER_MINUTE of 300", async () => {
  await using started = await startMailService();
  const { service, sent } = started;
  for (let n = 0; n < 7; n++) {
    await service.request("/api/v1/waitlist", json({ email: `v${n}@example.com`, consent: true }));
  }
  const letters = () => sent().filter(({ path }) => path === "/letters").length;
  assert.ok(await service.workOutbox());
  assert.equal(letters(), 5, "the share of a second of 300 letters a minute");
  service.clock.now += 1_000;
  await service.workOutbox();
  assert.equal(letters(), 7);
  service.clock.now += 1_000;
  assert.ok(!await service.workOutbox());
});

Deno.test("createService() sends no letter for a sandbox sign-up, or for a sign-up with a filled honeypot", async () => {
  await using started = await startMailService();
  const { service, sent } = started;
  await service.request("/sandbox/api/v1/waitlist", json({ email: ADA, consent: true }));
  await service.request("/api/v1/waitlist", json({ email: ADA, consent: true, website: "x" }));
  await service.workOutbox();
  assert.deepEqual(sent(), []);
});

// Erased without a mark, days after the mail server took the letter.
Deno.test("createService() erases unconfirmed people after UNCONFIRMED_DAYS, and keeps confirmed people", async () => {
  await using started = await startMailService();
  const { service, sent } = started;
  for (const email of [ADA, "grace@example.com"]) {
    await service.request("/api/v1/waitlist", json({ email, consent: true }));
  }
  await service.workOutbox();
  const [letter] = sent().filter(({ body }) => body.to === "grace@example.com");
  const t = /\?t=(\S+)/.exec(letter?.body.text)?.[1] ?? "";
  const confirmed = await service.request("/place/confirm", {
    method: "POST",
    body: new URLSearchParams({ t }),
  });
  assert.equal(confirmed.status, 303);
  service.clock.now += 14 * DAY - 1;
  await service.workOutbox();
  assert.equal(
    Object.keys(await storedSignUps(service.kv)).length,
    2,
    "not before the time is over",
  );
  service.clock.now += 1;
  await service.workOutbox();
  const { "grace@example.com": grace, ...others } = await storedSignUps(service.kv);
  assert.deepEqual(others, {});
  assert.equal(grace?.state, "waiting");
  assert.deepEqual(await listAll(service.kv, { prefix: ["erased"] }), []);
  await service.workOutbox();
  const left = sent().filter(({ body }) => body.type === "signup.left").map(({ body }) =>
    body.data
  );
  assert.deepEqual(left, [{ email: ADA, reason: "expired" }]);
});

Deno.test("describeMail() names only the host when MAIL_URL is the URL of a server, and the folder when MAIL_URL is a file: URL", async (t) => {
  const table = [
    [undefined, "none, as MAIL_URL is not set"],
    ["smtp://ada:secret@mail.example.com", "mail.example.com:587"],
    ["https://api.example.com/secret?key=secret", "api.example.com"],
    ["file:mail", "/tmp/folder/mail/"],
  ] as const;
  for (const [MAIL_URL, described] of table) {
    await t.step(`MAIL_URL is ${MAIL_URL}`, () => {
      const result = readConfig({
        KV_PATH: "/tmp/folder/kv.sqlite3",
        ...MAIL_URL && { MAIL_URL, MAIL_FROM: "hello@example.com", MAIL_TOKEN: "token" },
      });
      assert.ok("config" in result);
      assert.equal(describeMail(result.config), described);
    });
  }
});

test("createService() erases no unconfirmed person while mail is off", async (service) => {
  const { kv, clock } = service;
  const at = new Date(clock.now).toISOString();
  await storeSignUps(kv, [{ signUp: { email: ADA }, at, id: recordId() }], { outbox: OUTBOX });
  await changeRecords(kv, [{
    email: ADA,
    decide: (record) => record ? { record: noteConfirmationTaken(record, at) } : "unchanged",
  }], { outbox: OUTBOX });
  clock.now += 100 * DAY;
  await service.workOutbox();
  assert.equal((await storedSignUps(kv))[ADA]?.state, "unconfirmed");
});

Deno.test("createService() sends no invitation letter when the letter's item in the outbox has no link, and logs the fault", async () => {
  await using started = await startMailService();
  const { service, sent } = started;
  await storeWaiting(service.kv, 1);
  await inviteAll(service.kv, { next: 1 });
  for (const { key, value } of await listAll<OutboxItem>(service.kv, { prefix: ["outbox"] })) {
    if (!("letter" in value.message)) continue;
    const { invitationUrl: _, ...message } = value.message;
    await service.kv.commit(new Commit().set(key, { ...value, message }));
  }
  for (let times = 0; times < 3; times++) await service.workOutbox();
  assert.deepEqual(sent().filter(({ path }) => path === "/letters"), []);
  const [failure] = service.log.filter(({ event }) => String(event).startsWith("could not make"));
  assert.equal(failure?.error, "Error: The invitation in the outbox has no link");
});
