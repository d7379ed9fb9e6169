/**
 * The kinds of letters to people, and the states of letters in the log of letters. The service, the console and the CLI
 * check the filters of the log with these lists.
 *
 * @module
 */
import type { LetterLogRequest, LoggedLetter } from "./operator_schemas.ts";

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
  "retried",
  "bounced",
  "complained",
] as const satisfies readonly LoggedLetter["state"][];

/**
 * The states by which an operator chooses letters of the log. `rejected` is for all letters that a mail server refused:
 * `refused` and `retried` together. `reported` is for all letters about which the mail provider reported: `bounced` and
 * `complained` together.
 */
export const LETTER_STATE_FILTERS = [
  ...LETTER_STATES,
  "rejected",
  "reported",
] as const satisfies readonly NonNullable<LetterLogRequest["state"]>[];
