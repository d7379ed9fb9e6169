/** The table of the log of letters, for the page of a person and for the page "Letters and events". @module */
import type { ListedLetter, LoggedLetter } from "../../shared/operator_schemas.ts";
import { type Html, markup } from "../content/mod.ts";
import { breakable, type Cell, showTime, table } from "./components.ts";
import type { PageContext } from "./page_context.ts";

/** Shows what became of letters, and to whom they went if `listed` has the people. */
export function letterTable(
  letters: (LoggedLetter | ListedLetter)[],
  { texts, personPath }: Pick<PageContext, "texts" | "personPath">,
): Html {
  const { outbox: labels, words } = texts;
  const hasPeople = letters.some((letter) => "id" in letter);
  const rows = letters.map((letter): Cell[] => {
    const { state, putAt, takenAt, refusedAt, answer = "", report } = letter;
    const endedAt = report?.at ?? takenAt ?? refusedAt;
    const cells: Cell[] = [
      { row: labels.messages[letter.letter] },
      showTime(putAt, texts),
      markup`${labels.letterStates[state]}${endedAt && markup`, ${showTime(endedAt, texts)}`}`,
      report ? report.reason ?? "" : answer,
    ];
    if (!hasPeople) return cells;
    // A person who has left since the letter was read is not shown, because the person has no page any more.
    const { id, email } = { id: "", email: undefined, ...letter };
    const person = email !== undefined &&
      markup`<a href="${personPath(id)}">${breakable(email)}</a>`;
    return [cells[0]!, person, ...cells.slice(1)];
  });
  const { time, reason, caption } = labels.lists.log;
  const [what, ...others] = [words.what, time, words.fields.state, reason];
  const head = [what!, ...hasPeople ? [labels.toPerson] : [], ...others];
  return table({ caption, head, rows, stacks: true });
}
