/**
 * Decides on token requests: the client credentials grant (RFC 6749 §4.4) and the authentication of clients (§2.3.1).
 * The tokens themselves are made in `access_tokens.ts`. @module
 */
import type { MaybePromise } from "../runtime/mod.ts";
import { type Client, isSecretOf } from "./clients.ts";

/** A token request (contract, "TokenRequest"). */
export interface TokenRequest {
  /** The header `Authorization`. */
  authorization: string | null;
  /** The parameters of the form. A parameter that was sent more than once has its first value. */
  parameters: ReadonlyMap<string, string>;
  /** The names of parameters that were sent more than once. */
  repeated: readonly string[];
}

/** The client and the scopes of a new token. */
export type Grant = Pick<Client, "clientId" | "scopes">;

/** The reason why no token is issued, with a code of RFC 6749 §5.2. */
export interface TokenFault {
  code: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";
  /** A sentence about the fault. Pass it through {@linkcode toQuotable}, because it may quote the request. */
  description: string;
  /** Whether the client tried to authenticate by the `Authorization` header. */
  byHeader: boolean;
}

export interface GrantContext {
  findClient: (clientId: string) => Client | undefined;
  /** Reads the clients from KV again, at most once a second. Rejects if KV does not answer. Absent in the sandbox. */
  reload?: (() => Promise<void>) | undefined;
  /** The present moment, in milliseconds since 1970. */
  now: number;
}

/** The decision on a token request. */
export type GrantDecision = { grant: Grant } | { fault: TokenFault };

/** Decides on a request for client credentials (RFC 6749 §4.4). An empty parameter counts as absent (§3.2). */
export function decideGrant(
  request: TokenRequest,
  context: GrantContext,
): MaybePromise<GrantDecision> {
  const byHeader = request.authorization !== null;
  const refuse = (code: TokenFault["code"], description: string) => ({
    fault: { code, description, byHeader },
  });
  const parameter = (name: string) => request.parameters.get(name) || undefined;

  // RFC 8707 §2 allows several parameters `resource`. The service ignores them, because it has only one resource.
  const repeated = request.repeated.find((name) => name !== "resource");
  if (repeated !== undefined) {
    return refuse("invalid_request", `Parameter ${repeated} is given more than once.`);
  }
  const authentication = readClientAuthentication(request.authorization, {
    clientId: parameter("client_id"),
    clientSecret: parameter("client_secret"),
  });
  if (authentication === "double") {
    return refuse(
      "invalid_request",
      "The client authenticates in two ways; use HTTP Basic or the form body, not both.",
    );
  }

  const grantType = parameter("grant_type");
  if (grantType === undefined) {
    return refuse("invalid_request", "Parameter grant_type is missing; send client_credentials.");
  }
  if (grantType !== "client_credentials") {
    return refuse(
      "unsupported_grant_type",
      `Grant type ${grantType} is not supported; send client_credentials.`,
    );
  }

  if (authentication === "unreadable") {
    return refuse(
      "invalid_client",
      "Client authentication is missing or unreadable; " +
        "send client_id and client_secret by HTTP Basic or in the form body.",
    );
  }
  const { clientId, clientSecret } = authentication;
  const findHolder = () => {
    const client = context.findClient(clientId);
    return isSecretOf(clientSecret, client, context.now) ? client : undefined;
  };
  const grantTo = (client: Client | undefined): GrantDecision => {
    if (!client) {
      return refuse("invalid_client", "Client authentication failed; check id and secret.");
    }

    const requested = parameter("scope")?.split(" ");
    if (requested?.includes("")) {
      return refuse(
        "invalid_scope",
        "Parameter scope has a space too many; put one space between two scopes, and none around them.",
      );
    }
    const scopes = requested ?? client.scopes;
    const foreign = scopes.find((scope) => !client.scopes.includes(scope));
    if (foreign !== undefined) {
      return refuse("invalid_scope", `Scope ${foreign} is unknown or not granted to this client.`);
    }
    return { grant: { clientId, scopes: [...new Set(scopes)] } };
  };
  const client = findHolder();
  // The clients are read again before a refusal, because the client or its secret may be new. An unknown client and a
  // wrong secret both cause this read, so that the time of the answer does not tell them apart.
  if (client || !context.reload) return grantTo(client);
  return context.reload().then(() => grantTo(findHolder()));
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** The credentials of a request; `unreadable` if they are malformed or absent, `double` if they are given twice. */
export type ClientAuthentication = ClientCredentials | "unreadable" | "double";

/**
 * Reads the credentials of a client from the header or the form (RFC 6749 §2.3.1).
 *
 * @returns `double` if both have a secret, or if the ids in the header and in the form differ
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

/** Makes the value of a `WWW-Authenticate` header, `scheme name="value", …` (RFC 9110 §11.6.1). */
export function challenge(scheme: "Basic" | "Bearer", parameters: Record<string, string>): string {
  const pairs = Object.entries(parameters)
    .map(([name, value]) => `${name}="${toQuotable(value)}"`);
  return `${scheme} ${pairs.join(", ")}`;
}

/**
 * Replaces the characters that `error_description` must not have. It allows ASCII without `"` and `\` (RFC 6749 §5.2,
 * RFC 6750 §3).
 */
export function toQuotable(text: string): string {
  return text.replaceAll('"', "'").replaceAll("\\", "/").replace(/[^\x20-\x7e]/g, "?");
}
