import type { Accepted } from "../../shared/schemas.ts";
import { type BodyFault, MAX_BODY_BYTES, readText } from "../http/body.ts";
import { parseForm } from "../http/form.ts";
import { FORM, JSON_TYPE, mediaType } from "../http/media_type.ts";
import type { Lang } from "../waitlist/record.ts";
import { type SignUpVerdict, validateSignUp, validateSignUpForm } from "../waitlist/sign_up.ts";
import type { Failure } from "./failure.ts";
import type { JsonAnswer } from "./json_answer.ts";
import type { CreateOperation, Outcome } from "./operation.ts";

/** When the unversioned alias became deprecated: 2026-01-01, in Unix seconds (RFC 9745 §2.1). */
const DEPRECATED_SINCE = 1_767_225_600;

/** `joinWaitlist`: takes a sign-up, as JSON or as a form. */
export const joinWaitlist: CreateOperation = ({ join }) => ({
  allow: "POST",
  limit: "other",
  async answer(request) {
    const type = mediaType(request.headers.get("content-type"));
    if (type !== JSON_TYPE && type !== FORM) return { failure: "unsupported_media_type" };
    const body = await readText(request, MAX_BODY_BYTES);
    if ("fault" in body) return unreadable(body.fault, type);

    const verdict = type === FORM
      ? validateSignUpForm(parseForm(body.text))
      : validateJson(body.text);
    switch (verdict?.verdict) {
      case undefined:
        return { failure: "invalid_json" };
      case "fault":
        return { failure: "sign_up", fault: verdict.fault };
      case "honeypot":
        return accepted(type, verdict.lang);
      case "sign_up": {
        const joined = join(verdict.signUp);
        if (!joined) return { failure: "overloaded" };
        await joined;
        return accepted(type, verdict.signUp.lang);
      }
    }
  },
});

/** `joinWaitlistLegacy`: the same at its old path, which keeps working. */
export const joinWaitlistLegacy: CreateOperation = (environment) => ({
  ...joinWaitlist(environment),
  headers: {
    Deprecation: `@${DEPRECATED_SINCE}`,
    Link: `<${environment.urls.waitlist}>; rel="successor-version"`,
  },
});

const ACCEPTED: JsonAnswer = {
  json: JSON.stringify({ accepted: true } satisfies Accepted),
  shared: true,
};

/** JSON for JSON; the thanks page for a form, so that it works without scripts. */
function accepted(type: string, lang: Lang | undefined): Outcome {
  if (type === FORM) return { seeOther: lang === "de" ? "/de/danke/" : "/thanks/" };
  return ACCEPTED;
}

/** The verdict on JSON text, `undefined` where it is not JSON. */
function validateJson(text: string): SignUpVerdict | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  return validateSignUp(body);
}

function unreadable(fault: BodyFault, type: string): Failure {
  if (fault === "too_large") return { failure: "payload_too_large" };
  if (fault === "not_utf8" && type === JSON_TYPE) return { failure: "invalid_json" };
  const message = fault === "not_utf8"
    ? "The form is not UTF-8 text."
    : "The body did not arrive whole; send it again.";
  return { failure: "sign_up", fault: { code: "invalid_request", message } };
}
