/** Invitation codes, and the links of invitations. @module */
import { Buffer } from "node:buffer";
import { LOOPBACK } from "../../shared/loopback.ts";
import type { RandomBytes } from "../runtime/mod.ts";

/** The number of random bytes of an invitation code. */
const CODE_BYTES = 16;

/** The placeholder in the link of a wave, which the invitation code of a person replaces. */
const CODE_PLACEHOLDER = "{code}";

/**
 * Makes an invitation code of 128 random bits. It is hexadecimal, because a code in base64url could begin with `-`,
 * which a spreadsheet reads as a formula.
 */
export const newInvitationCode = (random: RandomBytes): string =>
  Buffer.from(random(CODE_BYTES)).toString("hex");

/** Gives the link in the invitation of one person. */
export const invitationUrlOf = (link: string, code: string): string =>
  link.replaceAll(CODE_PLACEHOLDER, () => code);

/** Whether a link may be in letters: an absolute `https:` URL, or an `http:` URL of a loopback host. */
export function isSafeLink(link: string): boolean {
  // The characters are checked first, because a URL parser would ignore spaces and line feeds.
  const url = /^[\x21-\x7e]+$/.test(link) ? URL.parse(invitationUrlOf(link, "code")) : null;
  if (!url) return false;
  return url.protocol === "https:" || url.protocol === "http:" && LOOPBACK.test(url.hostname);
}
