/**
 * Why a person has no proof of consent. The console and the CLI say this, each in its own words.
 *
 * @module
 */
import type { ShownSignup } from "./operator_schemas.ts";

/**
 * Returns why a person has no proof of consent.
 *
 * @returns `notYet` if the person is unconfirmed; `imported` if a confirmation letter was sent, the person did not
 * confirm, and an import then put the person on the list; `notAsked` if no confirmation letter was sent
 */
export function whyNoProof(
  { state, lastLetters }: Pick<ShownSignup, "state" | "lastLetters">,
): "notYet" | "imported" | "notAsked" {
  if (state === "unconfirmed") return "notYet";
  // The letter stays in the record until the person confirms.
  return lastLetters?.confirmation ? "imported" : "notAsked";
}
