import { findCounterDrift } from "../../../shared/counter_drift.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { showTime } from "../components.ts";
import { PATHS } from "../layout.ts";
import { describePause } from "../outbox/mod.ts";

/** How late letters and events may be before the overview says so, in milliseconds. */
const LATE_MS = 60 * 60_000;

/** The longest time between two backups that is well, in milliseconds. */
const BACKUP_MS = 7 * 24 * 60 * 60_000;

/**
 * Lists what needs the operator: letters that do not go out, counters that drifted, a backup that is too old, and
 * what is still a placeholder.
 *
 * @param now milliseconds since 1970
 */
export function warningsOf(
  overview: Overview,
  { texts, now }: { texts: ConsoleTexts; now: number },
): Html[] {
  const { warnings: sentences, outbox: { open } } = texts.overview;
  const { outbox, refusals = [], lastDone, total, warnings } = overview;
  const isOver = (moment: string, ms: number) => now - Date.parse(moment) > ms;
  const outboxLink = markup`<a href="${PATHS.outbox}">${open}</a>`;
  const found: Html[] = [];

  if (outbox.pause) {
    found.push(markup`${describePause(outbox.pause, texts)} ${outboxLink}`);
  } else if (outbox.oldestDue && isOver(outbox.oldestDue, LATE_MS)) {
    found.push(
      markup`${sentences.standsStill} ${showTime(outbox.oldestDue)}. ${sentences.standsStillHint}
${outboxLink}`,
    );
  }

  for (const { about, day, refused, tried } of refusals) {
    const sentence = sentences.refusals[about]({ refused, tried });
    found.push(markup`${day} (UTC): ${sentence} ${outboxLink}`);
  }

  const drift = findCounterDrift(overview);
  if (drift) {
    found.push(markup`${sentences.drifted} ${showTime(drift)}.
<a href="${PATHS.data}">${texts.data.repairSubmit}</a>`);
  }

  const backUp = markup`<a href="${PATHS.data}">${sentences.backUp}</a>`;
  if (total > 0 && !lastDone.backup) {
    found.push(markup`${sentences.noBackup} ${backUp}`);
  } else if (lastDone.backup && isOver(lastDone.backup, BACKUP_MS)) {
    found.push(markup`${sentences.oldBackup} ${showTime(lastDone.backup)}. ${backUp}`);
  }

  return [
    ...found,
    ...warnings.map(({ about, message }) => markup`${sentences.launch[about] ?? message}`),
  ];
}
