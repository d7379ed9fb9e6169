/** The page "Overview": how many people there are, in which states, and what needs attention. @module */
import { type Attention, attentionIn } from "../../../shared/attention.ts";
import { compareFullDays, growthRows } from "../../../shared/growth.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { progressOf } from "../../../shared/wave_stage.ts";
import { type ConsoleTexts, describeAttention, type Html, markup } from "../../content/mod.ts";
import { utcDay } from "../../waitlist/mod.ts";
import { countLink, type Fact, facts, failedView, section, showTime } from "../components.ts";
import { lastDoneFacts } from "../data/mod.ts";
import { button, field, postForm } from "../forms.ts";
import { describeStage, wavePath } from "../invite/mod.ts";
import { outboxFacts } from "../outbox/mod.ts";
import { type ConsolePage, IMPORT_PATH, type PageContext, PATHS } from "../page_context.ts";
import { growthChart } from "./chart.ts";
import { answerBars, campaignSection, funnelFacts, statesBar } from "./proportions.ts";
import {
  comparisonOf,
  firstDayNeeded,
  fitRange,
  rangeLinks,
  readRange,
  showChange,
} from "./range.ts";
import { referralSection } from "./referrals.ts";
import { growthTable, weeksTable } from "./tables.ts";

export const overviewPage: ConsolePage = {
  path: PATHS.overview,
  async get({ operations, texts, yieldToCalls, may, query, now, personPath }) {
    const title = texts.pages.overview;
    const askedRange = readRange(query, now);
    // The overview must have at least the 14 days before the present day, even if the chart begins later, because the
    // figures compare the last 7 full days with the 7 days before them. Last week began on one of these 14 days.
    const neededDays = [askedRange.since, firstDayNeeded(askedRange), utcDay(now, 14)];
    const [since = askedRange.since] = neededDays.toSorted();
    const overview = await operations.getOverview({ since });
    if ("failure" in overview) return failedView(overview, texts, { title });
    const { days, weeks, states, regular, openOutbox, answers, generated } = texts.overview;
    const { invite } = texts.overview;
    const lettersSection = markup`<section><h2>${texts.pages.outbox}</h2>
${!overview.sendsLetters && markup`<p class="soft">${texts.words.noMail}</p>`}
${outboxFacts(overview, texts)}
<p><a href="${PATHS.outbox}">${openOutbox}</a></p></section>`;
    const workSection = markup`<section><h2>${regular}</h2>
${facts(lastDoneFacts(overview, texts))}</section>`;
    const warnings = warningList(overview, { texts, may });
    // If nobody is on the list, the page leaves out the numbers of people and the charts, because all numbers would be
    // zero.
    if (overview.total === 0) {
      const columns = markup`<div class="columns">${lettersSection}${workSection}</div>`;
      return { title, body: markup`${warnings}${firstSteps({ texts, may })}${columns}` };
    }
    const range = fitRange(askedRange, overview);
    const { period, since: firstDay, until } = range;
    const rows = growthRows(overview, { by: period, since: firstDay, until });
    const table = await growthTable(rows, { texts, yieldToCalls });
    await yieldToCalls();
    const chart = growthChart(rows, { texts, table });
    await yieldToCalls();
    const canInvite = overview.states.waiting > 0 && may("startWave");
    return {
      title,
      body: markup`${warnings}
${facts(figuresOf(overview, texts, now), "figures")}
<div class="actions">
${canInvite && markup`<a class="button primary" href="${PATHS.invite}">${invite}</a>`}
${searchForm(texts)}
</div>
${await openWaves({ operations, texts })}
<section><h2>${days.heading}</h2>
${rangeLinks(range, overview, texts)}
${chart}
${comparisonOf(range, overview, texts)}</section>
<div class="columns">
<section><h2>${states.heading}</h2>
${statesBar(overview, texts)}
${overview.funnel.invited > 0 && funnelFacts(overview, texts)}</section>
<div>${lettersSection}
${workSection}</div>
</div>
<section><h2>${weeks.heading}</h2>
${weeksTable(overview, texts)}
<p class="hint">${weeks.hint}</p></section>
${referralSection(overview, { texts, personPath })}
${campaignSection(overview, texts)}
<section><h2>${answers.heading}</h2>
${answerBars(overview, texts)}</section>
<p class="hint">${generated} ${showTime(overview.generatedAt, texts)}</p>`,
    };
  },
};

/** The number of people on the list, and the numbers of sign-ups of the last days and weeks. Weeks begin on Monday. */
function figuresOf(overview: Overview, texts: ConsoleTexts, now: number): Fact[] {
  const { figures: names } = texts.overview;
  // Every overview has several weeks, even if the list is empty.
  const lastWeek = overview.weeks.at(-2)!;
  const thisWeek = overview.weeks.at(-1)!;
  const today = utcDay(now, 0);
  const lastSunday = utcDay(Date.parse(thisWeek.week), 1);
  const sameDayOfLastWeek = utcDay(now, 7);
  const soFar = overview.days
    .filter(({ day }) => day >= lastWeek.week && day <= sameDayOfLastWeek)
    .reduce((sum, { added }) => sum + added, 0);
  const count = (added: number, since: string, until = today) =>
    countLink(added, { since, until }, texts);
  const { added, before, change } = compareFullDays(overview, today);
  const changeText = showChange(change, texts);
  return [
    [names.total, countLink(overview.total, {}, texts)],
    [names.today, count(overview.days.at(-1)?.added ?? 0, today)],
    [names.thisWeek, count(thisWeek.signedUp, thisWeek.week)],
    [names.lastWeek({ soFar }), count(lastWeek.signedUp, lastWeek.week, lastSunday)],
    [names.last7Days, count(overview.last7Days, utcDay(now, 6))],
    [names.last30Days, count(overview.last30Days, utcDay(now, 29))],
    [names.fullDays({ before, change: changeText }), count(added, utcDay(now, 7), utcDay(now, 1))],
  ];
}

/** The form that searches people by a part of the address. */
function searchForm({ overview, people }: ConsoleTexts): Html {
  const input =
    markup` type="search" minlength="3" maxlength="254" autocapitalize="none" spellcheck="false"`;
  return postForm(
    { action: PATHS.people, attributes: markup` class="filters" role="search" autocomplete="off"` },
    markup`${field("search", { label: people.search, attributes: input })}
${button(overview.people)}`,
  );
}

/** What an operator of an empty list can do first. */
function firstSteps({ texts, may }: Pick<PageContext, "texts" | "may">): Html {
  const { overview: { nobody, first }, imports } = texts;
  return section(
    "first",
    nobody,
    markup`<ol class="bullets">
<li>${first.tryOut} <a href="/">${first.home}</a></li>
<li>${first.share}</li>
<li>${first.bring} ${
      may("importSignups") && markup`<a href="${IMPORT_PATH}">${imports.title}</a>, `
    }<code>waitlist signups import</code></li>
</ol>`,
  );
}

/**
 * Links to the waves that are paused, that invite people, or whose letters wait in the outbox. The progress of
 * each wave stands beside its link.
 */
async function openWaves(
  { operations, texts }: Pick<PageContext, "operations" | "texts">,
): Promise<Html[]> {
  const { invite: labels } = texts;
  const listed = await operations.listWaves({});
  const waves = "waves" in listed ? listed.waves : [];
  return waves.flatMap((report) => {
    const { wave, invited } = report;
    const { stage, whole } = progressOf(report);
    if (stage === "done" || stage === "cancelled") return [];
    const soFar = labels.soFar({ count: invited, whole });
    return markup`<p><a href="${wavePath(wave)}">${labels.waveTitle({ wave })}</a>:
${describeStage(report, texts)}. ${soFar}</p>`;
  });
}

/**
 * The list of problems that need attention. A problem has a link if a page helps, and if the operator's role allows the
 * action there. Returns `undefined` if there are no problems.
 */
function warningList(
  overview: Overview,
  { texts, may }: Pick<PageContext, "texts" | "may">,
): Html | undefined {
  const { warnings: sentences, openOutbox } = texts.overview;
  const outbox = markup`<a href="${PATHS.outbox}">${openOutbox}</a>`;
  const linkToData = (label: string) => markup`<a href="${PATHS.data}">${label}</a>`;
  const backUp = may("backUp") && linkToData(texts.data.backupSubmit);
  const links: Record<Attention["about"], Html | false> = {
    paused: outbox,
    late: outbox,
    refused: outbox,
    drift: may("repairCounters") && linkToData(texts.data.repairSubmit),
    noBackup: backUp,
    oldBackup: backUp,
    failedBackup: false,
    leftOutRuns: markup`<a href="${PATHS.invite}">${texts.invite.schedules.open}</a>`,
  };
  const warnings = attentionIn(overview)
    .map((attention) => markup`${describeAttention(attention, texts)} ${links[attention.about]}`);
  warnings.push(
    ...overview.warnings.map(({ about, message }) => markup`${sentences.launch[about] ?? message}`),
  );
  if (warnings.length === 0) return undefined;
  return markup`<section class="warnings"><h2>${sentences.heading}</h2>
<ul>
${warnings.map((warning) => markup`<li class="warning">${warning}</li>`)}
</ul></section>`;
}
