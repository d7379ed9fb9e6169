import { startSmtpServer } from "../../../support/smtp_server.ts";
import { ServerProcess } from "../server_process.ts";
import { addPeople } from "./add_people.ts";

/** How many letters wait. */
const LETTERS = 5_000;

/** The lowest rate that is good enough, in letters a second. */
export const MIN_LETTERS_PER_SECOND = 200;

/** More letters a minute than one process sends. */
const UNLIMITED = "1000000";

/**
 * Measures how many letters one process sends in a second, from a file to a mail server on this machine, from the
 * first letter to the last.
 */
export async function measureLetters(folder: string): Promise<number> {
  const path = `${folder}/letters.sqlite3`;
  await addPeople(path, { people: LETTERS });
  await using mailServer = await startSmtpServer();
  await using _service = await ServerProcess.startService(path, {
    MAIL_URL: mailServer.url,
    MAIL_FROM: "Waitlist <hello@example.com>",
    MAIL_PER_MINUTE: UNLIMITED,
  });
  await mailServer.taken(1);
  const start = performance.now();
  await mailServer.taken(LETTERS);
  return (LETTERS - 1) / ((performance.now() - start) / 1000);
}
