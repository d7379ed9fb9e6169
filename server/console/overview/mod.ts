/**
 * The overview: how many people there are, in which state, and what needs attention.
 *
 * @module
 */
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { facts, showTime } from "../components.ts";
import { failedView } from "../failures.ts";
import { PATHS } from "../layout.ts";
import type { ConsolePage } from "../page_context.ts";
import { daysChart } from "./days_chart.ts";
import { answerBars, statesBar } from "./proportions.ts";
import { warningsOf } from "./warnings.ts";

/** The overview. */
export const overviewPage: ConsolePage = {
  path: PATHS.overview,
  async get({ operations, texts, now, yieldToCalls }) {
    const title = texts.pages.overview;
    const { data, ...failed } = await operations.GET("/operator/v1/overview");
    if (!data) return failedView(failed, texts, { title });
    const { nobody, days, states, regular, answers, generated } = texts.overview;
    const chart = daysChart(data, texts);
    await yieldToCalls();
    return {
      title,
      body: markup`${warningList(warningsOf(data, { texts, now }), texts)}
${figures(data, texts)}
${data.total === 0 && markup`<p class="empty">${nobody}</p>`}
<section><h2>${days.heading}</h2>
${chart}</section>
<div class="columns">
<section><h2>${states.heading}</h2>
${statesBar(data, texts)}</section>
<div><section><h2>${texts.pages.outbox}</h2>
${outboxFacts(data, texts)}</section>
<section><h2>${regular.heading}</h2>
${regularFacts(data, texts)}</section></div>
</div>
<section><h2>${answers.heading}</h2>
${answerBars(data, texts)}</section>
<p class="hint">${generated} ${showTime(data.generatedAt)}</p>`,
    };
  },
};

function warningList(warnings: Html[], { overview }: ConsoleTexts): Html | undefined {
  if (warnings.length === 0) return undefined;
  return markup`<section class="warnings"><h2>${overview.warnings.heading}</h2>
<ul>
${warnings.map((warning) => markup`<li class="warning">${warning}</li>`)}
</ul></section>`;
}

function figures(
  { total, days, last7Days, last30Days }: Overview,
  { overview, number }: ConsoleTexts,
): Html {
  const values = { total, today: days.at(-1)?.added ?? 0, last7Days, last30Days };
  const shown = Object.entries(values).map(([name, value]) =>
    markup`<div><dt>${overview.figures[name as keyof typeof values]}</dt><dd>${
      number(value)
    }</dd></div>`
  );
  return markup`<dl class="figures">
${shown}
</dl>`;
}

function outboxFacts({ outbox, sendsLetters }: Overview, texts: ConsoleTexts): Html {
  const { overview: { outbox: names }, outbox: { nothingWaits }, number } = texts;
  const { due, oldestDue, held, refused, sentToday } = outbox;
  return markup`${!sendsLetters && markup`<p class="soft">${names.off}</p>`}
${
    facts([
      [names.due, due === 0 ? nothingWaits : number(due)],
      [names.oldestDue, oldestDue && showTime(oldestDue)],
      [names.held, held > 0 && number(held)],
      [names.refused, number(refused)],
      [names.sentToday, sendsLetters && number(sentToday)],
    ])
  }
<p><a href="${PATHS.outbox}">${names.open}</a></p>`;
}

function regularFacts({ lastDone }: Overview, { overview, data }: ConsoleTexts): Html {
  const moment = (at: string | undefined) => at ? showTime(at) : overview.regular.never;
  return facts([
    [data.lastBackup, moment(lastDone.backup)],
    [data.lastVerify, moment(lastDone.verify)],
  ]);
}
