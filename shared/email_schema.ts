import { z } from "zod";
import document from "./generated/public.json" with { type: "json" };

const { maxLength, pattern } = document.components.schemas.WaitlistSignup.properties.email;

/** Characters that dots part from others before the `@` (RFC 5322 §3.2.3). */
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";

/** The `@` and the domain, as the document has them. */
const DOMAIN = pattern.slice(pattern.indexOf("@"));

/**
 * An address as it may be kept. Before the `@` it may be longer than a sign-up's, as those of earlier
 * versions were. The length comes first and ends the check, so that no pattern sees a long text.
 */
export const keptEmailSchema = z.string().max(maxLength, { abort: true })
  .regex(new RegExp(`^${ATOM}(?:\\.${ATOM})*${DOMAIN}`));

/**
 * An address as a sign-up may have it: `format: email` and the pattern of the document. The pattern bounds
 * what is before the `@`, and leaves it to the format that no two dots follow each other: both at once take
 * a lookahead, which tools in Go and Rust refuse.
 */
export const emailSchema = keptEmailSchema.regex(new RegExp(pattern));
