/**
 * SNS messages as Amazon documents them, https://docs.aws.amazon.com/ses/latest/dg/notification-examples.html; OpenSSL
 * has signed them (`openssl dgst -sha1 -sign key.pem`, `-sha256` for version 2) with the key of the certificate.
 * @module
 */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { createMailHooks } from "../../../../server/letters/hooks/mod.ts";
import { LIMITS } from "../../../../server/limits/mod.ts";
import { REPORT_ID_MS } from "../../../../server/waitlist/mod.ts";
import type { MailReport } from "../../../../server/store/people/mod.ts";
import { random } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import signed from "../../../support/signed_hooks.json" with { type: "json" };

const { bounce, complaint, subscription, certificate } = signed;

// What waits for the end of a turn is done, as Deno 2.5 takes it for a timer that was left behind.
Deno.test.afterEach(() => new Promise<void>((resolve) => void setImmediate(resolve)));

/** Starts hooks for the topic of the messages; Amazon is a function. @param allowed the calls that the limit allows */
function startHooks(getText = (_url: string) => Promise.resolve(certificate), allowed = Infinity) {
  const noted: MailReport[] = [];
  const asked: string[] = [];
  const clock = { now: START };
  let counted = 0;
  const hooks = createMailHooks({
    mailHook: { provider: "ses", secret: bounce.TopicArn },
    runtime: { now: () => clock.now, monotonic: () => clock.now, random },
    trustedProxyHops: 0,
    observer: { noteAnswer: () => {} },
    countRequest(limit, _address, counts = true) {
      assert.equal(limit, LIMITS.default);
      if (counts) counted++;
      return { allowed: counted <= allowed, limit, remaining: 1, reset: 7 };
    },
    keepReportId: () => Promise.reject(new Error("SES signs the whole message")),
    noteMailReport: (report) => Promise.resolve(noted.push(report) > 0 ? "changed" : ""),
    getText(url) {
      asked.push(url);
      return getText(url);
    },
  })!;
  return {
    noted,
    asked,
    clock,
    counted: () => counted,
    async post(message: object) {
      // SNS sends its JSON as text.
      const headers = {
        "Content-Type": "text/plain; charset=UTF-8",
        "x-amz-sns-topic-arn": bounce.TopicArn,
      };
      const init = { method: "POST", headers, body: JSON.stringify(message) };
      const request = new Request("http://localhost/hooks/mail/ses", init);
      const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
      return (await hooks.answer(request, { remoteAddr })).status;
    },
  };
}

Deno.test("createMailHooks() accepts bounces and complaints that SNS has signed with signature version 1 or 2", async () => {
  const { noted, asked, post } = startHooks();
  assert.equal(await post(bounce), 200);
  assert.equal(await post(complaint), 200);
  assert.deepEqual(noted.map(({ email, kind, at }) => [email, kind, at]), [
    ["jane@example.com", "bounced", "2026-11-21T12:00:10.000Z"],
    ["richard@example.com", "complained", "2026-11-21T12:00:10.000Z"],
  ]);
  assert.deepEqual(asked, [bounce.SigningCertURL]);
});

Deno.test("createMailHooks() confirms an SNS subscription to the configured topic", async () => {
  const { noted, asked, post } = startHooks();
  assert.equal(await post(subscription), 200);
  assert.deepEqual(asked, [subscription.SigningCertURL, subscription.SubscribeURL]);
  assert.deepEqual(noted, []);
});

Deno.test("createMailHooks() refuses changed SNS messages and messages of another topic, and fetches no certificate from a foreign URL", async (t) => {
  const { noted, asked, post } = startHooks();
  const elsewhere =
    "https://sns.us-west-2.amazonaws.com.example.com/SimpleNotificationService-a.pem";
  for (
    const change of [
      { TopicArn: `${bounce.TopicArn}2` },
      { SigningCertURL: elsewhere },
      { SigningCertURL: bounce.SigningCertURL.replace("us-west-2", "eu-west-1") },
      { SigningCertURL: bounce.SigningCertURL.replace("https:", "http:") },
      { SigningCertURL: `${bounce.SigningCertURL}?/SimpleNotificationService-a.pem` },
      { Type: "UnsubscribeConfirmation" },
      { SignatureVersion: "3" },
    ]
  ) {
    await t.step(`the message has ${JSON.stringify(change)}`, async () => {
      assert.equal(await post({ ...bounce, ...change }), 401);
    });
  }
  assert.equal(await post([]), 401);
  assert.deepEqual(asked, []);
  const changes = {
    "another message": { Message: complaint.Message },
    "no subject": { Subject: undefined },
    "another signature version": { SignatureVersion: "2" },
  };
  for (const [name, change] of Object.entries(changes)) {
    await t.step(`the message has ${name}`, async () => {
      assert.equal(await post({ ...bounce, ...change }), 401);
    });
  }
  assert.deepEqual(noted, []);
});

/** The name of a certificate of the topic's host, which nobody has. */
const invented = (n: number) => bounce.SigningCertURL.replace(/-\w+\.pem$/, `-${n}.pem`);

/** Amazon without the certificates that a test invents. */
const getGenuine = (url: string) =>
  url === bounce.SigningCertURL
    ? Promise.resolve(certificate)
    : Promise.reject(new Error("The answer was 404"));

Deno.test("createMailHooks() answers 503 when an SNS certificate cannot be fetched, and waits 10 seconds before it fetches that certificate again", async () => {
  let isAway = true;
  const { asked, clock, post } = startHooks(() =>
    isAway ? Promise.reject(new Error("away")) : Promise.resolve(certificate)
  );
  assert.equal(await post(bounce), 503);
  isAway = false;
  assert.equal(await post(bounce), 503, "it rests");
  assert.equal(asked.length, 1);
  assert.equal(await post({ ...bounce, SigningCertURL: invented(1) }), 200);
  assert.equal(asked.length, 2);
  clock.now += 10_001;
  assert.equal(await post(bounce), 200);
});

Deno.test("createMailHooks() caches an SNS certificate once when calls spell its URL in different ways", async (t) => {
  const { asked, post } = startHooks(getGenuine);
  const spellings = ["Sns.", "sNs.", "snS.", "SNs.", "sNS.", "SnS.", "SNS."]
    .map((host) => bounce.SigningCertURL.replace("sns.", host))
    .concat(
      ["HTTPS:", "Https:"].map((protocol) => bounce.SigningCertURL.replace("https:", protocol)),
    )
    .concat(bounce.SigningCertURL.replace(".com/", ".com:443/"));
  for (const SigningCertURL of spellings) {
    await t.step(`a forged message with ${SigningCertURL} is refused`, async () => {
      assert.equal(await post({ ...bounce, SigningCertURL, Message: "forged" }), 401);
    });
  }
  for (let n = 0; n < 1_100; n++) await post({ ...bounce, SigningCertURL: invented(n) });
  assert.equal(await post(bounce), 200);
  const before = asked.length;
  for (const SigningCertURL of spellings) {
    await t.step(`a genuine message with ${SigningCertURL} is accepted`, async () => {
      assert.equal(await post({ ...bounce, SigningCertURL }), 200);
    });
  }
  assert.equal(asked.length, before, "the certificate is kept");
});

Deno.test("createMailHooks() verifies an SNS message by a cached certificate while other certificates cannot be fetched", async () => {
  let isAway = false;
  const { post, counted } = startHooks(() =>
    isAway ? Promise.reject(new Error("away")) : Promise.resolve(certificate)
  );
  assert.equal(await post(bounce), 200);
  isAway = true;
  for (let n = 0; n < 20; n++) {
    assert.equal(await post({ ...bounce, SigningCertURL: invented(n) }), 503);
  }
  const before = counted();
  assert.equal(await post(complaint), 200);
  assert.equal(counted(), before, "a call that is verified by a kept certificate does not count");
});

Deno.test("createMailHooks() answers 503 and fetches no SNS certificate when the source address is over its limit", async () => {
  const { asked, post, counted } = startHooks(() => Promise.reject(new Error("away")), 5);
  for (let n = 0; n < 40; n++) {
    assert.equal(await post({ ...bounce, SigningCertURL: invented(n) }), 503);
  }
  assert.deepEqual([asked.length, counted()], [5, 40]);
  assert.equal(await post({ ...bounce, Type: "Other" }), 429);
});

Deno.test("createMailHooks() refuses and counts an SNS message whose Type is a member of Object.prototype", async (t) => {
  const { asked, post, counted } = startHooks();
  const types = ["constructor", "toString", "__proto__", "hasOwnProperty"];
  for (const Type of types) {
    await t.step(`the Type is ${Type}`, async () => {
      assert.equal(await post({ ...bounce, Type }), 401);
    });
  }
  assert.deepEqual([asked.length, counted()], [0, types.length]);
});

Deno.test("createMailHooks() refuses an SNS message that is older than the 7 days for which ids of reports are kept", async () => {
  const { asked, clock, noted, post } = startHooks();
  clock.now = Date.parse(bounce.Timestamp) + REPORT_ID_MS + 1;
  assert.equal(await post(bounce), 401);
  assert.equal(await post({ ...bounce, Timestamp: "a year ago" }), 401);
  assert.deepEqual([asked, noted], [[], []]);
  clock.now--;
  assert.equal(await post(bounce), 200);
  assert.equal(noted.length, 1);
});
