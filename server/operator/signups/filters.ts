/**
 * Members of bodies that choose people.
 *
 * @module
 */
import { z } from "zod";
import { keptEmailSchema } from "../../../shared/email_schema.ts";
import { STATES } from "../../waitlist/mod.ts";

const address = "give an e-mail address as a record may have it";
const addresses = "give a list of 1 to 1,000 addresses";
const slug = "give a slug of 1 to 40 characters a-z, 0-9, _ and -";

/** An address, which it puts into lower case as KV has it. */
export const addressInBody = z.string(address)
  .refine((email) => keptEmailSchema.safeParse(email).success, address)
  .transform((email) => email.toLowerCase());

/** Some addresses. */
export const addressesInBody = z.array(addressInBody, addresses).min(1, addresses)
  .max(1_000, addresses);

/** A state. */
export const stateInBody = z.enum(STATES, "give 'unconfirmed', 'waiting' or 'invited'");

const slugInBody = z.string(slug).regex(/^[a-z0-9_-]{1,40}$/, slug).exactOptional();

/** The answers that people must have. */
export const filterInBody = {
  lang: z.enum(["en", "de"], "give 'en' or 'de'").exactOptional(),
  source: z.enum(["hero", "cta"], "give 'hero' or 'cta'").exactOptional(),
  role: slugInBody,
  building: slugInBody,
};
