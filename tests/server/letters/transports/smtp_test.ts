import assert from "node:assert/strict";
import type { SendOutcome } from "../../../../server/letters/letter.ts";
import { createSmtpTransport } from "../../../../server/letters/transports/smtp.ts";
import { FROM, LETTER } from "../../../support/letters.ts";

/** A mail server of a few lines, for what no proper server does: it answers each command as the test says. @module */

/** What the server does with a command. */
interface ScriptedAnswer {
  /** The reply, without its line end; none if absent. */
  reply?: string;
  /** Closes the connection, behind the reply. */
  close?: boolean;
}

/** The settings of a server. */
interface ScriptedSmtpOptions {
  /** Offers PIPELINING (RFC 2920), so that clients send the recipient along with the sender. */
  pipelining?: boolean;
  /** Gives what to do with a command, such as `RCPT TO:<ada@example.com>`; a proper answer if it gives none. */
  answer?: (command: string) => ScriptedAnswer | undefined;
}

/** Starts a server on this machine, which notes the commands of all connections; disposing of it ends it. */
function startScriptedSmtp(options: ScriptedSmtpOptions = {}) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const commands: string[] = [];
  const open = new Set<Deno.Conn>();
  const serving = (async () => {
    const sessions: Promise<void>[] = [];
    for await (const connection of listener) {
      open.add(connection);
      sessions.push(
        serve(connection, commands, options).catch(() => {}).finally(() => {
          open.delete(connection);
          close(connection);
        }),
      );
    }
    await Promise.all(sessions);
  })();
  return {
    port: listener.addr.port,
    commands,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) close(connection);
      await serving;
    },
  };
}

async function serve(
  connection: Deno.Conn,
  commands: string[],
  { pipelining = false, answer }: ScriptedSmtpOptions,
): Promise<void> {
  const write = (text: string) => connection.write(new TextEncoder().encode(text));
  const buffer = new Uint8Array(65_536);
  let rest = "";
  let isData = false;
  await write("220 mail.test ESMTP\r\n");
  for (;;) {
    const length = await connection.read(buffer);
    if (length === null) return;
    const lines = (rest + new TextDecoder().decode(buffer.subarray(0, length))).split("\r\n");
    rest = lines.pop()!;
    // The replies to commands that came together leave together, as servers do it (RFC 2920 §3.2).
    let replies = "";
    for (const line of lines) {
      if (isData && line !== ".") continue;
      isData = false;
      commands.push(line);
      const { reply, close } = answer?.(line) ?? properAnswer(line, pipelining);
      if (reply !== undefined) replies += `${reply}\r\n`;
      if (reply?.startsWith("354")) isData = true;
      if (close) {
        if (replies) await write(replies);
        return;
      }
    }
    if (replies) await write(replies);
  }
}

function properAnswer(command: string, pipelining: boolean): ScriptedAnswer {
  if (command.startsWith("EHLO")) {
    return { reply: `250-mail.test\r\n${pipelining ? "250-PIPELINING\r\n" : ""}250 8BITMIME` };
  }
  if (command === "DATA") return { reply: "354 Go on" };
  if (command === "QUIT") return { reply: "221 Bye", close: true };
  return { reply: "250 OK" };
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // It was closed before.
  }
}

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

Deno.test("check() connects to the mail server but sends no letter, and rejects with the server's reply when the server refuses", async (t) => {
  for (const reply of [undefined, "530 5.7.0 Not from you"]) {
    await t.step(
      reply ? `the server replies: ${reply}` : "the server accepts the login",
      async () => {
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
      },
    );
  }
});

/** A server that does something with a recipient, and takes all other commands. */
const toRecipient = (answer: ScriptedAnswer) => (command: string) =>
  command.startsWith("RCPT") ? answer : undefined;

for (const pipelining of [false, true]) {
  const offered = pipelining ? "with PIPELINING" : "without PIPELINING";

  Deno.test(`createSmtpTransport() uses the server's reply to RCPT TO when the server closes the connection after the reply (${offered})`, async (t) => {
    const cases: [reply: string, kind: SendOutcome["kind"]][] = [
      ["521 Host does not accept mail", "refused_letter"],
      ["550 5.1.1 No such user", "refused_recipient"],
      ["450 4.2.0 Come back later", "try_later"],
      ["421 4.7.0 Too many errors", "try_later"],
    ];
    for (const [reply, kind] of cases) {
      await t.step(`the reply is: ${reply}`, async () => {
        const outcome = await sendTo({ pipelining, answer: toRecipient({ reply, close: true }) });
        assert.deepEqual(outcome, { kind, reason: reply });
      });
    }
  });

  Deno.test(`createSmtpTransport() returns try_later when the server does not reply to RCPT TO (${offered})`, async () => {
    const silent = await sendTo({ pipelining, answer: toRecipient({}) }, { deadlineMs: 100 });
    assert.equal(silent.kind, "try_later");
    const cut = await sendTo({ pipelining, answer: toRecipient({ close: true }) });
    assert.equal(cut.kind, "try_later");
  });

  Deno.test(`createSmtpTransport() pauses when the server refuses the sender (${offered})`, async () => {
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

Deno.test("createSmtpTransport() returns refused_recipient only when the status code is about the mailbox or its host", async (t) => {
  for (const code of ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.4.4"]) {
    await t.step(`${code} is about the recipient`, async () => {
      const reply = `550 ${code} Refused`;
      const outcome = await sendTo({ answer: toRecipient({ reply }) });
      assert.equal(outcome.kind, "refused_recipient", reply);
    });
  }
  const others = ["550", "550 5.1.0", "550 5.1.7", "553 5.1.8", "552 5.2.2", "550 5.1.11"];
  for (const code of [...others, "550 5.7.1", "530 5.7.0", "503 5.5.1", "550 5.4.41"]) {
    await t.step(`${code} is not about the recipient`, async () => {
      const reply = `${code} Refused, not 5.1.1`;
      const outcome = await sendTo({ answer: toRecipient({ reply }) });
      assert.equal(outcome.kind, "refused_letter", reply);
    });
  }
});

Deno.test("createSmtpTransport() pauses, and names the missing TLS as the reason, when the server offers no STARTTLS", async () => {
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

Deno.test("createSmtpTransport() removes the recipient's mailbox from the server's reply, and not from the service's own message", async () => {
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

Deno.test("createSmtpTransport() uses MAIL_RETURN_PATH, or else the address of MAIL_FROM, as the envelope's sender", async (t) => {
  for (const returnPath of ["bounces@example.com", undefined]) {
    await t.step(`MAIL_RETURN_PATH is ${returnPath}`, async () => {
      const senders: string[] = [];
      const answer = (command: string) => {
        if (command.startsWith("MAIL")) senders.push(command);
        return undefined;
      };
      await sendTo({ answer }, returnPath ? { returnPath } : {});
      assert.deepEqual(senders, [`MAIL FROM:<${returnPath ?? FROM.address}>`]);
    });
  }
});
