/**
 * The page "Overview": how many people there are, in which states, and what needs attention. `chart.ts`,
 * `tables.ts`, `proportions.ts` and `referrals.ts` show the numbers, and `range.ts` chooses the days of the chart.
 * @module
 */
import { type Attention, attentionIn } from "../../../shared/attention.ts";
import { compareFullDays, growthRows } from "../../../shared/growth.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { progressOf } from "../../../shared/wave_stage.ts";
import { type ConsoleTexts, describeAttention, type Html, markup } from "../../content/mod.ts";
import { utcDay } from "../../waitlist/mod.ts";
import {
  countLink,
  type Fact,
  facts,
  failedView,
  section,
  showDuration,
  showTime,
} from "../components.ts";
import { lastDoneFacts } from "../data/mod.ts";
import { button, field, postForm } from "../forms.ts";
import { describeStage, wavePath } from "../invite/mod.ts";
import { outboxFacts } from "../outbox/mod.ts";
import { type ConsolePage, IMPORT_PATH, type PageContext, PATHS } from "../page_context.ts";
import { growthChart } from "./chart.ts";
import { answerBars, campaignSection, statesBar } from "./proportions.ts";
import {
  type ChartRange,
  comparisonOf,
  firstComparedDay,
  fitRange,
  rangeMenu,
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
    const requestedRange = readRange(query, now);
    const overview = await operations.getOverview({ since: firstDayToRead(requestedRange, now) });
    if ("failure" in overview) return failedView(overview, texts, { title });
    // If nobody is on the list, the page leaves out the numbers of people and the charts, because all numbers would be
    // zero.
    const content = overview.total === 0
      ? contentWithoutPeople(overview, pageContext)
      : await contentWithPeople(overview, requestedRange, pageContext);
    return {
      title,
      body: markup`${attentionSection(overview, pageContext)}
${content}`,
    };
  },
};

/**
 * Returns the first day for which the page needs the numbers of sign-ups: for the chart, for the comparison of the
 * range with the days before it, or for the figures.
 */
function firstDayToRead(range: ChartRange, now: number): string {
  // The figures compare the last 7 full days with the 7 days before them. The figure about last week needs no earlier
  // day, because last week began at most 13 days ago.
  const firstDayOfFigures = utcDay(now, 14);
  const firstDays = [range.chartSince, firstComparedDay(range), firstDayOfFigures];
  return firstDays.toSorted()[0]!;
}

/** What the page of an empty list shows below the section "Needs attention". */
function contentWithoutPeople(overview: Overview, { texts, may }: PageContext): Html {
  return markup`${firstSteps({ texts, may })}<div class="columns">${
    outboxSection(overview, texts)
  }${regularWorkSection(overview, texts)}</div>`;
}

/**
 * What the page of a list with people shows below the section "Needs attention".
 * @param requestedRange the range of the chart that the query asks for
 */
async function contentWithPeople(
  overview: Overview,
  requestedRange: ChartRange,
  pageContext: PageContext,
): Promise<Html> {
  const { operations, texts, may, now, personPath } = pageContext;
  const labels = texts.overview;
  const chart = await chartSection(overview, requestedRange, pageContext);
  const canInvite = overview.states.waiting > 0 && may("startWave");
  return markup`${facts(figuresOf(overview, texts, now), "figures")}
<div class="actions">
${canInvite && markup`<a class="button primary" href="${PATHS.invite}">${labels.invite}</a>`}
${searchForm(texts)}
</div>
${await linksToOpenWaves({ operations, texts })}
${chart}
<div class="columns">
<section><h2>${labels.states.heading}</h2>
${statesBar(overview, texts)}
${overview.funnel.invited > 0 && funnelFacts(overview, texts)}</section>
<div>${outboxSection(overview, texts)}
${regularWorkSection(overview, texts)}</div>
</div>
<section><h2>${labels.weeks.heading}</h2>
${weeksTable(overview, texts)}
<p class="hint">${labels.weeks.hint}</p></section>
${referralSection(overview, { texts, personPath })}
${campaignSection(overview, texts)}
<section><h2>${labels.answers.heading}</h2>
${answerBars(overview, texts)}</section>
<p class="hint">${labels.generated} ${showTime(overview.generatedAt, texts)}</p>`;
}

/**
 * The section with the chart, the links to other ranges, and a comparison with the days before the range. Between its
 * steps, calls of the API that are under way go first.
 */
async function chartSection(
  overview: Overview,
  requestedRange: ChartRange,
  { texts, yieldToCalls }: PageContext,
): Promise<Html> {
  const range = fitRange(requestedRange, overview);
  const { period, chartSince, until } = range;
  const rows = growthRows(overview, { by: period, since: chartSince, until });
  const foldedTable = await growthTable(rows, { texts, yieldToCalls });
  await yieldToCalls();
  const chart = growthChart(rows, { texts, foldedTable });
  await yieldToCalls();
  return markup`<section><h2>${texts.overview.days.heading}</h2>
${rangeMenu(range, overview, texts)}
${chart}
${comparisonOf(range, overview, texts)}</section>`;
}

/**
 * How many people were invited, how many of them accepted, and the median time from the invitation to the acceptance.
 */
function funnelFacts(
  { funnel: { invited, accepted, medianSeconds } }: Overview,
  texts: ConsoleTexts,
): Html {
  const { overview: { funnel: labels }, lang, percent } = texts;
  const share = percent(accepted / Math.max(1, invited));
  const figures = facts([
    [labels.invited, countLink(invited, { reached: "invited" }, texts)],
    [labels.accepted, markup`${countLink(accepted, { state: "accepted" }, texts)} (${share})`],
    [labels.median, medianSeconds !== undefined && showDuration(lang, medianSeconds)],
  ]);
  return markup`<h3>${labels.heading}</h3>
${figures}`;
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
  const today = utcDay(now);
  // `week` is the Monday of a week, so the day before it is the last day of last week.
  const lastSunday = utcDay(Date.parse(thisWeek.week), 1);
  const sameDayOfLastWeek = utcDay(now, 7);
  /** How many people signed up last week, up to the same weekday as today. */
  const lastWeekSoFar = overview.days
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
    [
      labels.lastWeek({ soFar: lastWeekSoFar }),
      signUpLink(lastWeek.signedUp, lastWeek.week, lastSunday),
    ],
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
  const attributes =
    markup` type="search" minlength="3" maxlength="254" autocapitalize="none" spellcheck="false"`;
  return postForm(
    { action: PATHS.people, attributes: markup` class="filters" role="search" autocomplete="off"` },
    markup`${field("search", { label: people.search, attributes })}
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
async function linksToOpenWaves(
  { operations, texts }: Pick<PageContext, "operations" | "texts">,
): Promise<Html[]> {
  const { invite: labels } = texts;
  const waveList = await operations.listWaves({});
  // If the waves cannot be read, the page has no links to them, because its other parts are useful without these links.
  const waves = "failure" in waveList ? [] : waveList.waves;
  return waves.flatMap((report) => {
    const { wave: id, invited } = report;
    const { stage, whole } = progressOf(report);
    if (stage === "done" || stage === "cancelled") return [];
    const invitedText = labels.soFar({ count: invited, whole });
    return markup`<p><a href="${wavePath(id)}">${labels.waveTitle({ wave: id })}</a>:
${describeStage(report, texts)}. ${invitedText}</p>`;
  });
}

/**
 * The section "Needs attention": first the problems that {@linkcode attentionIn} finds in the numbers, and then the
 * `warnings` of the overview, such as what is still to do before people use the service. Returns `undefined` if there
 * are no problems and no warnings.
 */
function attentionSection(
  overview: Overview,
  { texts, may }: Pick<PageContext, "texts" | "may">,
): Html | undefined {
  const { warnings: labels } = texts.overview;
  const links = problemLinks({ texts, may });
  const problems = attentionIn(overview)
    .map((problem) => markup`${describeAttention(problem, texts)} ${links[problem.about]}`);
  // A warning without a text in the language of the page is shown in English, as the service has written it.
  const warnings = overview.warnings
    .map(({ about, message }) => markup`${labels.launch[about] ?? message}`);
  const items = [...problems, ...warnings];
  if (items.length === 0) return undefined;
  return markup`<section class="warnings"><h2>${labels.heading}</h2>
<ul>
${items.map((item) => markup`<li class="warning">${item}</li>`)}
</ul></section>`;
}

/**
 * Links to the page that helps against each kind of problem. A link is `false` if no page helps, or if the operator's
 * role does not allow the action there.
 */
function problemLinks(
  { texts, may }: Pick<PageContext, "texts" | "may">,
): Record<Attention["about"], Html | false> {
  const outboxLink = markup`<a href="${PATHS.outbox}">${texts.overview.openOutbox}</a>`;
  const linkToData = (label: string) => markup`<a href="${PATHS.data}">${label}</a>`;
  const backupLink = may("backUp") && linkToData(texts.data.backupSubmit);
  return {
    paused: outboxLink,
    late: outboxLink,
    refused: outboxLink,
    drift: may("repairCounters") && linkToData(texts.data.repairSubmit),
    noBackup: backupLink,
    oldBackup: backupLink,
    // No page mends or repeats a backup of the service. The sentence about the problem has the reason.
    failedBackup: false,
    leftOutRuns: markup`<a href="${PATHS.invite}">${texts.invite.schedules.open}</a>`,
  };
}
