/** The table of the log of letters, for the page of a person and for the page "Letters and events". @module */
import type { LoggedLetter } from "../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../content/mod.ts";
import { type Cell, showTime, table } from "./components.ts";

/** Shows each letter with its state, and the reason if the letter was not delivered. */
export function letterTable<Letter extends LoggedLetter>(
  letters: Letter[],
  { texts, recipientOf }: {
    texts: ConsoleTexts;
    /** Shows to whom a letter went, in a column of its own. Absent if all letters went to the same person. */
    recipientOf?: (letter: Letter) => Cell;
  },
): Html {
  const { outbox: labels, words } = texts;
  const { time, reason, caption } = labels.lists.log;
  const head = [
    words.what,
    ...recipientOf ? [labels.toPerson] : [],
    time,
    words.fields.state,
    reason,
  ];
  const rows = letters.map((letter): Cell[] => [
    { row: labels.messages[letter.letter] },
    ...recipientOf ? [recipientOf(letter)] : [],
    showTime(letter.putAt, texts),
    stateOf(letter, texts),
    reasonOf(letter),
  ]);
  return table({ caption, head, rows, stacks: true });
}

/** Shows the state of a letter, and the time since which the letter has been in this state. */
function stateOf({ state, takenAt, refusedAt, report }: LoggedLetter, texts: ConsoleTexts): Html {
  const since = report?.at ?? takenAt ?? refusedAt;
  return markup`${texts.outbox.letterStates[state]}${since && markup`, ${showTime(since, texts)}`}`;
}

/** Gives the reason in the report of the mail provider; without a report, the answer of the mail server. */
function reasonOf({ report, answer = "" }: LoggedLetter): string {
  return report ? report.reason ?? "" : answer;
}
