/** The log of letters on the page of a person. `kept_part.ts` puts it into the page. @module */
import type { LoggedLetter } from "../../shared/operator_schemas.ts";
import { Html, markup, type Texts } from "../content/mod.ts";

/** A letter as the page shows it. `state` is left out, because the other members determine it. */
export type ShownLetter = Omit<LoggedLetter, "state">;

/** The texts and formats of one language for the log. */
export interface LetterLogWords {
  texts: Pick<Texts["place"], "letter" | "letter_log" | "ends" | "reports">;
  /** Writes a date-time in the form of the language. */
  formatTime: (moment: string | undefined) => Html | undefined | "";
}

/**
 * Makes the list of letters with what became of each letter, the oldest letter first; `undefined` for an empty log.
 * @param letterLog the log, with the newest letter first
 */
export function letterLogPart(
  letterLog: ShownLetter[],
  { texts, formatTime }: LetterLogWords,
): Html | undefined {
  if (letterLog.length === 0) return undefined;
  const rows = letterLog.toReversed().map((letter) => {
    const { putAt, takenAt, refusedAt, answer, messageId, report } = letter;
    const events = [
      { at: putAt, parts: [texts.ends.put] },
      { at: takenAt, parts: [texts.ends.taken, answer, messageId] },
      { at: refusedAt, parts: [texts.ends.refused, answer, messageId] },
      { at: report?.at, parts: [report && texts.reports[report.kind], report?.reason] },
    ];
    const lines = events.filter(({ at }) => at).map(({ at, parts }) =>
      markup`${formatTime(at)} – ${parts.filter((part) => part).join(" · ")}`
    );
    const joinedLines = new Html(lines.join("<br>"));
    return markup`<div><dt>${texts.letter[letter.letter]}</dt><dd>${joinedLines}</dd></div>`;
  });
  return markup`<h3>${texts.letter_log}</h3>
<dl>
${rows}
</dl>`;
}
