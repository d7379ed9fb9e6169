import assert from "node:assert/strict";
import type { SendOutcome } from "../../../../server/letters/letter.ts";
import { createMailApi } from "../../../../server/letters/transports/mail_api.ts";
import { LETTER, listenInSilence } from "../../../support/letters.ts";
import { listenTo } from "../../../support/receiver.ts";

const TOKEN = "re_secret-token";
const FROM = { name: "Söhne, A", address: "hello@example.com" };

function apiAt(url: string, deadlineMs?: number) {
  return createMailApi({
    api: { kind: "api", url, token: TOKEN },
    from: FROM,
    now: () => Date.parse("2026-11-21T10:00:00Z"),
    monotonic: () => performance.now(),
    ...(deadlineMs && { deadlineMs }),
  });
}

Deno.test("createMailApi() posts a letter with the token, and with the letter's id as Idempotency-Key", async () => {
  await using receiver = listenTo(() => Response.json({ id: "x" }));
  const api = apiAt(`${receiver.url}/emails`);
  assert.deepEqual(await api.send(LETTER), { kind: "taken", answer: 'HTTP 200 {"id":"x"}' });
  const [call] = receiver.received;
  assert.ok(call);
  assert.equal(call.method, "POST");
  assert.equal(call.path, "/emails");
  assert.equal(call.headers["authorization"], `Bearer ${TOKEN}`);
  assert.equal(call.headers["content-type"], "application/json");
  assert.equal(call.headers["idempotency-key"], "letter-1");
  const { id: _, pictureFiles: __, ...letter } = LETTER;
  assert.deepEqual(JSON.parse(call.body), { from: '"Söhne, A" <hello@example.com>', ...letter });
});

Deno.test("createMailApi() posts the pictures of a letter in base64, with the content ids by which the HTML shows the pictures", async () => {
  await using receiver = listenTo(() => Response.json({ id: "x" }));
  const part = {
    contentId: "logo@letter",
    name: "logo.png",
    contentType: "image/png",
    base64: "YSBwaWN0dXJl",
  };
  await apiAt(`${receiver.url}/emails`).send({ ...LETTER, pictureFiles: [part] });
  assert.deepEqual(JSON.parse(receiver.received[0]!.body).attachments, [{
    content_id: "logo@letter",
    filename: "logo.png",
    content_type: "image/png",
    content: "YSBwaWN0dXJl",
  }]);
});

Deno.test("check() sends no letter, and rejects when the mail API refuses the token or the path", async (t) => {
  const answers: [status: number, fault: RegExp | undefined][] = [
    [422, undefined],
    [400, undefined],
    [429, undefined],
    [401, /^HTTP 401 … is no key$/],
    [404, /^HTTP 404 /],
  ];
  for (const [status, fault] of answers) {
    await t.step(`the mail API answers HTTP ${status}`, async () => {
      await using receiver = listenTo(() => new Response(`${TOKEN} is no key`, { status }));
      const checked = apiAt(`${receiver.url}/emails`).check?.();
      if (fault) await assert.rejects(async () => await checked, { message: fault });
      else await checked;
      assert.deepEqual(receiver.received.map(({ body }) => body), ["{}"]);
    });
  }
});

const ANSWERS: [status: number, kind: SendOutcome["kind"]][] = [
  [200, "taken"],
  [202, "taken"],
  [422, "refused_recipient"],
  [401, "paused"],
  [403, "paused"],
  [404, "paused"],
  [502, "paused"],
  [503, "paused"],
  [400, "try_later"],
  [409, "try_later"],
  [500, "try_later"],
];

Deno.test("createMailApi() returns 'sent', 'refused_recipient', 'paused' or 'try_later' by the status of the mail API's answer", async (t) => {
  let status = 200;
  const message = `No ada@example.com with ${TOKEN}`;
  await using receiver = listenTo(() => Response.json({ message }, { status }));
  for (const [answer, kind] of ANSWERS) {
    await t.step(`HTTP ${answer} becomes ${kind}`, async () => {
      status = answer;
      const outcome = await apiAt(receiver.url).send(LETTER);
      const said = `HTTP ${status} {"message":"No … with …"}`;
      assert.deepEqual(outcome, kind === "taken" ? { kind, answer: said } : { kind, reason: said });
    });
  }
});

Deno.test("createMailApi() returns 'refused_recipient' when a 422 answer contains the recipient's address, and 'refused_letter' otherwise", async (t) => {
  let message = "";
  await using receiver = listenTo(() => Response.json({ message }, { status: 422 }));
  const cases: [message: string, kind: SendOutcome["kind"]][] = [
    ["Found inactive addresses: Ada@Example.com.", "refused_recipient"],
    ["Invalid `to` field: <ada@example.com>", "refused_recipient"],
    ["'ada@example.com' is suppressed", "refused_recipient"],
    ["The 'From' address hello@example.com is not a sender signature", "refused_letter"],
    ["Invalid `to` field", "refused_letter"],
    ["canada@example.com and ada@example.com.invalid are no senders", "refused_letter"],
  ];
  for (const [said, kind] of cases) {
    await t.step(`the text of the 422 is: ${said}`, async () => {
      message = said;
      assert.equal((await apiAt(receiver.url).send(LETTER)).kind, kind);
    });
  }
});

Deno.test("createMailApi() repeats the call when the mail API answers 429 with Retry-After: 0", async () => {
  const answers = [new Response(null, { status: 429, headers: { "Retry-After": "0" } })];
  await using receiver = listenTo(() => answers.shift() ?? new Response());
  assert.equal((await apiAt(receiver.url).send(LETTER)).kind, "taken");
  const [first, second] = receiver.received;
  assert.equal(first?.body, second?.body);
  assert.equal(second?.headers["idempotency-key"], "letter-1");
});

Deno.test("createMailApi() pauses for the time of the Retry-After header", async (t) => {
  const cases = [["429", "90"], ["503", "7"], ["429", "Sat, 21 Nov 2026 10:01:30 GMT"]] as const;
  for (const [status, retryAfter] of cases) {
    await t.step(`the mail API answers HTTP ${status}, Retry-After: ${retryAfter}`, async () => {
      const init = { status: Number(status), headers: { "Retry-After": retryAfter } };
      await using receiver = listenTo(() => new Response("later", init));
      assert.deepEqual(await apiAt(receiver.url).send(LETTER), {
        kind: "paused",
        reason: `HTTP ${status} later`,
        retryAfterMs: retryAfter === "7" ? 7_000 : 90_000,
      });
      assert.equal(receiver.received.length, 1);
    });
  }
});

Deno.test("createMailApi() returns 'paused' when the mail API answers 429 and the next try would begin after half of the deadline", async () => {
  await using receiver = listenTo(() => new Response("too many", { status: 429 }));
  assert.deepEqual(await apiAt(receiver.url, 100).send(LETTER), {
    kind: "paused",
    reason: "HTTP 429 too many",
  });
});

Deno.test("createMailApi() follows no redirect, so that no other host gets the token", async () => {
  await using elsewhere = listenTo(() => new Response());
  await using receiver = listenTo(() => Response.redirect(elsewhere.url, 307));
  assert.equal((await apiAt(receiver.url).send(LETTER)).kind, "paused");
  assert.deepEqual(elsewhere.received, []);
});

Deno.test("createMailApi() returns 'paused' when the mail API cannot be reached, and does not put the URL into the reason", async () => {
  const receiver = listenTo(() => new Response());
  await receiver[Symbol.asyncDispose]();
  const outcome = await apiAt(`${receiver.url}?key=hunter2`).send(LETTER);
  assert.ok(outcome.kind === "paused", outcome.kind);
  assert.match(outcome.reason, /Connection refused/);
  assert.ok(!outcome.reason.includes("hunter2"), outcome.reason);
});

Deno.test("createMailApi() returns try_later when the mail API does not answer in time", async () => {
  await using receiver = listenInSilence();
  assert.equal((await apiAt(receiver.url, 50).send(LETTER)).kind, "try_later");
});

Deno.test("close() ends a call to the mail API at once when the API is silent", async () => {
  await using receiver = listenInSilence();
  const api = apiAt(receiver.url);
  const sending = api.send(LETTER);
  await receiver.reached;
  api.close();
  assert.equal((await sending).kind, "paused");
});
