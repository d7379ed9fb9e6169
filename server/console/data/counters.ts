/** Verifies and repairs the counters, and shows the report of the recount. @module */
import type { Counter } from "../../../shared/counters.ts";
import type { Progress, RecountReport, RepairReport } from "../../../shared/operator_schemas.ts";
import { ownMember } from "../../../shared/own_member.ts";
import { type ConsoleTexts, markup } from "../../content/mod.ts";
import { facts, failedView, nameIn, statusNote, table } from "../components.ts";
import { button, confirmView, isConfirmed, postForm, type SentFields } from "../forms.ts";
import { linesOf, type PageContext, PATHS, type View } from "../page_context.ts";

/** Recounts all records, and shows how the counters differ. */
export async function verifyView(pageContext: PageContext): Promise<View> {
  const { operations, texts } = pageContext;
  const { data } = texts;
  const recount = await operations.verifyCounters({});
  if ("failure" in recount) {
    return failedView(recount, texts, { title: data.verify, back: PATHS.data });
  }
  const report = reportIn(await linesOf(recount, pageContext));
  const verdict = verdictOnCounters(report, texts);
  return reportView({ title: data.verified, verdict, isGood: report.agrees }, report, texts);
}

/** Asks for confirmation. Once the operator has confirmed, recounts all records and sets the counters right. */
export async function repairView(pageContext: PageContext, form: SentFields): Promise<View> {
  const { operations, texts } = pageContext;
  const { data, words } = texts;
  if (!isConfirmed(form)) {
    return confirmView({
      title: data.repairTitle,
      body: markup`<p>${data.repairBody}</p>`,
      action: PATHS.data,
      fields: { action: "repair" },
      submit: data.repairSubmit,
      cancel: markup`<a class="button" href="${PATHS.data}">${words.back}</a>`,
    });
  }
  const repair = await operations.repairCounters({});
  if ("failure" in repair) {
    return failedView(repair, texts, { title: data.repair, back: PATHS.data });
  }
  const report = reportIn(await linesOf(repair, pageContext));
  const verdict = verdictOnRepair(report, texts);
  return reportView({ title: data.repaired, verdict, isGood: report.repaired }, report, texts);
}

/** Returns the report of a recount, which is the last line. @throws an Error if there is no report */
function reportIn<Report extends object>(lines: (Report | Progress)[]): Report {
  const report = lines.at(-1);
  if (!report || "progress" in report) throw new Error("The recount ended without a report");
  return report;
}

/**
 * Sums up a verification in one sentence. Faults of the lists of people come first. Only an exact recount, during which
 * no record changed, shows that the counters are right. After any other recount, the sentence says whether the changed
 * records can explain the differences.
 */
function verdictOnCounters(
  { agrees, exact, differences, lists }: RecountReport,
  { data: { verdicts } }: ConsoleTexts,
): string {
  if (hasFaults(lists)) return verdicts.lists;
  if (!agrees) return verdicts.wrong;
  if (exact) return verdicts.right;
  return differences.length === 0 ? verdicts.none : verdicts.explained;
}

/** Sums up a repair: first the lists of people, if they had faults, and then the counters. */
function verdictOnRepair(report: RepairReport, texts: ConsoleTexts): string {
  const counters = verdictOnRepairedCounters(report, texts);
  return hasFaults(report.lists) ? `${texts.data.verdicts.mended} ${counters}` : counters;
}

function verdictOnRepairedCounters(
  { repaired, differences, recounts }: RepairReport,
  { data: { verdicts } }: ConsoleTexts,
): string {
  if (!repaired) return verdicts.notRepaired({ recounts });
  const count = differences.length;
  return count === 0 ? verdicts.wereRight : verdicts.corrected({ count });
}

const hasFaults = ({ missing, surplus }: RecountReport["lists"]): boolean =>
  missing > 0 || surplus > 0;

/**
 * Makes the page with the verdict and the numbers of a recount. If the verdict is not good, the page offers a repair.
 */
function reportView(
  { title, verdict, isGood }: { title: string; verdict: string; isGood: boolean },
  { records, changed, differences, lists, unreadable }: RecountReport | RepairReport,
  texts: ConsoleTexts,
): View {
  const { data, number } = texts;
  const recountFacts = facts([
    [data.records, number(records)],
    [data.changed, number(changed)],
    [data.missing, lists.missing > 0 && number(lists.missing)],
    [data.surplus, lists.surplus > 0 && number(lists.surplus)],
  ]);
  const differencesTable = differences.length > 0 && table({
    caption: data.differences,
    head: [data.counter, { number: data.kept }, { number: data.recounted }],
    rows: differences.map(({ counter, kept: storedCount, recounted: actualCount }) => [
      { rowHeading: nameCounter(counter, texts) },
      { number: number(storedCount) },
      { number: number(actualCount) },
    ]),
  });
  const unreadableTable = unreadable.length > 0 && table({
    caption: data.unreadable,
    head: [data.key, data.why],
    rows: unreadable.map(({ key, reason }) => [key.join(" "), reason]),
  });
  return {
    title,
    body: markup`${statusNote(verdict, isGood ? "notice" : "warning")}
${recountFacts}
${differencesTable}
${unreadableTable}
${!isGood && postForm({ action: PATHS.data, fields: { action: "repair" } }, button(data.repair))}
<p><a href="${PATHS.data}">${texts.pages.data}</a></p>`,
  };
}

/**
 * Returns a name for a counter such as `byRole/planner`. A counter that no page shows by itself, such as
 * `wentOn/2026-11-16/taken`, has no name in the texts and is shown as it is stored.
 */
function nameCounter(counter: string, { data, words }: ConsoleTexts): string {
  const names: Partial<Record<Counter[0], string>> = {
    total: data.counterNames.total,
    added: data.counterNames.added,
    byState: words.fields.state,
    byLang: words.fields.lang,
    byRole: words.fields.role,
    byBuilding: words.fields.building,
    bySource: words.fields.source,
  };
  const [kind = "", ...valueParts] = counter.split("/");
  const name = ownMember(names, kind);
  if (name === undefined) return counter;
  const value = valueParts.join("/");
  if (value === "") return name;
  return `${name}: ${kind === "byState" ? nameIn(words.states, value) : value}`;
}
