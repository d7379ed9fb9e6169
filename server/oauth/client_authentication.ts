/**
 * Reads the credentials of a client from a token request (RFC 6749 §2.3.1). `clients.ts` checks the credentials.
 * @module
 */

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** The id and the secret with which a client authenticates. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/**
 * The credentials of a request. They are `unusable` if they are malformed or absent, and `conflicting` if the request
 * has two secrets or two different ids.
 */
export type ClientAuthentication = ClientCredentials | "unusable" | "conflicting";

/**
 * Reads the credentials of a client from the header or the form (RFC 6749 §2.3.1).
 *
 * @param authorization the header `Authorization`
 * @param formCredentials the values of the parameters `client_id` and `client_secret` of the form
 */
export function readClientAuthentication(
  authorization: string | null,
  formCredentials: { [Name in keyof ClientCredentials]: string | undefined },
): ClientAuthentication {
  const { clientId, clientSecret } = formCredentials;
  if (authorization === null) {
    const isComplete = clientId !== undefined && clientSecret !== undefined;
    return isComplete ? { clientId, clientSecret } : "unusable";
  }
  const basic = /^basic(?: +(.*))?$/i.exec(authorization);
  if (!basic) return "unusable";
  if (clientSecret !== undefined) return "conflicting";
  const basicCredentials = decodeBasic(basic[1] ?? "");
  if (!basicCredentials) return "unusable";
  const hasOtherId = clientId !== undefined && clientId !== basicCredentials.clientId;
  return hasOtherId ? "conflicting" : basicCredentials;
}

/** Decodes HTTP Basic (RFC 7617 §2) with the form encoding of id and secret (RFC 6749 §2.3.1). */
function decodeBasic(base64: string): ClientCredentials | undefined {
  try {
    // White space is refused here, because `atob` would accept it.
    if (/\s/.test(base64)) return undefined;
    const bytes = atob(base64);
    const pair = /^[ -~]*$/.test(bytes)
      ? bytes
      : UTF_8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    const colon = pair.indexOf(":");
    if (colon < 0) return undefined;
    return {
      clientId: decodeFormComponent(pair.slice(0, colon)),
      clientSecret: decodeFormComponent(pair.slice(colon + 1)),
    };
  } catch {
    return undefined;
  }
}

function decodeFormComponent(text: string): string {
  if (!/[+%]/.test(text)) return text;
  return decodeURIComponent(text.replaceAll("+", " "));
}
