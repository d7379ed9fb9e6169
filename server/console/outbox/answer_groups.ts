/** Groups rejected e-mails and events by the code of the answer with which they were rejected. @module */
import { isUndeliverableStatus } from "../../../shared/delivery_status.ts";
import type { ConsoleTexts } from "../../content/mod.ts";

/** The rejected items whose answers have the same code. */
export interface AnswerGroup {
  /** The code; {@linkcode NO_CODE} for answers without one. */
  code: string;
  /** The answer to one of the items; empty if it is not known. */
  example: string;
  /** How many items the group has. */
  count: number;
}

/** Stands for the code of an answer that has none. */
export const NO_CODE = "none";

/**
 * Gives the code in an answer: the extended code of a mail server (`5.1.1`); without it, the code at the beginning (`550`
 * or `HTTP 500`); {@linkcode NO_CODE} if there is neither.
 */
export function codeOfAnswer(answer = ""): string {
  const [code = NO_CODE] = /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(answer) ??
    /^(?:HTTP )?\d{3}\b/.exec(answer) ?? [];
  return code;
}

/** Whether an answer has the code of a mailbox that has no more room, for now or for good (RFC 3463). */
export const saysMailboxFull = (answer: string | undefined): boolean =>
  ["4.2.2", "5.2.2"].includes(codeOfAnswer(answer));

/**
 * Whether an answer has a code that says that no e-mail can reach the address; `undefined` for an answer without an
 * extended code. A disabled mailbox (5.2.1) counts as well, although the service does not mark such an address.
 */
export function saysNoMailbox(answer: string | undefined): boolean | undefined {
  const code = codeOfAnswer(answer);
  return code === "5.2.1" || isUndeliverableStatus(code);
}

/** Groups answers by their codes. The largest group comes first. */
export function groupAnswers(answers: (string | undefined)[]): AnswerGroup[] {
  const groups = new Map<string, AnswerGroup>();
  for (const answer of answers) {
    const code = codeOfAnswer(answer);
    const group = groups.get(code) ?? { code, example: answer ?? "", count: 0 };
    groups.set(code, { ...group, count: group.count + 1 });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

/** Gives the name of a code as the page shows it. */
export const nameOfCode = (code: string, { withoutCode }: ConsoleTexts["outbox"]): string =>
  code === NO_CODE ? withoutCode : code;
