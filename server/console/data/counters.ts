/** Verifies and repairs the counters, and shows the report of the recount. @module */
import type { Progress, RecountReport, RepairReport } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, markup } from "../../content/mod.ts";
import {
  type Cell,
  doneNote,
  facts,
  failedView,
  nameIn,
  type Names,
  table,
} from "../components.ts";
import { button, confirmView, isConfirmed, postForm, type SentFields } from "../forms.ts";
import { linesOf, type PageContext, PATHS, type View } from "../page_context.ts";

/** Recounts all records, and shows how the counters differ. */
export async function verifyView(pageContext: PageContext): Promise<View> {
  const { operations, texts } = pageContext;
  const { data } = texts;
  const verified = await operations.verifyCounters({});
  if ("failure" in verified) {
    return failedView(verified, texts, { title: data.verify, back: PATHS.data });
  }
  const report = reportIn(await linesOf(verified, pageContext));
  const verdict = verdictOf(report, texts);
  return reportView({ title: data.verified, verdict, isGood: report.agrees }, report, texts);
}

/** Sums up a report in one sentence. */
function verdictOf(
  { agrees, exact, differences, lists }: RecountReport,
  { data: { verdicts } }: ConsoleTexts,
): string {
  if (hasFaults(lists)) return verdicts.lists;
  if (!agrees) return verdicts.wrong;
  if (exact) return verdicts.right;
  return differences.length === 0 ? verdicts.none : verdicts.explained;
}

/** Returns the report, which is the last line of a recount. */
function reportIn<Report extends object>(lines: (Report | Progress)[]): Report {
  const report = lines.at(-1);
  if (!report || "progress" in report) throw new Error("The recount ended without a report");
  return report;
}

/** Asks for confirmation first; then recounts all records, and sets the counters right. */
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
  const { verdicts } = data;
  const { repaired, differences, recounts, lists } = report;
  const counters = !repaired
    ? verdicts.notRepaired({ recounts })
    : differences.length === 0
    ? verdicts.wereRight
    : verdicts.corrected({ count: differences.length });
  const verdict = hasFaults(lists) ? `${verdicts.mended} ${counters}` : counters;
  return reportView({ title: data.repaired, verdict, isGood: repaired }, report, texts);
}

const hasFaults = ({ missing, surplus }: RecountReport["lists"]): boolean =>
  missing > 0 || surplus > 0;

/**
 * Makes the page with the verdict and the numbers of a recount. If the counters are not right, the page offers to
 * repair them.
 */
function reportView(
  { title, verdict, isGood }: { title: string; verdict: string; isGood: boolean },
  { records, changed, differences, lists, unreadable }: RecountReport | RepairReport,
  texts: ConsoleTexts,
): View {
  const { data, number } = texts;
  const different = differences.map(({ counter, kept, recounted }): Cell[] => [
    { row: nameCounter(counter, texts) },
    { number: number(kept) },
    { number: number(recounted) },
  ]);
  const counted = facts([
    [data.records, number(records)],
    [data.changed, number(changed)],
    [data.missing, lists.missing > 0 && number(lists.missing)],
    [data.surplus, lists.surplus > 0 && number(lists.surplus)],
  ]);
  const differing = different.length > 0 && table({
    caption: data.differences,
    head: [data.counter, { number: data.kept }, { number: data.recounted }],
    rows: different,
  });
  const damaged = unreadable.length > 0 && table({
    caption: data.unreadable,
    head: [data.key, data.why],
    rows: unreadable.map(({ key, reason }) => [key.join(" "), reason]),
  });
  return {
    title,
    body: markup`${doneNote(verdict, isGood ? "notice" : "warning")}
${counted}
${differing}
${damaged}
${!isGood && postForm({ action: PATHS.data, fields: { action: "repair" } }, button(data.repair))}
<p><a href="${PATHS.data}">${texts.pages.data}</a></p>`,
  };
}

/** Returns a name for a counter such as `byRole/planner`. A counter of an unknown kind keeps its own name. */
function nameCounter(counter: string, { data, words }: ConsoleTexts): string {
  const names: Names = { ...data.counterNames, ...words.fields };
  const [kind = "", ...rest] = counter.split("/");
  const name = names[kind.replace("by", "").toLowerCase()];
  if (name === undefined) return counter;
  const value = rest.join("/");
  return value ? `${name}: ${kind === "byState" ? nameIn(words.states, value) : value}` : name;
}
