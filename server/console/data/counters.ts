import type { RecountReport, RepairReport } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { STATES } from "../../waitlist/mod.ts";
import { confirmView, isConfirmed } from "../confirm.ts";
import { PATHS } from "../layout.ts";
import { failedView } from "../failures.ts";
import type { Fields } from "../fields.ts";
import {
  doneNote,
  facts,
  numberCell,
  numberHead,
  showNumber,
  stateName,
  table,
} from "../components.ts";
import { readToEnd } from "../answer_lines.ts";
import type { PageContext, View } from "../page_context.ts";
import { DATA_TEXTS, type DataTexts } from "./texts.ts";

/** Compares the counters with the records, and shows what was found. */
export async function verifyView({ operations, lang }: PageContext): Promise<View> {
  const texts = DATA_TEXTS[lang];
  const verified = await operations.POST("/operator/v1/counters/verify", {
    body: {},
    parseAs: "stream",
  });
  const report = verified.data && (await readToEnd<RecountReport>(verified.data))?.at(-1);
  if (!report) return failedView(verified, { lang, title: texts.verify, back: PATHS.data });
  const verdict = judge(report, texts);
  return {
    title: texts.verified,
    body: markup`${
      report.agrees ? doneNote(verdict) : markup`<p class="warning" role="status">${verdict}</p>`
    }
${findings(report, lang)}
${!report.agrees && repairForm(texts)}
${backLink(texts)}`,
  };
}

function judge(
  { agrees, exact, differences, lists }: RecountReport,
  { verdicts }: DataTexts,
): string {
  if (hasFaults(lists)) return verdicts.lists;
  if (!agrees) return verdicts.wrong;
  if (exact) return verdicts.right;
  return differences.length === 0 ? verdicts.none : verdicts.explained;
}

/** Corrects the counters, after it has asked, and shows what it did. */
export async function repairView(
  { operations, lang }: PageContext,
  form: Fields,
): Promise<View> {
  const texts = DATA_TEXTS[lang];
  if (!isConfirmed(form)) {
    return confirmView({
      lang,
      title: texts.repairTitle,
      body: markup`<p>${texts.repairBody}</p>`,
      action: PATHS.data,
      fields: { action: "repair" },
      submit: texts.repairSubmit,
      back: PATHS.data,
    });
  }
  const repaired = await operations.POST("/operator/v1/counters/repair", {
    body: {},
    parseAs: "stream",
  });
  const report = repaired.data && (await readToEnd<RepairReport>(repaired.data))?.at(-1);
  if (!report) return failedView(repaired, { lang, title: texts.repair, back: PATHS.data });
  const { verdicts } = texts;
  const { differences, recounts, lists } = report;
  const counters = !report.repaired
    ? verdicts.notRepaired(showNumber(lang, recounts))
    : differences.length === 0
    ? verdicts.wereRight
    : verdicts.corrected(showNumber(lang, differences.length));
  const verdict = hasFaults(lists) ? `${verdicts.mended} ${counters}` : counters;
  return {
    title: texts.repaired,
    body: markup`${
      report.repaired ? doneNote(verdict) : markup`<p class="warning" role="status">${verdict}</p>`
    }
${findings(report, lang)}
${!report.repaired && repairForm(texts)}
${backLink(texts)}`,
  };
}

function hasFaults({ missing, surplus }: RecountReport["lists"]): boolean {
  return missing > 0 || surplus > 0;
}

function findings(report: RecountReport, lang: PageContext["lang"]): Html {
  const texts = DATA_TEXTS[lang];
  const { records, changed, differences, lists, unreadable } = report;
  const number = (count: number) => showNumber(lang, count);
  return markup`${
    facts([
      [texts.records, number(records)],
      [texts.changed, number(changed)],
      [texts.missing, lists.missing > 0 && number(lists.missing)],
      [texts.surplus, lists.surplus > 0 && number(lists.surplus)],
    ])
  }
${
    differences.length > 0 && table({
      caption: texts.differences,
      head: [texts.counter, numberHead(texts.kept), numberHead(texts.recounted)],
      rows: differences.map(({ counter, kept, recounted }) => [
        markup`<th scope="row">${nameCounter(counter, lang)}</th>`,
        numberCell(lang, kept),
        numberCell(lang, recounted),
      ]),
    })
  }
${
    unreadable.length > 0 && table({
      caption: texts.unreadable,
      head: [texts.key, texts.why],
      rows: unreadable.map(({ key, reason }) => [key.join(" "), reason]),
    })
  }`;
}

/** Names a counter, such as `byRole/planner`; a kind that is not known stands as it is. */
function nameCounter(counter: string, lang: PageContext["lang"]): string {
  const [kind = "", ...rest] = counter.split("/");
  const name = (DATA_TEXTS[lang].counterNames as Partial<Record<string, string>>)[kind];
  if (name === undefined) return counter;
  const value = rest.join("/");
  const state = kind === "byState" ? STATES.find((state) => state === value) : undefined;
  return value ? `${name}: ${state ? stateName(lang, state) : value}` : name;
}

function repairForm(texts: DataTexts): Html {
  return markup`<form method="post" action="${PATHS.data}">
<input type="hidden" name="action" value="repair">
<button type="submit">${texts.repair}</button>
</form>`;
}

function backLink(texts: DataTexts): Html {
  return markup`<p><a href="${PATHS.data}">${texts.back}</a></p>`;
}
