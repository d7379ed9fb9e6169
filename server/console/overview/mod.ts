/**
 * The page "Overview": how many people there are, in which states, and what needs attention. The other files of this
 * folder make the chart, the tables and the drawings of the page. @module
 */
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
  type ChartRange,
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
  async get(pageContext) {
    const { operations, texts, query, now } = pageContext;
    const title = texts.pages.overview;
    const askedRange = readRange(query, now);
    const overview = await operations.getOverview({ since: firstDayToRead(askedRange, now) });
    if ("failure" in overview) return failedView(overview, texts, { title });
    // If nobody is on the list, the page leaves out the numbers of people and the charts, because all numbers would be
    // zero.
    const content = overview.total === 0
      ? emptyListContent(overview, pageContext)
      : await listContent(overview, askedRange, pageContext);
    return {
      title,
      body: markup`${warningList(overview, pageContext)}
${content}`,
    };
  },
};

/** Returns the first day for which the page needs the numbers of sign-ups. */
function firstDayToRead(range: ChartRange, now: number): string {
  // The overview must have at least the 14 days before the present day, even if the chart begins later, because the
  // figures compare the last 7 full days with the 7 days before them. The figure about last week needs no earlier day,
  // because last week began at most 13 days ago.
  const neededDays = [range.chartSince, firstDayNeeded(range), utcDay(now, 14)];
  return neededDays.toSorted()[0]!;
}

/** The page of an empty list, below the warnings. */
function emptyListContent(overview: Overview, { texts, may }: PageContext): Html {
  return markup`${firstSteps({ texts, may })}<div class="columns">${
    outboxSection(overview, texts)
  }${regularWorkSection(overview, texts)}</div>`;
}

/** The page of a list with people, below the warnings. @param askedRange the range that the query asks for */
async function listContent(
  overview: Overview,
  askedRange: ChartRange,
  { operations, texts, yieldToCalls, may, now, personPath }: PageContext,
): Promise<Html> {
  const { days, weeks, states, answers, generated, invite } = texts.overview;
  const range = fitRange(askedRange, overview);
  const { period, chartSince, until } = range;
  const rows = growthRows(overview, { by: period, since: chartSince, until });
  const table = await growthTable(rows, { texts, yieldToCalls });
  await yieldToCalls();
  const chart = growthChart(rows, { texts, table });
  await yieldToCalls();
  const canInvite = overview.states.waiting > 0 && may("startWave");
  return markup`${facts(figuresOf(overview, texts, now), "figures")}
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
<div>${outboxSection(overview, texts)}
${regularWorkSection(overview, texts)}</div>
</div>
<section><h2>${weeks.heading}</h2>
${weeksTable(overview, texts)}
<p class="hint">${weeks.hint}</p></section>
${referralSection(overview, { texts, personPath })}
${campaignSection(overview, texts)}
<section><h2>${answers.heading}</h2>
${answerBars(overview, texts)}</section>
<p class="hint">${generated} ${showTime(overview.generatedAt, texts)}</p>`;
}

/** How many letters and events the outbox holds, and a link to the outbox. */
function outboxSection(overview: Overview, texts: ConsoleTexts): Html {
  const { pages, words, overview: { openOutbox } } = texts;
  return markup`<section><h2>${pages.outbox}</h2>
${!overview.sendsLetters && markup`<p class="soft">${words.noMail}</p>`}
${outboxFacts(overview, texts)}
<p><a href="${PATHS.outbox}">${openOutbox}</a></p></section>`;
}

/** When the service last did its regular work, such as a backup. */
function regularWorkSection(overview: Overview, texts: ConsoleTexts): Html {
  return markup`<section><h2>${texts.overview.regular}</h2>
${facts(lastDoneFacts(overview, texts))}</section>`;
}

/** The number of people on the list, and the numbers of sign-ups of the last days and weeks. Weeks begin on Monday. */
function figuresOf(overview: Overview, texts: ConsoleTexts, now: number): Fact[] {
  const { figures: labels } = texts.overview;
  // Every overview has several weeks, even if the list is empty.
  const lastWeek = overview.weeks.at(-2)!;
  const thisWeek = overview.weeks.at(-1)!;
  const today = utcDay(now, 0);
  const lastSunday = utcDay(Date.parse(thisWeek.week), 1);
  const sameDayOfLastWeek = utcDay(now, 7);
  /** The sign-ups of last week, up to the same day as today. */
  const soFar = overview.days
    .filter(({ day }) => day >= lastWeek.week && day <= sameDayOfLastWeek)
    .reduce((sum, { added }) => sum + added, 0);
  const signUpLink = (count: number, since: string, until = today) =>
    countLink(count, { since, until }, texts);
  const { added, before, change } = compareFullDays(overview, today);
  const changeText = showChange(change, texts);
  return [
    [labels.total, countLink(overview.total, {}, texts)],
    [labels.today, signUpLink(overview.days.at(-1)?.added ?? 0, today)],
    [labels.thisWeek, signUpLink(thisWeek.signedUp, thisWeek.week)],
    [labels.lastWeek({ soFar }), signUpLink(lastWeek.signedUp, lastWeek.week, lastSunday)],
    [labels.last7Days, signUpLink(overview.last7Days, utcDay(now, 6))],
    [labels.last30Days, signUpLink(overview.last30Days, utcDay(now, 29))],
    [
      labels.fullDays({ before, change: changeText }),
      signUpLink(added, utcDay(now, 7), utcDay(now, 1)),
    ],
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
  const { warnings: warningTexts, openOutbox } = texts.overview;
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
    ...overview.warnings.map(({ about, message }) =>
      markup`${warningTexts.launch[about] ?? message}`
    ),
  );
  if (warnings.length === 0) return undefined;
  return markup`<section class="warnings"><h2>${warningTexts.heading}</h2>
<ul>
${warnings.map((warning) => markup`<li class="warning">${warning}</li>`)}
</ul></section>`;
}
