/** A mail server of a few lines, for what no proper server does: it answers each command as the test says. @module */

/** What the server does with a command. */
export interface ScriptedAnswer {
  /** The reply, without its line end; none if absent. */
  reply?: string;
  /** Closes the connection, behind the reply. */
  close?: boolean;
}

/** The settings of a server. */
export interface ScriptedSmtpOptions {
  /** Offers PIPELINING (RFC 2920), so that clients send the recipient along with the sender. */
  pipelining?: boolean;
  /** Gives what to do with a command, such as `RCPT TO:<ada@example.com>`; a proper answer if it gives none. */
  answer?: (command: string) => ScriptedAnswer | undefined;
}

/** Starts a server on this machine, which notes the commands of all connections; disposing of it ends it. */
export function startScriptedSmtp(options: ScriptedSmtpOptions = {}) {
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
