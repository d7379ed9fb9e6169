/**
 * Formats what a restore of a backup leaves to the operator, and the complaints that it brings back.
 *
 * @module
 */
import { plural } from "../../print.ts";
import type { OwedLetters } from "./verifier.ts";

/** Says which letters a restored service does not send by itself, and how to send them. Empty if there are none. */
export function formatOwed({ openWaves, invitations, complaints }: OwedLetters): string {
  const waves = openWaves === 0
    ? ""
    : `${plural(openWaves, "wave is", "waves are")} not done; a restore pauses running waves.\n`;
  const missing = invitations === 0
    ? ""
    : `No mail server has taken ${plural(invitations, "invitation", "invitations")} yet; ` +
      `after a restore, 'waitlist waves resume' sends ${invitations === 1 ? "it" : "them"}.\n`;
  const complained = complaints === 0
    ? ""
    : `${plural(complaints, "mailbox", "mailboxes")} complained of a letter, and ` +
      `${complaints === 1 ? "gets" : "get"} no letters.\n`;
  return waves + missing + complained;
}
