import { findCounterDrift } from "../../../shared/counter_drift.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import type { Lang } from "../../waitlist/mod.ts";
import { PATHS } from "../layout.ts";
import { describePause } from "../outbox/mod.ts";
import { showNumber, showTime } from "../components.ts";
import { OVERVIEW_TEXTS } from "./texts.ts";

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
export function warningsOf(overview: Overview, { lang, now }: { lang: Lang; now: number }): Html[] {
  const { warnings: texts } = OVERVIEW_TEXTS[lang];
  const { outbox, refusals = [], lastDone, total, warnings } = overview;
  const isOver = (moment: string, ms: number) => now - Date.parse(moment) > ms;
  const found: Html[] = [];

  if (outbox.pause) {
    found.push(markup`${describePause(outbox.pause, lang)} ${outboxLink(lang)}`);
  } else if (outbox.oldestDue && isOver(outbox.oldestDue, LATE_MS)) {
    found.push(markup`${texts.standsStill} ${showTime(outbox.oldestDue)}. ${texts.standsStillHint}
${outboxLink(lang)}`);
  }

  for (const { about, day, refused, tried } of refusals) {
    const counts = [refused, tried].map((count) => showNumber(lang, count));
    found.push(
      markup`${day} (UTC): ${texts.refusals[about](counts[0]!, counts[1]!)} ${outboxLink(lang)}`,
    );
  }

  const drift = findCounterDrift(overview);
  if (drift) {
    found.push(markup`${texts.drifted} ${showTime(drift)}.
<a href="${PATHS.data}">${texts.repair}</a>`);
  }

  const backUp = markup`<a href="${PATHS.data}">${texts.backUp}</a>`;
  if (total > 0 && !lastDone.backup) {
    found.push(markup`${texts.noBackup} ${backUp}`);
  } else if (lastDone.backup && isOver(lastDone.backup, BACKUP_MS)) {
    found.push(markup`${texts.oldBackup} ${showTime(lastDone.backup)}. ${backUp}`);
  }

  return [
    ...found,
    ...warnings.map(({ about, message }) => markup`${texts.launch[about] ?? message}`),
  ];
}

function outboxLink(lang: Lang): Html {
  return markup`<a href="${PATHS.outbox}">${OVERVIEW_TEXTS[lang].outbox.open}</a>`;
}
