/** Says in a language what needs attention. @module */
import type { Attention } from "../../shared/attention.ts";
import type { ConsoleTexts } from "./texts.ts";

/** Writes a date-time in UTC, such as `2026-11-21T12:00:20.000Z`, to the minute. */
export const shortTime = (moment: string): string =>
  `${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC`;

export function describeAttention(each: Attention, { overview }: ConsoleTexts): string {
  const { warnings: texts } = overview;
  switch (each.about) {
    case "noBackup":
      return texts.noBackup;
    case "refused":
      return texts.refused[each.of.about](each.of);
    case "paused":
      return texts.paused({ until: shortTime(each.until), reason: each.reason });
    case "late":
      return texts.late({ since: shortTime(each.since) });
    default:
      return texts[each.about]({ reason: "", ...each, at: shortTime(each.at) });
  }
}
