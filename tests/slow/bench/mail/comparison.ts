import { startSmtpServer } from "../../../support/smtp_server.ts";
import type { Comparison } from "../comparisons.ts";
import { ServerProcess } from "../server_process.ts";
import type { LoadRequest } from "../wrk.ts";

/** Sign-ups of new people with mail, whose letters go to a mail server, beside sign-ups without mail. */
export async function* mailComparison(
  folder: string,
  join: LoadRequest,
): AsyncGenerator<Comparison> {
  await using mailServer = await startSmtpServer();
  const mail = { MAIL_URL: mailServer.url, MAIL_FROM: "Waitlist <hello@example.com>" };
  yield {
    work: "POST waitlist, mail",
    service: {
      name: "waitlist, mail on",
      start: () => ServerProcess.startService(`${folder}/mail_on.sqlite3`, mail),
      request: join,
    },
    peers: [{
      name: "waitlist, mail off",
      start: () => ServerProcess.startService(`${folder}/mail_off.sqlite3`),
      request: join,
      floor: 0.7,
    }],
  };
}
