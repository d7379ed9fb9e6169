/** Validates sign-up requests (contract, "WaitlistSignup"). `api/` decides the HTTP status of a fault. @module */
import { z } from "zod";
import { emailSchema } from "../../shared/email_schema.ts";
import { findInvisible, nameInvisible } from "../../shared/invisible.ts";
import type { Same } from "../../shared/person_schema.ts";
import { LANGS, SOURCES, type WaitlistSignup } from "../../shared/schemas.ts";
import { quote } from "../runtime/mod.ts";
import type { Lang } from "./record.ts";

/** A validated sign-up. Optional fields that were not given are absent. */
export interface SignUp {
  /** The lower-cased address. */
  email: string;
  /** The form on the company's site by which the person signed up, `hero` or `cta`. */
  source?: NonNullable<WaitlistSignup["source"]>;
  lang?: Lang;
}

/** The schema of a JSON body. A property test compares its verdicts with the verdicts of the OpenAPI document. */
export const signUpSchema = z.strictObject({
  email: emailSchema,
  consent: z.literal(true),
  source: z.enum(SOURCES).exactOptional(),
  lang: z.enum(LANGS).exactOptional(),
  // The honeypot field. It is empty here, because a body with a filled honeypot is answered before this schema is used.
  website: z.string().exactOptional(),
});

// This line compiles only if the schema and the OpenAPI document agree. The document describes `consent` as a boolean
// that is `not` false, because some code generators fail on a boolean constant.
true satisfies Same<z.infer<typeof signUpSchema>, WaitlistSignup & { consent: true }>;

/**
 * The fields of a sign-up form: the first value of each field, and the names of the fields that the form has more than
 * once.
 */
export interface SignUpForm {
  values: ReadonlyMap<string, string>;
  repeated: readonly string[];
}

/** Why a sign-up is refused. The message is for the client. */
export interface SignUpFault {
  code: "invalid_request" | "invalid_email" | "consent_required";
  message: string;
}

/** The result of a validation. A request with a filled honeypot gets the answer of a sign-up, but is not stored. */
export type SignUpVerdict =
  | { kind: "sign_up"; signUp: SignUp }
  | { kind: "honeypot"; lang: Lang | undefined }
  | { kind: "fault"; fault: SignUpFault };

/** Validates a parsed JSON body. */
export function validateSignUp(body: unknown): SignUpVerdict {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return toFaultVerdict(
      "invalid_request",
      "The body must be a JSON object with email and consent.",
    );
  }
  const fields = body as Record<string, unknown>;
  if (typeof fields.website === "string" && fields.website !== "") {
    return { kind: "honeypot", lang: fields.lang === "de" ? "de" : undefined };
  }
  const parsed = signUpSchema.safeParse(fields);
  if (!parsed.success) return { kind: "fault", fault: chooseFault(parsed.error.issues, fields) };
  const { email, source, lang } = parsed.data;
  return {
    kind: "sign_up",
    signUp: { email: email.toLowerCase(), ...(source && { source }), ...(lang && { lang }) },
  };
}

/** Whether a form has the consent, which is `true`, `on` or `1`. */
export const hasConsent = (values: SignUpForm["values"]): boolean =>
  ["true", "on", "1"].includes(values.get("consent") ?? "");

/** Validates a form. An empty `source`, `lang` or `website` counts as absent. */
export function validateSignUpForm(form: SignUpForm): SignUpVerdict {
  const fields: Record<string, unknown> = Object.fromEntries(form.values);
  for (const name of ["source", "lang", "website"]) {
    if (fields[name] === "") delete fields[name];
  }
  if (hasConsent(form.values)) fields.consent = true;
  const verdict = validateSignUp(fields);
  const [repeated] = form.repeated;
  if (repeated !== undefined && verdict.kind !== "honeypot") {
    return toFaultVerdict("invalid_request", `Field ${quote(repeated)} is given more than once.`);
  }
  return verdict;
}

/**
 * Chooses the one fault that a refusal names, out of all faults of a body: the first fault of a field other than
 * `email` and `consent`, or else the fault of the address, or else the fault of the consent.
 */
function chooseFault(issues: z.core.$ZodIssue[], fields: Record<string, unknown>): SignUpFault {
  for (const issue of issues) {
    if (issue.code === "unrecognized_keys") return unknownFieldFault(issue.keys[0]);
    const field = String(issue.path[0]);
    if (field !== "email" && field !== "consent") return wrongValueFault(issue, field, fields);
  }
  if (issues.some((issue) => issue.path[0] === "email")) return emailFault(fields.email);
  return {
    code: "consent_required",
    message: "Consent is missing; send consent as true once the address's owner has agreed.",
  };
}

function unknownFieldFault(field: string | undefined): SignUpFault {
  const message = `Field ${quote(field)} is not part of a sign-up; ` +
    "send email and consent; source and lang are optional.";
  return { code: "invalid_request", message };
}

/** Gives the fault of a field other than `email` and `consent`. */
function wrongValueFault(
  issue: z.core.$ZodIssue,
  field: string,
  fields: Record<string, unknown>,
): SignUpFault {
  const allowed = issue.code === "invalid_value"
    ? issue.values.map(quote).join(" or ")
    : "an empty text";
  const message = `Field '${field}' is ${quote(fields[field])}; it must be ${allowed}.`;
  return { code: "invalid_request", message };
}

function emailFault(email: unknown): SignUpFault {
  const invisible = typeof email === "string" ? findInvisible(email) : undefined;
  if (invisible) {
    const message = `The e-mail address holds ${nameInvisible(invisible)}; remove it.`;
    return { code: "invalid_email", message };
  }
  return {
    code: "invalid_email",
    message: "The e-mail address is missing or not valid; send an ASCII address with a dotted " +
      "domain, at most 254 characters and 64 before the @, without spaces.",
  };
}

function toFaultVerdict(code: SignUpFault["code"], message: string): SignUpVerdict {
  return { kind: "fault", fault: { code, message } };
}
