import assert from "node:assert/strict";
import { join } from "node:path";
import { addresses, assertOneLetterEach, joinAll, mailVariables } from "../../../support/mail.ts";
import { makeAllDue } from "../../../support/mail.ts";
import { freePort } from "../../../support/free_port.ts";
import { makeTestFolder, startService } from "../../../support/process.ts";
import type { SmtpBehaviour, SmtpServerOptions, SmtpStage } from "../../../support/smtp_server.ts";
import { startSmtpServer } from "../../../support/smtp_server.ts";
import { openFileKv } from "../../../support/memory_kv.ts";

/** A mail server that takes no letter, and how far letters get with it. */
interface Fault {
  name: string;
  behaviour?: SmtpBehaviour;
  server?: SmtpServerOptions;
  /** The `MAIL_URL` of the service, by the port. */
  url?: (port: number) => string;
  /** The last stage that a session comes to; none where the session fails before. */
  reaches?: SmtpStage;
}

/** A server that refuses what comes at a stage. */
const refusal = (name: string, at: SmtpStage, code: number): Fault => (
  { name, behaviour: { refuse: { at, code } }, reaches: at }
);

const FAULTS: Fault[] = [
  { name: "is away", url: () => `smtp://127.0.0.1:${freePort()}` },
  refusal("refuses connections", "connection", 554),
  {
    name: "is silent from the start",
    behaviour: { silentAt: "connection" },
    reaches: "connection",
  },
  {
    name: "cuts the connection at STARTTLS",
    server: { tls: "starttls" },
    behaviour: { cutAt: "starttls" },
    // Not a loopback address, so that the service asks for TLS; the system takes it for one.
    url: (port) => `smtp://0.0.0.0:${port}`,
    reaches: "connection",
  },
  {
    name: "has a certificate that nobody trusts",
    server: { tls: "from_start" },
    url: (port) => `smtps://127.0.0.1:${port}`,
  },
  {
    name: "refuses the password",
    server: { login: { user: "waitlist", password: "right" } },
    url: (port) => `smtp://waitlist:wrong@127.0.0.1:${port}`,
    reaches: "login",
  },
  refusal("refuses the sender", "sender", 550),
  refusal("answers 4xx to recipients", "recipient", 450),
  refusal("answers 4xx to letters", "letter", 451),
  { name: "cuts the connection after the data", behaviour: { cutAt: "letter" }, reaches: "letter" },
  { name: "is silent after the data", behaviour: { silentAt: "letter" }, reaches: "letter" },
];

const EMAILS = addresses(40);
const LATE = "late@example.com";

for (const { name, behaviour = {}, server: settings, url, reaches } of FAULTS) {
  Deno.test(`main() accepts sign-ups, stops in time and loses no letter when the mail server ${name}`, async () => {
    await using folder = await makeTestFolder();
    const KV_PATH = join(folder.path, "kv.sqlite3");
    await using bad = await startSmtpServer(settings);
    await bad.behave(behaviour);
    {
      const MAIL_URL = url?.(bad.port) ?? bad.url;
      await using service = await startService({ ...mailVariables(bad), KV_PATH, MAIL_URL });
      await joinAll(service, EMAILS);
      if (reaches) await bad.until(({ reached }) => reached[reaches] > 0);
      else await service.logged(/letters are paused/);
      await joinAll(service, [LATE]);
      const { code, stderr } = await service.end("SIGTERM");
      assert.equal(code, 0);
      assert.match(stderr, /"event":"stopped"\}\n$/);
      assert.doesNotMatch(stderr, /@example/);
    }
    assert.deepEqual(bad.letters, []);
    {
      using kv = await openFileKv(KV_PATH);
      await makeAllDue(kv);
    }
    await using good = await startSmtpServer();
    await using _service = await startService({ ...mailVariables(good), KV_PATH });
    await good.taken(EMAILS.length + 1);
    assertOneLetterEach(good, [...EMAILS, LATE]);
  });
}
