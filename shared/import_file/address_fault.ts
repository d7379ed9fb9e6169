/** Says what is wrong with an address in an import file. The reader of the file and the service both use it. @module */
import { storedEmailSchema } from "../email_schema.ts";
import { findInvisible, nameInvisible } from "../invisible.ts";

/** Matches the first character that the part before the `@` cannot have. */
const FOREIGN_BEFORE_AT = /[^A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]/u;

/** Matches the first character that the domain, which is the part after the `@`, cannot have. */
const FOREIGN_IN_DOMAIN = /[^A-Za-z0-9.-]/u;

/**
 * Says what is wrong with an address, in a sentence that never has the address in it.
 *
 * @param value the value of the field `email`; `undefined` if the row has none
 * @returns `undefined` if the value is an address
 */
export function faultOfAddress(value: unknown): string | undefined {
  if (storedEmailSchema.safeParse(value).success) return undefined;
  const text = String(value ?? "");
  const invisible = findInvisible(text);
  if (invisible) return `The e-mail address holds ${nameInvisible(invisible)}; remove it.`;
  return faultOfCharacter(text) ?? "The e-mail address is missing or not valid.";
}

/** Names a character of an address that no address can have, and says what to do; `undefined` if there is none. */
function faultOfCharacter(text: string): string | undefined {
  // A letter and its dots can be two characters. In the form NFC they are one, which a reader recognizes.
  const [local = "", domain, ...others] = text.normalize("NFC").split("@");
  if (domain === undefined || others.length > 0) return undefined;
  const [beforeAt] = FOREIGN_BEFORE_AT.exec(local) ?? [];
  if (beforeAt !== undefined) {
    const advice = isForeignLetter(beforeAt)
      ? "only letters a-z without accents can be used there, so ask the person for another address"
      : "correct the address";
    return `The e-mail address has '${beforeAt}' before the @, which is not allowed; ${advice}.`;
  }
  const [inDomain] = FOREIGN_IN_DOMAIN.exec(domain) ?? [];
  if (inDomain === undefined) return undefined;
  const advice = isForeignLetter(inDomain)
    ? "write the domain in its ASCII form, which has xn-- in it"
    : "correct the address";
  return `The e-mail address has '${inDomain}' after the @, which is not allowed; ${advice}.`;
}

/**
 * Whether a character that an address cannot have is a letter, or an accent of a letter. Other characters, such as the
 * typographic apostrophe, are faults of writing.
 */
const isForeignLetter = (character: string): boolean => /[\p{L}\p{M}]/u.test(character);
