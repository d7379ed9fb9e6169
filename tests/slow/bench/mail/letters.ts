import { startSmtpServer } from "../../../support/smtp_server.ts";
import { seed } from "../seed.ts";
import { startService } from "../server_process.ts";

/** Mail whose letters stay in the outbox: no mail server listens there. */
export const MAIL = { MAIL_URL: "smtp://127.0.0.1:9", MAIL_FROM: "Waitlist <hello@example.com>" };

/** How many letters wait. */
const LETTERS = 5_000;

/** The lowest rate that is good enough, in letters a second. */
export const MIN_LETTERS_PER_SECOND = 200;

/** More letters a minute than one process sends. */
const UNLIMITED = "1000000";

/**
 * Measures how many letters one process sends in a second, from a file to a mail server on this machine, from the first
 * letter to the last.
 */
export async function measureLetters(folder: string): Promise<number> {
  const path = `${folder}/letters.sqlite3`;
  await seed(path, LETTERS, "wait");
  await using mailServer = await startSmtpServer();
  const mail = { ...MAIL, MAIL_URL: mailServer.url, MAIL_PER_MINUTE: UNLIMITED };
  await using _service = await startService(path, mail);
  await mailServer.taken(1);
  const start = performance.now();
  await mailServer.taken(LETTERS);
  return (LETTERS - 1) / ((performance.now() - start) / 1000);
}
