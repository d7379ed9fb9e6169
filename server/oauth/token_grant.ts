import type { MaybePromise } from "../maybe_promise.ts";
import { readClientAuthentication } from "./client_authentication.ts";
import { type Client, holdsSecret } from "./clients.ts";

/** A token request as it arrived (contract, "TokenRequest"). */
export interface TokenRequest {
  /** The value of the `Authorization` header. */
  authorization: string | null;
  /** The form's parameters, each with its first value. */
  parameters: ReadonlyMap<string, string>;
  /** A parameter that was given more than once, if any. */
  repeated?: string | undefined;
}

/** Who gets a token, and for what. */
export interface Grant {
  clientId: string;
  /** May be empty: such a token carries no scope. */
  scopes: string[];
}

/** Why no token is issued, in the terms of RFC 6749 §5.2. */
export interface TokenFault {
  code: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope";
  /** May quote what was sent, so it can hold characters that `error_description` must not. */
  description: string;
  /** Whether the client tried to authenticate by the `Authorization` header (RFC 6749 §5.2). */
  byHeader: boolean;
}

/** Whether a token is issued. */
export type GrantDecision = { grant: Grant } | { fault: TokenFault };

/** What a decision on a token request needs to know. */
export interface GrantContext {
  findClient: (clientId: string) => Client | undefined;
  /**
   * Looks for what has changed of clients before one is refused. At most one look a second is made.
   * Rejects where KV gives no answer; absent where there is nowhere to look.
   */
  lookAgain?: (() => Promise<void>) | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Decides on a token request of the client credentials grant (RFC 6749 §4.4), in the order repeated
 * parameters and double authentication → `grant_type` → client → scope. A parameter with an empty
 * value counts as absent (RFC 6749 §3.2).
 */
export function decideGrant(
  request: TokenRequest,
  context: GrantContext,
): MaybePromise<GrantDecision> {
  const byHeader = request.authorization !== null;
  const refuse = (code: TokenFault["code"], description: string) => ({
    fault: { code, description, byHeader },
  });
  const parameter = (name: string) => request.parameters.get(name) || undefined;

  if (request.repeated !== undefined) {
    return refuse("invalid_request", `Parameter ${request.repeated} is given more than once.`);
  }
  const authentication = readClientAuthentication(request.authorization, {
    clientId: parameter("client_id"),
    clientSecret: parameter("client_secret"),
  });
  if ("fault" in authentication && authentication.fault === "double") {
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

  if ("fault" in authentication) {
    return refuse(
      "invalid_client",
      "Client authentication is missing or unreadable; " +
        "send client_id and client_secret by HTTP Basic or in the form body.",
    );
  }
  const { clientId, clientSecret } = authentication.credentials;
  const holder = () => {
    const client = context.findClient(clientId);
    return holdsSecret(client, clientSecret, context.now) ? client : undefined;
  };
  const grantTo = (client: Client | undefined): GrantDecision => {
    if (!client) {
      return refuse("invalid_client", "Client authentication failed; check id and secret.");
    }

    const requested = parameter("scope")?.split(" ").filter(Boolean);
    if (requested?.length === 0) {
      return refuse(
        "invalid_scope",
        "Parameter scope holds only spaces; name a scope or leave it out.",
      );
    }
    const scopes = requested ?? client.scopes;
    const foreign = scopes.find((scope) => !client.scopes.includes(scope));
    if (foreign !== undefined) {
      return refuse("invalid_scope", `Scope ${foreign} is unknown or not granted to this client.`);
    }
    return { grant: { clientId, scopes: [...new Set(scopes)] } };
  };
  const client = holder();
  // A secret that is refused may be new, and an id without a client too: both take the same way.
  if (client || !context.lookAgain) return grantTo(client);
  return context.lookAgain().then(() => grantTo(holder()));
}
