import assert from "node:assert/strict";
import type { MailTarget } from "../../../../../server/config/mail_values.ts";
import type { OutgoingLetter, SendOutcome } from "../../../../../server/letters/letter.ts";
import { createSmtpTransport } from "../../../../../server/letters/transports/smtp.ts";
import type { SmtpBehaviour, SmtpServer, SmtpStage } from "../../../../support/smtp_server.ts";
import { startSmtpServer, TEST_AUTHORITY } from "../../../../support/smtp_server.ts";

const FROM = { name: "Häuser & Söhne", address: "hello@example.com" };
const LOGIN = { user: "waitlist", password: "a pass: word@ö" };
const ADA = "ada@example.com";

function letterTo(to: string, id = "letter-1"): OutgoingLetter {
  return {
    id,
    to,
    subject: "Grüße",
    text: "Guten Tag\n.\nEnde\n",
    pictureFiles: [],
    html: "<p>Guten Tag</p>",
    headers: { "Message-ID": `<${id}@example.com>` },
  };
}

/** A transport to a server; `host` is in the server's certificate. */
function transportTo(
  { port }: SmtpServer,
  target: Partial<Extract<MailTarget, { kind: "smtp" }>> = {},
  deadlineMs?: number,
) {
  const transport = createSmtpTransport({
    server: { kind: "smtp", host: "localhost", port, tls: "none", ...target },
    from: FROM,
    now: Date.now,
    ca: TEST_AUTHORITY,
    ...(deadlineMs && { deadlineMs }),
  });
  return { ...transport, [Symbol.dispose]: transport.close };
}

Deno.test("createSmtpTransport() sends letters to a mail server without TLS, with STARTTLS and with TLS", async (t) => {
  for (const tls of ["none", "starttls", "from_start"] as const) {
    await t.step(tls, async () => {
      await using server = await startSmtpServer({ tls, login: LOGIN });
      using transport = transportTo(server, { tls, login: LOGIN });
      const { kind, answer = "" } = await transport.send(letterTo(ADA)) as SendOutcome & {
        kind: "taken";
      };
      assert.equal(kind, "taken");
      assert.match(answer, /^250 /, "what the server said to the letter");
      assert.ok(!answer.includes(ADA), answer);
      const [letter] = await server.taken(1);
      assert.ok(letter);
      assert.equal(letter.from, FROM.address);
      assert.deepEqual(letter.to, [ADA]);
      assert.equal(letter.secure, tls !== "none");
      assert.equal(letter.mail.subject, "Grüße");
      assert.equal(letter.mail.from?.name, FROM.name);
      assert.equal(letter.mail.messageId, "<letter-1@example.com>");
      assert.match(letter.mail.text ?? "", /^Guten Tag\n\.\nEnde\n/);
    });
  }
});

Deno.test("createSmtpTransport() uses an idle connection again, and opens further connections for letters that are sent at the same time", async () => {
  await using server = await startSmtpServer();
  using transport = transportTo(server);
  await transport.send(letterTo(ADA, "1"));
  await transport.send(letterTo(ADA, "2"));
  await server.taken(2);
  assert.equal(server.reached.connection, 1);
  await Promise.all(["3", "4", "5"].map((id) => transport.send(letterTo(ADA, id))));
  await server.taken(5);
  assert.ok([2, 3].includes(server.reached.connection), `${server.reached.connection}`);
});

Deno.test("createSmtpTransport() opens a new connection when the mail server has closed the idle connections", async () => {
  await using server = await startSmtpServer();
  using transport = transportTo(server);
  await Promise.all(["1", "2", "3"].map((id) => transport.send(letterTo(ADA, id))));
  await server.behave({ cutAt: "now" });
  await server.behave({});
  assert.equal((await transport.send(letterTo(ADA, "4"))).kind, "taken");
  const ids = (await server.taken(4)).map(({ mail }) => mail.messageId);
  assert.equal(ids.at(-1), "<4@example.com>");
});

const refuse = (at: SmtpStage, code: number, text?: string): SmtpBehaviour => (
  { refuse: { at, code, ...text && { text } } }
);

/** What the server does, what becomes of a letter to ada@example.com, and the reason. */
const REFUSALS: [SmtpBehaviour, Exclude<SendOutcome["kind"], "taken">, RegExp][] = [
  [refuse("connection", 554), "paused", /^554 /],
  [refuse("connection", 421), "paused", /^421 /],
  [refuse("login", 535, "Wrong password"), "paused", /^535 Wrong password$/],
  [refuse("sender", 550), "paused", /^550 /],
  [refuse("sender", 451), "paused", /^451 /],
  [refuse("recipient", 421), "try_later", /^421 /],
  [refuse("recipient", 530), "refused_letter", /^530 /],
  [
    refuse("recipient", 550, "5.1.1 <ada@example.com>: no user ada here"),
    "refused_recipient",
    /^550 5\.1\.1 … no user … here$/,
  ],
  [refuse("recipient", 553), "refused_letter", /^553 /],
  [
    refuse("recipient", 554, "5.7.1 Relay access denied"),
    "refused_letter",
    /^554 5\.7\.1 Relay access denied$/,
  ],
  [refuse("recipient", 450), "try_later", /^450 /],
  [refuse("letter", 554), "refused_letter", /^554 /],
  [refuse("letter", 451), "try_later", /^451 /],
  [refuse("letter", 421), "try_later", /^421 /],
  [{ cutAt: "connection" }, "paused", /clos|reset/i],
  [{ cutAt: "login" }, "paused", /clos|reset/i],
  // The recipient was sent along with the sender.
  [{ cutAt: "sender" }, "try_later", /clos|reset/i],
  [{ cutAt: "recipient" }, "try_later", /clos|reset/i],
  [{ cutAt: "letter" }, "try_later", /clos|reset/i],
];

Deno.test("createSmtpTransport() returns whether a refusal concerns the letter, the recipient or the mail server", async (t) => {
  await using server = await startSmtpServer({ login: LOGIN });
  for (const [behaviour, kind, reason] of REFUSALS) {
    await t.step(JSON.stringify(behaviour), async () => {
      using transport = transportTo(server, { login: LOGIN });
      await server.behave(behaviour);
      const outcome = await transport.send(letterTo(ADA));
      const label = JSON.stringify(behaviour);
      assert.equal(outcome.kind, kind, `${label}: ${JSON.stringify(outcome)}`);
      assert.match("reason" in outcome ? outcome.reason : "", reason, label);
      await server.behave({});
      assert.equal((await transport.send(letterTo(ADA))).kind, "taken", label);
    });
  }
  assert.equal((await server.taken(REFUSALS.length)).length, REFUSALS.length);
});

Deno.test("createSmtpTransport() sends no letter when TLS is required and the mail server offers no TLS or cuts the connection at STARTTLS", async (t) => {
  const cases: ["none" | "starttls", SmtpBehaviour, "from_start" | "starttls"][] = [
    ["none", {}, "starttls"],
    ["none", {}, "from_start"],
    ["starttls", { cutAt: "starttls" }, "starttls"],
  ];
  for (const [offered, behaviour, tls] of cases) {
    await t.step(`${offered} ${tls}`, async () => {
      await using server = await startSmtpServer({ tls: offered });
      await server.behave(behaviour);
      using transport = transportTo(server, { tls });
      const outcome = await transport.send(letterTo(ADA));
      assert.equal(outcome.kind, "paused", `${offered} ${tls}: ${JSON.stringify(outcome)}`);
      assert.equal(server.reached.sender, 0);
    });
  }
});

Deno.test("createSmtpTransport() asks for a pause of all letters when the mail server's certificate is not trusted", async () => {
  await using server = await startSmtpServer({ tls: "from_start" });
  const transport = createSmtpTransport({
    server: { kind: "smtp", host: "localhost", port: server.port, tls: "from_start" },
    from: FROM,
    now: Date.now,
  });
  const outcome = await transport.send(letterTo(ADA));
  transport.close();
  assert.equal(outcome.kind, "paused");
  assert.equal(server.reached.sender, 0);
});

Deno.test("createSmtpTransport() asks for a pause of all letters when the mail server does not answer before the deadline", async () => {
  await using server = await startSmtpServer();
  using transport = transportTo(server, {}, 100);
  await server.behave({ silentAt: "connection" });
  assert.deepEqual(await transport.send(letterTo(ADA)), {
    kind: "paused",
    reason: "The mail server did not answer in time",
  });
});

Deno.test("close() ends each pending send() at once when the mail server does not answer", async (t) => {
  const cases = [["connection", "paused"], ["sender", "try_later"], [
    "letter",
    "try_later",
  ]] as const;
  for (const [stage, kind] of cases) {
    await t.step(stage, async () => {
      await using server = await startSmtpServer();
      await server.behave({ silentAt: stage });
      using transport = transportTo(server);
      const sending = transport.send(letterTo(ADA));
      await server.until(({ reached }) => reached[stage] === 1);
      transport.close();
      assert.equal((await sending).kind, kind);
      assert.equal((await transport.send(letterTo(ADA))).kind, "paused");
    });
  }
});
