/** Says on pages about waiting letters that all letters of the service pause. @module */
import type { Overview } from "../../shared/operator_schemas.ts";
import { type ConsoleTexts, describeAttention, type Html, markup } from "../content/mod.ts";
import { type PageContext, PATHS } from "./page_context.ts";

/** A pause of all letters. */
export type ShownPause = NonNullable<Overview["outbox"]["pause"]>;

/** Reads the pause of all letters; `undefined` if there is none, or if the role of the operator may not see it. */
export async function readPause(
  { operations, may }: Pick<PageContext, "operations" | "may">,
): Promise<ShownPause | undefined> {
  const overview = may("getOverview") && await operations.getOverview({});
  return !overview || "failure" in overview ? undefined : overview.outbox.pause;
}

/** Says why and until when all letters of the service pause; `false` if they do not. */
export async function describePause(
  pageContext: Pick<PageContext, "operations" | "texts" | "may">,
): Promise<string | false> {
  const pause = await readPause(pageContext);
  return pause !== undefined && pauseSentence(pause, pageContext.texts);
}

/** Says why and until when all letters pause, as the overview has it; `false` if they do not. */
export const pauseIn = ({ outbox: { pause } }: Overview, texts: ConsoleTexts): string | false =>
  pause !== undefined && pauseSentence(pause, texts);

/** Says why and until when all letters pause. */
export const pauseSentence = (pause: ShownPause, texts: ConsoleTexts): string =>
  describeAttention({ about: "paused", ...pause }, texts);

/**
 * Whether a letter with this due time is tried after the pause and not at this time.
 * @param dueAt a date-time
 * @param options.pause the pause of all letters; `undefined` if there is none
 */
export const isTriedAfterPause = (
  dueAt: string,
  { pause, now }: { pause: ShownPause | undefined; now: number },
): boolean => pause !== undefined && Date.parse(dueAt) <= Math.max(Date.parse(pause.until), now);

/**
 * Says until when the pause lasts at least, or that the next test of the pause is due or under way, with a link to the
 * page "E-mails and events", which says why all letters pause.
 */
export function pauseEnd(
  { until, testing }: ShownPause,
  { person, pages, date }: ConsoleTexts,
): Html {
  const { inPause: labels } = person;
  return markup`${
    testing ? labels.tested : labels.until({ until: date(until) })
  } <a href="${PATHS.outbox}">${pages.outbox}</a>`;
}

/** The sentence about a pause as a warning, with a link to the page "E-mails and events". */
export const pauseWarning = (sentence: string, { pages }: ConsoleTexts): Html =>
  markup`<p class="warning">${sentence} <a href="${PATHS.outbox}">${pages.outbox}</a></p>`;
