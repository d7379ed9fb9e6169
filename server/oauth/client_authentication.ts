const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** What a client presents at the token endpoint. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** The credentials; or none that can be read; or an authentication in two ways at once. */
export type ClientAuthentication =
  | { credentials: ClientCredentials }
  | { fault: "unreadable" | "double" };

/**
 * Reads client credentials from HTTP Basic (`client_secret_basic`) or from the form body
 * (`client_secret_post`), RFC 6749 §2.3.1. Both at once, or a body `client_id` that is not Basic's,
 * is `double`; anything missing or malformed is `unreadable`.
 */
export function readClientAuthentication(
  authorization: string | null,
  body: { clientId: string | undefined; clientSecret: string | undefined },
): ClientAuthentication {
  if (authorization === null) {
    if (body.clientId === undefined || body.clientSecret === undefined) {
      return { fault: "unreadable" };
    }
    return { credentials: { clientId: body.clientId, clientSecret: body.clientSecret } };
  }
  const basic = /^basic(?: +(.*))?$/i.exec(authorization);
  if (basic && body.clientSecret !== undefined) return { fault: "double" };
  const credentials = basic ? decodeBasic(basic[1] ?? "") : undefined;
  if (!credentials) return { fault: "unreadable" };
  if (body.clientId !== undefined && body.clientId !== credentials.clientId) {
    return { fault: "double" };
  }
  return { credentials };
}

/** RFC 7617 §2, with the form encoding of id and secret that RFC 6749 §2.3.1 adds. */
function decodeBasic(base64: string): ClientCredentials | undefined {
  try {
    // `atob` passes over white space, so that is looked for first.
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
