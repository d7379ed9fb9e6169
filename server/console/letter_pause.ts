/** Says on pages about waiting letters that all letters of the service pause. @module */
import type { Overview } from "../../shared/operator_schemas.ts";
import { type ConsoleTexts, describeAttention, type Html, markup } from "../content/mod.ts";
import { type PageContext, PATHS } from "./page_context.ts";

/** Says why and until when all letters of the service pause; `false` if they do not. */
export async function describePause(
  { operations, texts, may }: Pick<PageContext, "operations" | "texts" | "may">,
): Promise<string | false> {
  const overview = may("getOverview") && await operations.getOverview({});
  if (!overview || "failure" in overview) return false;
  return pauseIn(overview, texts);
}

/** Says why and until when all letters pause, as the overview has it; `false` if they do not. */
export function pauseIn({ outbox: { pause } }: Overview, texts: ConsoleTexts): string | false {
  return pause !== undefined && describeAttention({ about: "paused", ...pause }, texts);
}

/** The sentence about a pause as a warning, with a link to the page "E-mails and events". */
export const pauseWarning = (sentence: string, { pages }: ConsoleTexts): Html =>
  markup`<p class="warning">${sentence} <a href="${PATHS.outbox}">${pages.outbox}</a></p>`;
