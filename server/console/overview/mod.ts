/**
 * The overview: how many people there are, in which state, and what needs attention.
 *
 * @module
 */
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import type { Lang } from "../../waitlist/mod.ts";
import { pageName, PATHS } from "../layout.ts";
import { failedView } from "../failures.ts";
import { facts, showNumber, showTime } from "../components.ts";
import type { ConsolePage } from "../page_context.ts";
import { daysChart } from "./days_chart.ts";
import { answerBars, statesBar } from "./proportions.ts";
import { OVERVIEW_TEXTS } from "./texts.ts";
import { warningsOf } from "./warnings.ts";

/** The overview. */
export const overviewPage: ConsolePage = {
  path: PATHS.overview,
  async get({ operations, lang, now, yieldToCalls }) {
    const title = pageName(lang, "overview");
    const { data, ...failed } = await operations.GET("/operator/v1/overview");
    if (!data) return failedView(failed, { lang, title });
    const texts = OVERVIEW_TEXTS[lang];
    const chart = daysChart(data, lang);
    await yieldToCalls();
    return {
      title,
      body: markup`${warningList(warningsOf(data, { lang, now }), texts.warnings.heading)}
${figures(data, lang)}
${data.total === 0 && markup`<p class="empty">${texts.nobody}</p>`}
<section><h2>${texts.days.heading}</h2>
${chart}</section>
<div class="columns">
<section><h2>${texts.states.heading}</h2>
${statesBar(data, lang)}</section>
<div><section><h2>${texts.outbox.heading}</h2>
${outboxFacts(data, lang)}</section>
<section><h2>${texts.regular.heading}</h2>
${regularFacts(data, lang)}</section></div>
</div>
<section><h2>${texts.answers.heading}</h2>
${answerBars(data, lang)}</section>
<p class="hint">${texts.generated} ${showTime(data.generatedAt)}</p>`,
    };
  },
};

function warningList(warnings: Html[], heading: string): Html | undefined {
  if (warnings.length === 0) return undefined;
  return markup`<section class="warnings"><h2>${heading}</h2>
<ul>
${warnings.map((warning) => markup`<li class="warning">${warning}</li>`)}
</ul></section>`;
}

function figures({ total, days, last7Days, last30Days }: Overview, lang: Lang): Html {
  const { figures: texts } = OVERVIEW_TEXTS[lang];
  const values: [label: string, value: number][] = [
    [texts.total, total],
    [texts.today, days.at(-1)?.added ?? 0],
    [texts.last7Days, last7Days],
    [texts.last30Days, last30Days],
  ];
  return markup`<dl class="figures">
${
    values.map(([label, value]) =>
      markup`<div><dt>${label}</dt><dd>${showNumber(lang, value)}</dd></div>`
    )
  }
</dl>`;
}

function outboxFacts({ outbox, sendsLetters }: Overview, lang: Lang): Html {
  const { outbox: texts } = OVERVIEW_TEXTS[lang];
  const { due, oldestDue, held, refused, sentToday } = outbox;
  return markup`${!sendsLetters && markup`<p class="soft">${texts.off}</p>`}
${
    facts([
      [texts.due, due === 0 ? texts.nothing : showNumber(lang, due)],
      [texts.oldestDue, oldestDue && showTime(oldestDue)],
      [texts.held, held > 0 && showNumber(lang, held)],
      [texts.refused, showNumber(lang, refused)],
      [texts.sentToday, sendsLetters && showNumber(lang, sentToday)],
    ])
  }
<p><a href="${PATHS.outbox}">${texts.open}</a></p>`;
}

function regularFacts({ lastDone }: Overview, lang: Lang): Html {
  const { regular: texts } = OVERVIEW_TEXTS[lang];
  const moment = (at: string | undefined) => at ? showTime(at) : texts.never;
  return facts([
    [texts.backup, moment(lastDone.backup)],
    [texts.verify, moment(lastDone.verify)],
  ]);
}
