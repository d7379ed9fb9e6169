import { DEFAULT_LANG, type SignUp, type SignUpRecord } from "./record.ts";

/**
 * Merges a sign-up into what is kept of its address: an answer that it gives replaces, one that it
 * leaves out stays, and the first sign-up's time is kept (decisions, "Sign-up").
 *
 * @param existing what is kept, `undefined` for a new address
 * @param now the moment of consent, a date-time
 */
export function mergeSignUp(
  existing: SignUpRecord | undefined,
  signUp: SignUp,
  now: string,
): SignUpRecord {
  const { email: _, ...answers } = signUp;
  return {
    lang: DEFAULT_LANG,
    createdAt: now,
    ...existing,
    ...answers,
    consentedAt: now,
    updatedAt: now,
  };
}
