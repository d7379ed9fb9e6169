/** The URLs by which a person reaches the self-service page or leaves the list. Each URL has a token. @module */
import type { Lang } from "./record.ts";
import { createSelfServiceTokenMaker, type SelfServiceOwner } from "./self_service_token.ts";

/** The path of the self-service page in each language. */
export const SELF_SERVICE_PATHS: Readonly<Record<Lang, string>> = {
  en: "/place/",
  de: "/de/platz/",
};

/** The path to which a mail program posts when a person leaves the list with one click (RFC 8058). */
export const LEAVE_PATH = "/place/leave";

/** The functions that make URLs with the token of a person. The parameter `id` is the id of the person's record. */
export interface SelfServiceUrls {
  /** Gives the link to the self-service page of a person. The operator surface has the link as `placeUrl`. */
  pageUrl: (lang: Lang, email: string, id: string) => string;
  /** Gives the URL with {@linkcode LEAVE_PATH} for a person. */
  leaveUrl: (email: string, id: string) => string;
}

/**
 * Makes the functions that make URLs with tokens.
 *
 * @param baseUrl the public origin, without a trailing slash
 * @param currentKey gives the key with which tokens are made at present
 */
export function createSelfServiceUrls(
  baseUrl: string,
  currentKey: () => Uint8Array,
): SelfServiceUrls {
  // The function that makes tokens is kept until the key changes, because an export makes a token for each person.
  let lastKey: Uint8Array | undefined;
  let makeToken: (owner: SelfServiceOwner) => string;
  const tokenOf = (owner: SelfServiceOwner) => {
    const key = currentKey();
    if (key !== lastKey) {
      lastKey = key;
      makeToken = createSelfServiceTokenMaker(key);
    }
    return makeToken(owner);
  };
  return {
    pageUrl: (lang, email, id) =>
      `${baseUrl}${SELF_SERVICE_PATHS[lang]}?t=${tokenOf({ email, id })}`,
    leaveUrl: (email, id) => `${baseUrl}${LEAVE_PATH}?t=${tokenOf({ email, id })}`,
  };
}
