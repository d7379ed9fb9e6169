/** What the counters tell of growth, and an overview's days by day or week as the console and the CLI show them. @module */
import { addDays, type Counter, STEPS, weekOf } from "./counters.ts";
import type { Overview } from "./operator_schemas.ts";

/** The sign-ups of a day or of a week, and the number of people at its end. */
export interface GrowthRow extends Pick<Overview["days"][number], "byLang" | "bySource"> {
  /** The first and the last UTC day. */
  since: string;
  until: string;
  added: number;
  people: number;
}

/** Adds up the days of an overview, from a day on or from the week that has it. */
export function growthRows(
  { days, total }: Pick<Overview, "days" | "total">,
  { by, since }: { by: "day" | "week"; since: string },
): GrowthRow[] {
  let people = total - days.reduce((sum, { added }) => sum + added, 0);
  const groups = Map.groupBy(days, ({ day }) => by === "week" ? weekOf(day) : day);
  const rows = Array.from(groups.values(), (group): GrowthRow => {
    const added = group.reduce((sum, { added }) => sum + added, 0);
    const [first, last] = [group[0]!, group.at(-1)!];
    const answers = first.byLang && {
      byLang: sumOf(group.map(({ byLang }) => byLang)),
      bySource: sumOf(group.map(({ bySource }) => bySource)),
    };
    return { since: first.day, until: last.day, added, people: people += added, ...answers };
  });
  return rows.filter(({ until }) => until >= since);
}

function sumOf(counts: (Record<string, number> | undefined)[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of counts.flatMap((each) => Object.entries(each ?? {}))) {
    sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries(sums);
}

/** How many days an overview has unless it is asked for others, and at the most; the last one is among them. */
const DAYS = 90, MAX_DAYS = 3_660;

/** Of how many days an overview tells the answers: those of 53 weeks. */
const DAYS_WITH_ANSWERS = 371;

/** The weeks of sign-up of which an overview tells how far people came. */
const WEEKS = 13;

const later = (a: string, b: string) => a > b ? a : b;

/** Which days an overview needs the counters of; `since` is the first one that it was asked for. */
export function growthRange(today: string, since = addDays(today, 1 - DAYS)) {
  const first = since < today ? since : today;
  return {
    today,
    since: later(first, addDays(today, 1 - MAX_DAYS)),
    /** The first day whose answers are told. */
    withAnswers: later(first, addDays(today, 1 - DAYS_WITH_ANSWERS)),
    /** The first Monday of the weeks. */
    weeks: weekOf(addDays(today, 7 - 7 * WEEKS)),
  };
}

/** Gives the days and weeks of an overview by counters, which have those of the range at least. */
export function growthOf(
  counters: { counter: Counter; count: number }[],
  { today, since, withAnswers, weeks: firstWeek }: ReturnType<typeof growthRange>,
): Pick<Overview, "days" | "weeks"> {
  const days = new Map<string, Overview["days"][number]>();
  const weeks = new Map<string, Overview["weeks"][number]>();
  // A range that begins before anybody signed up begins with them, or with the days that an overview always has.
  const [firstSignUp = ""] = counters
    .flatMap(({ counter: [kind, day = ""], count }) => kind === "added" && count > 0 ? [day] : [])
    .concat(addDays(today, 1 - DAYS)).toSorted();
  for (let day = later(since, firstSignUp); day <= today; day = addDays(day, 1)) {
    days.set(day, { day, added: 0, ...day >= withAnswers && { byLang: {}, bySource: {} } });
  }
  for (let week = firstWeek; week <= today; week = addDays(week, 7)) {
    weeks.set(week, { week, signedUp: 0, taken: 0, confirmed: 0, invited: 0, accepted: 0 });
  }
  for (const { counter: [kind, name = ""], count } of counters) {
    const [start = "", ...parts] = name.split("/");
    const day = days.get(start);
    if (kind === "added") {
      if (day) day.added += count;
      const week = weeks.get(weekOf(start));
      if (week) week.signedUp += count;
    } else if (kind === "withAnswers" && count > 0) {
      const [lang = "", source] = parts;
      if (day?.byLang) day.byLang[lang] = (day.byLang[lang] ?? 0) + count;
      if (day?.bySource && source) day.bySource[source] = (day.bySource[source] ?? 0) + count;
    } else if (kind === "wentOn") {
      const week = weeks.get(start), steps = parts[0]?.split(",") ?? [];
      for (const step of STEPS) if (week && steps.includes(step)) week[step] += count;
    }
  }
  return { days: [...days.values()], weeks: [...weeks.values()] };
}
