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
 * confirm, and an import then put the person on the list; `importedUnasked` if no confirmation letter was sent, and the
 * moment of a consent came from an import; `notAsked` if no confirmation letter was sent, and the record has no such
 * moment, because versions before 1.3 did not store it
 */
export function whyNoProof(
  { state, lastLetters, imported }: Pick<ShownSignup, "state" | "lastLetters" | "imported">,
): "notYet" | "imported" | "importedUnasked" | "notAsked" {
  if (state === "unconfirmed") return "notYet";
  // The letter stays in the record until the person confirms.
  if (lastLetters?.confirmation) return "imported";
  return imported?.consentedAt ? "importedUnasked" : "notAsked";
}
