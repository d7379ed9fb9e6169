import type { TokenResponse } from "../../shared/schemas.ts";
import { type BodyFault, MAX_BODY_BYTES, readText } from "../http/body.ts";
import { parseForm } from "../http/form.ts";
import { FORM, mediaType } from "../http/media_type.ts";
import { ACCESS_TOKEN_LIFETIME } from "../oauth/access_tokens.ts";
import { decideGrant } from "../oauth/token_grant.ts";
import type { Failure } from "./failure.ts";
import type { CreateOperation } from "./operation.ts";

/** `createAccessToken`: the OAuth 2.0 token endpoint (RFC 6749 §3.2, §4.4, §5). */
export const createAccessToken: CreateOperation = (environment) => ({
  allow: "POST",
  limit: "other",
  async answer(request) {
    const { findClient, lookAgain, noteClientUse, tokens, now } = environment;
    const { headers } = request;
    if (mediaType(headers.get("content-type")) !== FORM) {
      return malformed(`Send Content-Type ${FORM}.`);
    }
    const body = await readText(request, MAX_BODY_BYTES);
    if ("fault" in body) return unreadable(body.fault);
    const form = parseForm(body.text);
    const decision = await decideGrant(
      {
        authorization: headers.get("authorization"),
        parameters: form.values,
        repeated: form.repeated,
      },
      { findClient, lookAgain, now: now() },
    );
    if ("fault" in decision) return { failure: "token", fault: decision.fault };
    const { clientId, scopes } = decision.grant;
    noteClientUse(clientId);
    const rest: Omit<TokenResponse, "access_token"> = {
      token_type: "Bearer",
      expires_in: ACCESS_TOKEN_LIFETIME,
      ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    };
    const token = tokens.issue(decision.grant);
    // A token has nothing to escape, and to look through it for that would cost as much as its hash.
    const json = `{"access_token":"${token}",` + JSON.stringify(rest).slice(1);
    // `Cache-Control: no-store`, which RFC 6749 §5.1 asks for too, is on every answer.
    return { json, headers: { Pragma: "no-cache" } };
  },
});

function unreadable(fault: BodyFault): Failure {
  if (fault === "too_large") return { failure: "payload_too_large" };
  return malformed(
    fault === "not_utf8"
      ? "The body is not UTF-8 text."
      : "The body did not arrive whole; send it again.",
  );
}

function malformed(description: string): Failure {
  return { failure: "token", fault: { code: "invalid_request", description, byHeader: false } };
}
