/** Describes what an operator has to know after a restore. @module */
import { plural } from "../../format.ts";
import type { AfterRestore } from "./verifier.ts";

/**
 * Returns sentences about the waves that the service does not continue by itself, the invitations that it does not send
 * by itself, and the mailboxes that get no letters. The text is empty if there are no such waves, invitations or
 * mailboxes.
 */
export function describeAfterRestore(
  { openWaves: waveCount, invitations: unsentCount, complaints: mailboxCount }: AfterRestore,
): string {
  const wavesSentence = waveCount === 0
    ? ""
    : `${plural(waveCount, "wave is", "waves are")} not done; a restore pauses running waves.\n`;
  const invitationsSentence = unsentCount === 0
    ? ""
    : `No mail server has taken ${plural(unsentCount, "invitation", "invitations")} yet; ` +
      `after a restore, 'waitlist waves resume' sends ${unsentCount === 1 ? "it" : "them"}.\n`;
  const mailboxesSentence = mailboxCount === 0
    ? ""
    : `${plural(mailboxCount, "mailbox", "mailboxes")} complained about a letter, and ` +
      `${mailboxCount === 1 ? "gets" : "get"} no letters.\n`;
  return wavesSentence + invitationsSentence + mailboxesSentence;
}
