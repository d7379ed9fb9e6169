/** Says on pages about waiting letters that all letters of the service pause. @module */
import { describeAttention } from "../content/mod.ts";
import type { PageContext } from "./page_context.ts";

/** Says why and until when all letters of the service pause; `false` if they do not. */
export async function describePause(
  { operations, texts, may }: Pick<PageContext, "operations" | "texts" | "may">,
): Promise<string | false> {
  const overview = may("getOverview") && await operations.getOverview({});
  if (!overview || "failure" in overview) return false;
  const { pause } = overview.outbox;
  return pause !== undefined && describeAttention({ about: "paused", ...pause }, texts);
}
