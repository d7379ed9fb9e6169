import { DEFAULT_LANG, type SignUp, type SignUpRecord } from "./record.ts";

/**
 * Merges a sign-up into what is kept of its address: an answer that it gives replaces, one that it
 * leaves out stays, and the first sign-up's time and the latest consent's are kept (decisions,
 * "Sign-up").
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
  // Of sign-ups that race each other through two processes, the older one may be the last to be stored.
  const consentedAt = existing && existing.consentedAt > now ? existing.consentedAt : now;
  return {
    lang: DEFAULT_LANG,
    createdAt: now,
    ...existing,
    ...answers,
    consentedAt,
    updatedAt: now,
  };
}
