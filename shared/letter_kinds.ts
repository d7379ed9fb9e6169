/**
 * The kinds of letters to people, and the states of letters in the log of letters. The service, the console and the CLI
 * check the filters of the log with these lists.
 *
 * @module
 */
import type { LoggedLetter } from "./operator_schemas.ts";

/** The kinds of letters to people. Each kind has a file in the folder `letters` of each language in `content/`. */
export const LETTER_KINDS = [
  "confirmation",
  "invitation",
  "link",
] as const satisfies readonly LoggedLetter["letter"][];

/** The states of letters in the log: what became of a letter. */
export const LETTER_STATES = [
  "taken",
  "refused",
  "bounced",
  "complained",
] as const satisfies readonly LoggedLetter["state"][];
