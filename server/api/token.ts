import type { TokenResponse } from "../../shared/schemas.ts";
import { type BodyFault, MAX_BODY_BYTES, readText } from "../http/body.ts";
import { parseForm } from "../http/form.ts";
import { FORM, mediaType } from "../http/media_type.ts";
import { ACCESS_TOKEN_LIFETIME } from "../oauth/access_tokens.ts";
import { decideGrant } from "../oauth/token_grant.ts";
import type { Failure } from "./failure.ts";
import type { CreateOperation } from "./operation.ts";

/** `createAccessToken`: the OAuth 2.0 token endpoint (RFC 6749 §3.2, §4.4, §5). */
export const createAccessToken: CreateOperation = ({ findClient, noteClientUse, tokens, now }) => ({
  allow: "POST",
  limit: "other",
  async answer(request) {
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
      { findClient, now: now() },
    );
    if ("fault" in decision) return { failure: "token", fault: decision.fault };
    const { clientId, scopes } = decision.grant;
    noteClientUse(clientId);
    const response: TokenResponse = {
      access_token: tokens.issue(decision.grant),
      token_type: "Bearer",
      expires_in: ACCESS_TOKEN_LIFETIME,
      ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    };
    // `Cache-Control: no-store`, which RFC 6749 §5.1 asks for too, is on every answer.
    return { json: JSON.stringify(response), headers: { Pragma: "no-cache" } };
  },
});

function unreadable(fault: BodyFault): Failure {
  return fault === "too_large"
    ? { failure: "payload_too_large" }
    : malformed("The body is not UTF-8 text, or ended early.");
}

function malformed(description: string): Failure {
  return { failure: "token", fault: { code: "invalid_request", description, byHeader: false } };
}
