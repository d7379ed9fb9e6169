import { z } from "zod";
import document from "./generated/public.json" with { type: "json" };

const { maxLength, pattern } = document.components.schemas.WaitlistSignup.properties.email;

/** A sequence of characters between two dots before the `@` (RFC 5322 §3.2.3). */
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";

/** The pattern of the `@` and the domain, from the document. */
const DOMAIN = pattern.slice(pattern.indexOf("@"));

/**
 * An address as it may be stored. Its part before the `@` may be longer than that of a new sign-up, as
 * earlier versions accepted longer ones. The check of the length comes first, so that no pattern runs on a
 * long text.
 */
export const keptEmailSchema = z.string().max(maxLength, { abort: true })
  .regex(new RegExp(`^${ATOM}(?:\\.${ATOM})*${DOMAIN}`));

/**
 * An address of a new sign-up: it must fit the `format: email` and the pattern of the document. The pattern
 * limits the length before the `@`; the format forbids two dots in a row. One pattern for both would need a
 * lookahead, which tools in Go and Rust refuse.
 */
export const emailSchema = keptEmailSchema.regex(new RegExp(pattern));
