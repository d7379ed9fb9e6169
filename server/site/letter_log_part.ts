/**
 * The part of the self-service page that lists the person's letters, with what became of each letter.
 * `stored_data_part.ts` puts this part into the page. @module
 */
import type { LoggedLetter } from "../../shared/operator_schemas.ts";
import { Html, markup, type Texts } from "../content/mod.ts";

/** A letter as the page shows it. What is only for operators is left out. */
export type ShownLetter = Omit<LoggedLetter, "state" | "nextTryAt" | "toFormerAddress">;

/** The texts and formats of one language for the log of letters. */
export interface LetterLogWords {
  texts: Pick<Texts["place"], "letter" | "letter_log" | "ends" | "reports">;
  /** Writes a date-time in the form of the language; `undefined` if there is no date-time. */
  formatTime: (moment: string | undefined) => Html | undefined;
}

/**
 * Makes the list of letters, the oldest letter first; `undefined` for an empty log.
 * @param letterLog the log, with the newest letter first
 */
export function letterLogPart(letterLog: ShownLetter[], words: LetterLogWords): Html | undefined {
  if (letterLog.length === 0) return undefined;
  const { texts } = words;
  const rows = letterLog.toReversed().map((letter) => {
    const kind = texts.letter[letter.letter];
    return markup`<div><dt>${kind}</dt><dd>${letterHistory(letter, words)}</dd></div>`;
  });
  return markup`<h3>${texts.letter_log}</h3>
<dl>
${rows}
</dl>`;
}

/** What became of a letter, with one line for each event. */
function letterHistory(
  { putAt, takenAt, refusedAt, answer, messageId, report }: ShownLetter,
  { texts: { ends: outcomes, reports }, formatTime }: LetterLogWords,
): Html {
  const line = (moment: string, ...details: (string | undefined)[]): Html =>
    markup`${formatTime(moment)} – ${details.filter((detail) => detail).join(" · ")}`;
  const lines = [
    line(putAt, outcomes.put),
    takenAt && line(takenAt, outcomes.taken, answer, messageId),
    refusedAt && line(refusedAt, outcomes.refused, answer, messageId),
    report && line(report.at, reports[report.kind], report.reason),
  ];
  return new Html(lines.filter((text) => text).join("<br>"));
}
