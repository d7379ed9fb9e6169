/** The overview: how many people there are, in which state, and what needs attention. @module */
import { type Attention, attentionIn } from "../../../shared/attention.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { describeAttention, type Html, markup } from "../../content/mod.ts";
import { type Fact, facts, failedView, showTime } from "../components.ts";
import { lastDoneFacts } from "../data/mod.ts";
import { outboxFacts } from "../outbox/mod.ts";
import { type ConsolePage, type PageContext, PATHS } from "../page_context.ts";
import { daysChart } from "./days_chart.ts";
import { answerBars, funnelFacts, statesBar } from "./proportions.ts";

export const overviewPage: ConsolePage = {
  path: PATHS.overview,
  async get({ operations, texts, yieldToCalls, may }) {
    const title = texts.pages.overview;
    const { data, ...failed } = await operations.GET("/operator/v1/overview");
    if (!data) return failedView(failed, texts, { title });
    const { nobody, days, states, regular, openOutbox, answers, generated } = texts.overview;
    const { figures: names, invite, people } = texts.overview;
    const figures: Fact[] = [
      [names.total, texts.number(data.total)],
      [names.today, texts.number(data.days.at(-1)?.added ?? 0)],
      [names.last7Days, texts.number(data.last7Days)],
      [names.last30Days, texts.number(data.last30Days)],
    ];
    const chart = daysChart(data, texts);
    await yieldToCalls();
    return {
      title,
      body: markup`${warningList(data, { texts, may })}
${facts(figures, "figures")}
${data.total === 0 && markup`<p class="empty">${nobody}</p>`}
<p class="actions">
${
        data.states.waiting > 0 && may("startWave") &&
        markup`<a class="button primary" href="${PATHS.invite}">${invite}</a>`
      }
${data.total > 0 && markup`<a class="button" href="${PATHS.people}">${people}</a>`}
</p>
<section><h2>${days.heading}</h2>
${chart}</section>
<div class="columns">
<section><h2>${states.heading}</h2>
${statesBar(data, texts)}
${data.funnel.invited > 0 && funnelFacts(data, texts)}</section>
<div><section><h2>${texts.pages.outbox}</h2>
${!data.sendsLetters && markup`<p class="soft">${texts.words.noMail}</p>`}
${outboxFacts(data, texts)}
<p><a href="${PATHS.outbox}">${openOutbox}</a></p></section>
<section><h2>${regular}</h2>
${facts(lastDoneFacts(data, texts))}</section></div>
</div>
<section><h2>${answers.heading}</h2>
${answerBars(data, texts)}</section>
<p class="hint">${generated} ${showTime(data.generatedAt)}</p>`,
    };
  },
};

function warningList(
  overview: Overview,
  { texts, may }: Pick<PageContext, "texts" | "may">,
): Html | undefined {
  const { warnings: sentences, openOutbox } = texts.overview;
  const outbox = markup`<a href="${PATHS.outbox}">${openOutbox}</a>`;
  const inData = (label: string) => markup`<a href="${PATHS.data}">${label}</a>`;
  const backUp = may("backUp") && inData(texts.data.backupSubmit);
  const links: Record<Attention["about"], Html | false> = {
    ...{ paused: outbox, late: outbox, refused: outbox },
    drift: may("repairCounters") && inData(texts.data.repairSubmit),
    ...{ noBackup: backUp, oldBackup: backUp, failedBackup: false },
  };
  const found = attentionIn(overview)
    .map((each) => markup`${describeAttention(each, texts)} ${links[each.about]}`);
  found.push(
    ...overview.warnings.map(({ about, message }) => markup`${sentences.launch[about] ?? message}`),
  );
  if (found.length === 0) return undefined;
  return markup`<section class="warnings"><h2>${sentences.heading}</h2>
<ul>
${found.map((warning) => markup`<li class="warning">${warning}</li>`)}
</ul></section>`;
}
