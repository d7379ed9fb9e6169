/**
 * The page "Overview": how many people there are, in which states, and what needs attention. `attention.ts` has the
 * first section. `figures.ts`, `imports.ts`, `chart.ts`, `tables.ts`, `proportions.ts` and `referrals.ts` show the
 * numbers, and `range.ts` chooses the days of the chart.
 * @module
 */
import { growthRows } from "../../../shared/growth.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { progressOf } from "../../../shared/wave_stage.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { countLink, facts, failedView, section, showDuration, showTime } from "../components.ts";
import { lastDoneFacts } from "../data/mod.ts";
import { utcDay } from "../../waitlist/mod.ts";
import { button, field, pathWith, postForm } from "../forms.ts";
import { describeStage, wavePath } from "../invite/mod.ts";
import { markFigures } from "../mark_figures.ts";
import { outboxFacts } from "../outbox/mod.ts";
import { type ConsolePage, IMPORT_PATH, type PageContext, PATHS } from "../page_context.ts";
import { attentionSection, countTriedAgain } from "./attention.ts";
import { growthChart } from "./chart.ts";
import { firstDayOfFigures, overviewFigures, periodsTable } from "./figures.ts";
import { importedFact } from "./imports.ts";
import { answerBars, campaignSection, statesBar } from "./proportions.ts";
import {
  BEGINNING,
  type ChartRange,
  comparisonOf,
  firstComparedDay,
  fitRange,
  importNote,
  rangeMenu,
  readRange,
} from "./range.ts";
import { referralSection } from "./referrals.ts";
import { growthTable, weeksTable } from "./tables.ts";

/** The page. The query chooses the range of the chart, as the links and the form of `range.ts` write it. */
export const overviewPage: ConsolePage = {
  path: PATHS.overview,
  async get(pageContext) {
    const { operations, texts, query, now } = pageContext;
    const title = texts.pages.overview;
    const requestedRange = readRange(query, now);
    const overview = await operations.getOverview({ since: firstDayToRead(requestedRange, now) });
    if ("failure" in overview) return failedView(overview, texts, { title });
    const triedAgain = await countTriedAgain(overview, pageContext);
    // If nobody is on the list, the page leaves out the numbers of people and the charts, because all numbers would be
    // zero.
    const content = overview.total === 0
      ? await contentWithoutPeople(overview, pageContext)
      : await contentWithPeople(overview, requestedRange, pageContext);
    return {
      title,
      body: markup`${attentionSection(overview, triedAgain, pageContext)}
${content}`,
    };
  },
};

/**
 * Returns the first day for which the page needs the numbers of sign-ups: for the chart, for the comparison of the
 * range with the days before it, or for the figures.
 */
function firstDayToRead(range: ChartRange, now: number): string {
  const firstDays = [range.chartSince, firstComparedDay(range), firstDayOfFigures(now)];
  return firstDays.toSorted()[0]!;
}

/** What the page of an empty list shows below the section "Needs attention". */
async function contentWithoutPeople(overview: Overview, pageContext: PageContext): Promise<Html> {
  return markup`${firstSteps(pageContext)}<div class="columns">${await outboxSection(
    overview,
    pageContext,
  )}${regularWorkSection(overview, pageContext)}</div>`;
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
  const { operations, texts, may, personPath, now } = pageContext;
  const labels = texts.overview;
  const imported = await importedFact(overview, utcDay(now, 1), pageContext);
  const chart = await chartSection(overview, requestedRange, pageContext);
  const waveLinks = await linksToOpenWaves(overview, { operations, texts });
  const firstUnconfirmed = await readFirstUnconfirmed(overview, pageContext);
  const canInvite = overview.states.waiting > 0 && may("startWave");
  const states = markup`${statesBar(overview, texts)}
${overview.funnel.invited > 0 && funnelFacts(overview, texts)}`;
  return markup`${
    facts([...overviewFigures(overview, texts, now), ...imported ? [imported] : []], "figures")
  }
${waveLinks}
<div class="actions">
${canInvite && markup`<a class="button primary" href="${PATHS.invite}">${labels.invite}</a>`}
${activityLink(pageContext)}
</div>
${searchForm(texts)}
${chart}
<div class="columns">
${section("states", labels.states.heading, states)}
<div>${await outboxSection(overview, pageContext)}
${regularWorkSection(overview, pageContext)}</div>
</div>
${section("weeks", labels.weeks.heading, weeksTable(overview, firstUnconfirmed, texts))}
${referralSection(overview, { texts, personPath })}
${campaignSection(overview, texts)}
${section("answers", labels.answers.heading, answerBars(overview, texts))}
<p class="hint">${labels.generated} ${showTime(overview.generatedAt, texts)}</p>`;
}

/**
 * Reads the UTC day on which the first of the unconfirmed people signed up; `undefined` if nobody is unconfirmed. If the
 * people cannot be read, returns the first of all days, so that the page claims of no week that nobody was asked.
 */
async function readFirstUnconfirmed(
  { states }: Overview,
  { operations }: Pick<PageContext, "operations">,
): Promise<string | undefined> {
  if (states.unconfirmed === 0) return undefined;
  const state = "unconfirmed";
  const page = await operations.listSignups({
    state,
    order: "oldest",
    limit: 1,
    withPlaceUrl: false,
  });
  return "failure" in page ? BEGINNING : page.people[0]?.createdAt.slice(0, 10);
}

/**
 * The section with the table of the last days and weeks, the chart, the links to other ranges, and a comparison with the
 * days before the range. Between its steps, calls of the API that are under way go first.
 */
async function chartSection(
  overview: Overview,
  requestedRange: ChartRange,
  { texts, now, yieldToCalls }: PageContext,
): Promise<Html> {
  const range = fitRange(requestedRange, overview);
  const { period, chartSince, until } = range;
  const rows = growthRows(overview, { by: period, since: chartSince, until });
  const foldedTable = await growthTable(rows, { texts, yieldToCalls });
  await yieldToCalls();
  const chart = growthChart(rows, { texts, foldedTable });
  await yieldToCalls();
  const firstFiguresDay = firstDayOfFigures(now);
  const content = markup`${periodsTable(overview, texts, now)}
${importNote(range, overview, { firstFiguresDay, texts })}
${rangeMenu(range, overview, texts)}
${chart}
${comparisonOf(range, overview, texts)}`;
  return section("growth", texts.overview.days.heading, content);
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

/** How many letters and events the outbox holds, how many people get no letters, and a link to the outbox. */
async function outboxSection(overview: Overview, pageContext: PageContext): Promise<Html> {
  const { texts } = pageContext;
  const { pages, words, overview: { openOutbox } } = texts;
  const marks = await markFigures(pageContext);
  const content = markup`${!overview.sendsLetters && markup`<p class="soft">${words.noMail}</p>`}
${outboxFacts(overview, marks, texts)}
<p><a href="${PATHS.outbox}">${openOutbox}</a></p>`;
  return section("outbox", pages.outbox, content);
}

/** When the service last did its regular work, such as a backup. */
function regularWorkSection(
  overview: Overview,
  { texts }: Pick<PageContext, "texts">,
): Html {
  const lastDone = facts(lastDoneFacts(overview, texts));
  return section("regular", texts.overview.regular, lastDone);
}

/** A link to what operators and mail providers have done since the beginning of yesterday. */
function activityLink(
  { texts, may, now }: Pick<PageContext, "texts" | "may" | "now">,
): Html | false {
  const path = pathWith(PATHS.activity, { since: utcDay(now, 1) });
  return may("readAuditLog") &&
    markup`<a class="button" href="${path}">${texts.overview.sinceYesterday}</a>`;
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
  { outbox: { pause } }: Overview,
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
    // The words for the stage `inviting` have the number of invited people already.
    const showsInvited = stage !== "inviting" && invited < whole;
    const invitedText = showsInvited && ` ${labels.soFar({ count: invited, whole })}.`;
    return markup`<p><a href="${wavePath(id)}">${labels.waveTitle({ wave: id })}</a>:
${describeStage(report, texts, pause)}.${invitedText}</p>`;
  });
}
