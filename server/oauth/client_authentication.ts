/** Reads the credentials of a client from a token request (RFC 6749 §2.3.1). `clients.ts` checks them. @module */

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/**
 * The credentials of a request. They are `unreadable` if they are malformed or absent, and `double` if the request has
 * them twice; see {@linkcode readClientAuthentication}.
 */
export type ClientAuthentication = ClientCredentials | "unreadable" | "double";

/**
 * Reads the credentials of a client from the header or the form (RFC 6749 §2.3.1).
 *
 * @returns `double` if both the header and the form have a secret, or if the form has another id than the header
 */
export function readClientAuthentication(
  authorization: string | null,
  { clientId, clientSecret }: { [Name in keyof ClientCredentials]: string | undefined },
): ClientAuthentication {
  if (authorization === null) {
    const isWhole = clientId !== undefined && clientSecret !== undefined;
    return isWhole ? { clientId, clientSecret } : "unreadable";
  }
  const basic = /^basic(?: +(.*))?$/i.exec(authorization);
  if (basic && clientSecret !== undefined) return "double";
  const credentials = basic ? decodeBasic(basic[1] ?? "") : undefined;
  if (!credentials) return "unreadable";
  return clientId !== undefined && clientId !== credentials.clientId ? "double" : credentials;
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
