/** Describes the problems of the service in words. @module */
import type { Attention } from "../../shared/attention.ts";
import type { ConsoleTexts } from "./console_texts.ts";

/** Describes a problem in a sentence, in the language of the texts. */
export function describeAttention(problem: Attention, { overview, date }: ConsoleTexts): string {
  const { warnings: texts } = overview;
  const time = (moment: string) => `${date(moment)} UTC`;
  switch (problem.about) {
    case "noBackup":
      return texts.noBackup;
    case "rejected":
      return texts.rejected({ count: problem.count });
    case "refused": {
      const { about, day, refused, tried } = problem.refusals;
      return texts.refused[about]({ day: date(day), refused, tried });
    }
    case "reports": {
      const { kind, since, count } = problem.reports;
      return texts.reports[kind]({ since: date(since), count });
    }
    case "leftOutRuns": {
      const { schedule, reason, dates } = problem.runs;
      return texts.leftOutRuns[reason]({
        schedule,
        dates: dates.map((day) => date(day)).join(", "),
      });
    }
    case "paused":
      return problem.testing
        ? texts.pauseTested({ since: time(problem.since), reason: problem.reason })
        : texts.paused({
          since: time(problem.since),
          until: time(problem.until),
          reason: problem.reason,
        });
    case "late":
      return texts.late({ since: time(problem.since) });
    case "drift":
      return texts.drift({ at: time(problem.at) });
    case "oldBackup":
      return texts.oldBackup({ at: time(problem.at) });
    case "failedBackup":
      return texts.failedBackup({ at: time(problem.at), reason: problem.reason });
  }
}
