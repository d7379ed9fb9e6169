/** Describes what an operator has to know after a restore. @module */
import { plural } from "../../format.ts";
import type { AfterRestore } from "./verifier.ts";

/**
 * Returns sentences about the waves that the service does not continue by itself, the invitations that it does not send
 * by itself, and the mailboxes that get no letters. The text is empty if there are no such waves, invitations or
 * mailboxes.
 */
export function describeAfterRestore(
  { openWaves, invitations, complaints }: AfterRestore,
): string {
  const wavesSentence = openWaves === 0
    ? ""
    : `${plural(openWaves, "wave is", "waves are")} not done; a restore pauses running waves.\n`;
  const invitationsSentence = invitations === 0
    ? ""
    : `No mail server has taken ${plural(invitations, "invitation", "invitations")} yet; ` +
      `after a restore, 'waitlist waves resume' sends ${invitations === 1 ? "it" : "them"}.\n`;
  const mailboxesSentence = complaints === 0
    ? ""
    : `${plural(complaints, "mailbox", "mailboxes")} complained about an e-mail, and ` +
      `${complaints === 1 ? "gets" : "get"} no e-mails.\n`;
  return wavesSentence + invitationsSentence + mailboxesSentence;
}
