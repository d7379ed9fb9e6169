/**
 * SNS messages as Amazon documents them, https://docs.aws.amazon.com/ses/latest/dg/notification-examples.html; OpenSSL
 * has signed them (`openssl dgst -sha1 -sign key.pem`, `-sha256` for version 2) with the key of the certificate.
 * @module
 */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { createMailHooks } from "../../../../server/letters/hooks/mod.ts";
import { LIMITS } from "../../../../server/limits/mod.ts";
import type { MailReport } from "../../../../server/store/people/mod.ts";
import { random } from "../../../support/records.ts";
import { START } from "../../../support/service.ts";
import signed from "../../../support/signed_hooks.json" with { type: "json" };

const { bounce, complaint, subscription, certificate } = signed;

// What waits for the end of a turn is done, as Deno 2.5 takes it for a timer that was left behind.
Deno.test.afterEach(() => new Promise<void>((resolve) => void setImmediate(resolve)));

/** Starts hooks for the topic of the messages; Amazon is a function. */
function startHooks(getText = (_url: string) => Promise.resolve(certificate)) {
  const noted: MailReport[] = [];
  const asked: string[] = [];
  const clock = { now: START };
  const hooks = createMailHooks({
    mailHook: { provider: "ses", secret: bounce.TopicArn },
    now: () => clock.now,
    monotonic: () => clock.now,
    random,
    trustedProxyHops: 0,
    observer: { answered: () => {} },
    countRequest: () => ({ allowed: true, limit: LIMITS.default, remaining: 1, reset: 1 }),
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

Deno.test("createMailHooks() takes bounces and complaints that SNS signed, by version 1 and 2, with one certificate", async () => {
  const { noted, asked, post } = startHooks();
  assert.equal(await post(bounce), 200);
  assert.equal(await post(complaint), 200);
  assert.deepEqual(noted.map(({ email, kind, at }) => [email, kind, at]), [
    ["jane@example.com", "bounced", "2026-11-21T12:00:10.000Z"],
    ["richard@example.com", "complained", "2026-11-21T12:00:10.000Z"],
  ]);
  assert.deepEqual(asked, [bounce.SigningCertURL]);
});

Deno.test("createMailHooks() confirms the subscription of its own topic by itself", async () => {
  const { noted, asked, post } = startHooks();
  assert.equal(await post(subscription), 200);
  assert.deepEqual(asked, [subscription.SigningCertURL, subscription.SubscribeURL]);
  assert.deepEqual(noted, []);
});

Deno.test("createMailHooks() refuses SNS messages of others, changed ones and foreign certificates, unasked", async () => {
  const { noted, asked, post } = startHooks();
  const elsewhere =
    "https://sns.us-west-2.amazonaws.com.example.com/SimpleNotificationService-a.pem";
  for (
    const message of [
      { ...bounce, TopicArn: `${bounce.TopicArn}2` },
      { ...bounce, SigningCertURL: elsewhere },
      { ...bounce, SigningCertURL: bounce.SigningCertURL.replace("us-west-2", "eu-west-1") },
      { ...bounce, SigningCertURL: bounce.SigningCertURL.replace("https:", "http:") },
      { ...bounce, SigningCertURL: `${bounce.SigningCertURL}?/SimpleNotificationService-a.pem` },
      { ...bounce, Type: "UnsubscribeConfirmation" },
      { ...bounce, SignatureVersion: "3" },
      [],
    ]
  ) assert.equal(await post(message), 401, JSON.stringify(message));
  assert.deepEqual(asked, []);
  const swapped = { ...bounce, Message: complaint.Message };
  for (
    const message of [swapped, { ...bounce, Subject: undefined }, {
      ...bounce,
      SignatureVersion: "2",
    }]
  ) {
    assert.equal(await post(message), 401);
  }
  assert.deepEqual(noted, []);
});

Deno.test("createMailHooks() has SNS send again where the certificate is away, and asks for none for 10 s", async () => {
  let isAway = true;
  const { asked, clock, post } = startHooks(() =>
    isAway ? Promise.reject(new Error("away")) : Promise.resolve(certificate)
  );
  assert.equal(await post(bounce), 500);
  isAway = false;
  const other = bounce.SigningCertURL.replace("f3ec", "aaaa");
  assert.equal(await post({ ...bounce, SigningCertURL: other }), 401);
  assert.equal(asked.length, 1);
  clock.now += 10_001;
  assert.equal(await post(bounce), 200);
});
