/**
 * The zod schemas of e-mail addresses, made from the pattern in `openapi/public.yaml`.
 *
 * @module
 */
import * as z from "zod";
import document from "./generated/public.json" with { type: "json" };

const { maxLength, pattern } = document.components.schemas.WaitlistSignup.properties.email;

/** One of the parts into which dots divide the text before the `@` (`atext` of RFC 5322 §3.2.3). */
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";

/** The pattern of the `@` and the domain: the end of the document's pattern. */
const DOMAIN = pattern.slice(pattern.indexOf("@"));

/**
 * The schema of an address in the store. The part before the `@` may be longer than in a new sign-up, because earlier
 * versions accepted a longer part. The length is checked first, because a pattern is slow on a long text.
 */
export const storedEmailSchema = z.string().max(maxLength, { abort: true })
  .regex(new RegExp(`^${ATOM}(?:\\.${ATOM})*${DOMAIN}`));

/**
 * The schema of an address in a new sign-up: the `format: email` and the pattern of the OpenAPI document. The format
 * forbids two dots in a row, and the pattern limits the length before the `@`. One pattern for both rules would need a
 * lookahead, which tools in Go and Rust refuse.
 */
export const emailSchema = storedEmailSchema.regex(new RegExp(pattern));
