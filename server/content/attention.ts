/** Says in a language what needs attention. @module */
import type { Attention } from "../../shared/attention.ts";
import type { ConsoleTexts } from "./texts.ts";

export function describeAttention(each: Attention, { overview, date }: ConsoleTexts): string {
  const { warnings: texts } = overview;
  const time = (moment: string) => `${date(moment)} UTC`;
  switch (each.about) {
    case "noBackup":
      return texts.noBackup;
    case "refused":
      return texts.refused[each.of.about]({ ...each.of, day: date(each.of.day) });
    case "paused":
      return texts.paused({ until: time(each.until), reason: each.reason });
    case "late":
      return texts.late({ since: time(each.since) });
    default:
      return texts[each.about]({ reason: "", ...each, at: time(each.at) });
  }
}
