/** The operations `joinWaitlist` and `joinWaitlistLegacy`. @module */
import type { Accepted } from "../../shared/schemas.ts";
import { type ApiAnswer, LOADABLE_BY_OTHER_SITES, rawQuery } from "../http/mod.ts";
import {
  campaignIn,
  type Lang,
  referralCodeIn,
  validateSignUp,
  validateSignUpForm,
} from "../waitlist/mod.ts";
import type { CreateOperation } from "./operation.ts";

/** The moment when the unversioned alias became deprecated, 2026-01-01, in seconds since 1970 (RFC 9745 §2.1). */
const DEPRECATED_SINCE = 1_767_225_600;

/**
 * The answer to a sign-up in JSON. It is the same for all calls of an operation, so that they can share one response.
 */
const ACCEPTED: ApiAnswer = {
  kind: "json",
  json: JSON.stringify({ accepted: true } satisfies Accepted),
  isShared: true,
};

/** Signs a person up (contract, rule 3). */
export const joinWaitlist: CreateOperation = (
  { join, countSignUp, urls, passedOnAddress },
  { showRefusedForm, embedOrigins },
) => ({
  body: "form_or_json",
  ...embedOrigins.length > 0 && { scriptOrigins: new Set(embedOrigins) },
  passedOnAddress,
  // Counts a refused body in the metrics, because `act` is not called for such a body. `undefined` keeps the usual
  // answer.
  onRefusedBody(failure) {
    countSignUp?.(failure.failure);
    return undefined;
  },
  showError: showRefusedForm(new URL(urls.waitlist).pathname),
  async act(body, { address, url }) {
    const isForm = "form" in body;
    const answerAccepted = (lang: Lang | undefined) =>
      isForm ? toThanks(lang, { mayBeFramed: embedOrigins.length > 0 }) : ACCEPTED;
    const verdict = isForm ? validateSignUpForm(body.form) : validateSignUp(body.json);
    switch (verdict.kind) {
      case "fault":
        countSignUp?.(verdict.fault.code);
        return { failure: "sign_up", fault: verdict.fault };
      case "honeypot":
        countSignUp?.("honeypot");
        return answerAccepted(verdict.lang);
      case "sign_up": {
        const query = new URLSearchParams(rawQuery(url));
        const joining = join(verdict.signUp, {
          address,
          referralCode: referralCodeIn(query),
          campaign: campaignIn(query),
        });
        // If too many sign-ups wait, `join()` gives this word in place of a promise.
        if (joining === "overloaded") {
          countSignUp?.("overloaded");
          return { failure: "overloaded" };
        }
        try {
          await joining;
        } catch (error) {
          countSignUp?.("failed");
          throw error;
        }
        countSignUp?.("accepted");
        return answerAccepted(verdict.signUp.lang);
      }
    }
  },
});

/** Signs a person up at the deprecated path without a version (contract, rule 5). */
export const joinWaitlistLegacy: CreateOperation = (environment, options) => ({
  ...joinWaitlist(environment, options),
  // Scripts of other sites, and servers that post for their visitors, must use the path with the version (decisions,
  // "Sign-up" and "Roles").
  passedOnAddress: undefined,
  scriptOrigins: undefined,
  headers: {
    Deprecation: `@${DEPRECATED_SINCE}`,
    Link: `<${environment.urls.waitlist}>; rel="successor-version"`,
  },
});

/**
 * Redirects a form to the thanks page, so that the form works without scripts.
 * @param options.mayBeFramed whether the form may be in a frame on a page of the company
 */
function toThanks(
  lang: Lang | undefined,
  { mayBeFramed }: { mayBeFramed: boolean },
): ApiAnswer {
  const location = lang === "de" ? "/de/danke/" : "/thanks/";
  // If the page around the frame has `Cross-Origin-Embedder-Policy`, the frame follows the redirect only with this
  // header.
  return { kind: "redirect", location, ...mayBeFramed && { headers: LOADABLE_BY_OTHER_SITES } };
}
