import assert from "node:assert/strict";
import type { SendOutcome } from "../../../../server/letters/letter.ts";
import { createSmtpTransport } from "../../../../server/letters/transports/smtp.ts";
import { FROM, LETTER } from "../../../support/letters.ts";
import type { ScriptedAnswer, ScriptedSmtpOptions } from "../../../support/scripted_smtp.ts";
import { startScriptedSmtp } from "../../../support/scripted_smtp.ts";

/** Sends a letter to a server that answers as it is told. */
async function sendTo(
  options: ScriptedSmtpOptions,
  settings: { tls?: "starttls"; deadlineMs?: number; returnPath?: string; to?: string } = {},
): Promise<SendOutcome> {
  const { tls = "none", to = LETTER.to, ...others } = settings;
  await using server = startScriptedSmtp(options);
  const transport = createSmtpTransport({
    server: { kind: "smtp", host: "127.0.0.1", port: server.port, tls },
    from: FROM,
    now: () => 0,
    ...others,
  });
  try {
    return await transport.send({ ...LETTER, to });
  } finally {
    transport.close();
    // Deno 2.5 closes a socket a moment later.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

Deno.test("check() logs in and sends no letter, or says what the server said", async () => {
  for (const reply of [undefined, "530 5.7.0 Not from you"]) {
    await using server = startScriptedSmtp({
      answer: (command) => reply && /^(EHLO|HELO)/.test(command) ? { reply } : undefined,
    });
    const transport = createSmtpTransport({
      server: { kind: "smtp", host: "127.0.0.1", port: server.port, tls: "none" },
      from: FROM,
      now: () => 0,
    });
    const checked = transport.check!();
    if (reply) await assert.rejects(checked, { message: reply });
    else await checked;
    transport.close();
    assert.ok(server.commands.every((command) => !command.startsWith("MAIL")));
    assert.ok(server.commands.length > 0);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
});

/** A server that does something with a recipient, and takes all other commands. */
const toRecipient = (answer: ScriptedAnswer) => (command: string) =>
  command.startsWith("RCPT") ? answer : undefined;

for (const pipelining of [false, true]) {
  const offered = pipelining ? "with PIPELINING" : "without PIPELINING";

  Deno.test(`createSmtpTransport() counts what was said to a recipient when the server closes then ${offered}`, async () => {
    const cases: [reply: string, kind: SendOutcome["kind"]][] = [
      ["521 Host does not accept mail", "refused_letter"],
      ["550 5.1.1 No such user", "refused_recipient"],
      ["450 4.2.0 Come back later", "try_later"],
      ["421 4.7.0 Too many errors", "try_later"],
    ];
    for (const [reply, kind] of cases) {
      const outcome = await sendTo({ pipelining, answer: toRecipient({ reply, close: true }) });
      assert.deepEqual(outcome, { kind, reason: reply });
    }
  });

  Deno.test(`createSmtpTransport() tries this letter later when the server says nothing to a recipient ${offered}`, async () => {
    const silent = await sendTo({ pipelining, answer: toRecipient({}) }, { deadlineMs: 100 });
    assert.equal(silent.kind, "try_later");
    const cut = await sendTo({ pipelining, answer: toRecipient({ close: true }) });
    assert.equal(cut.kind, "try_later");
  });

  Deno.test(`createSmtpTransport() pauses when the server refuses the sender ${offered}`, async () => {
    const answer = (command: string) => {
      if (command.startsWith("MAIL")) return { reply: "550 5.1.8 Sender unknown" };
      if (command.startsWith("RCPT")) return { reply: "503 5.5.1 Need MAIL before RCPT" };
    };
    assert.deepEqual(await sendTo({ pipelining, answer }), {
      kind: "paused",
      reason: "550 5.1.8 Sender unknown",
    });
  });
}

Deno.test("createSmtpTransport() marks the person when the code is about the mailbox or its host alone", async () => {
  for (const code of ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.4.4"]) {
    const reply = `550 ${code} Refused`;
    const outcome = await sendTo({ answer: toRecipient({ reply }) });
    assert.equal(outcome.kind, "refused_recipient", reply);
  }
  const others = ["550", "550 5.1.0", "550 5.1.7", "553 5.1.8", "552 5.2.2", "550 5.1.11"];
  for (const code of [...others, "550 5.7.1", "530 5.7.0", "503 5.5.1", "550 5.4.41"]) {
    const reply = `${code} Refused, not 5.1.1`;
    const outcome = await sendTo({ answer: toRecipient({ reply }) });
    assert.equal(outcome.kind, "refused_letter", reply);
  }
});

Deno.test("createSmtpTransport() says in a sentence that TLS is missing when the server offers no STARTTLS", async () => {
  const answer = (command: string) =>
    command === "STARTTLS" ? { reply: "502 5.5.1 Command not implemented" } : undefined;
  const outcome = await sendTo({ answer }, { tls: "starttls" });
  assert.deepEqual(outcome, {
    kind: "paused",
    reason:
      "The mail server offers no STARTTLS, and without TLS no letter leaves; use smtps:, or " +
      "?tls=none for a relay of your own network (502 5.5.1 Command not implemented)",
  });
});

Deno.test("createSmtpTransport() redacts the mailbox in the server's words, and not in its own", async () => {
  const answer = (command: string) =>
    command === "STARTTLS" ? { reply: "502 5.5.1 No TLS for mail" } : undefined;
  const outcome = await sendTo({ answer }, { tls: "starttls", to: "mail@example.com" });
  assert.deepEqual(outcome, {
    kind: "paused",
    reason:
      "The mail server offers no STARTTLS, and without TLS no letter leaves; use smtps:, or " +
      "?tls=none for a relay of your own network (502 5.5.1 No TLS for …)",
  });
  const silent = { answer: toRecipient({}) };
  assert.deepEqual(await sendTo(silent, { to: "mail@example.com", deadlineMs: 100 }), {
    kind: "try_later",
    reason: "The mail server did not answer in time",
  });
});

Deno.test("createSmtpTransport() names the return path as the envelope's sender, and MAIL_FROM without one", async () => {
  for (const returnPath of ["bounces@example.com", undefined]) {
    const senders: string[] = [];
    const answer = (command: string) => {
      if (command.startsWith("MAIL")) senders.push(command);
      return undefined;
    };
    await sendTo({ answer }, returnPath ? { returnPath } : {});
    assert.deepEqual(senders, [`MAIL FROM:<${returnPath ?? FROM.address}>`]);
  }
});
