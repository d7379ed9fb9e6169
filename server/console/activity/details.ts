import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { showTime } from "../components.ts";

type Details = NonNullable<AuditEntry["details"]>;

/** Shows the details of an entry, line by line; a name that is not known stands as it is. */
export function describeDetails(details: Details = {}, texts: ConsoleTexts): Html {
  // That something was not so tells nothing.
  const told = Object.entries(details).filter(([, value]) => value !== false);
  const names: Partial<Record<string, string>> = texts.activity.names;
  const lines = told.map(([name, value]) => {
    const label = names[name] ?? name;
    return typeof value === "boolean"
      ? markup`<li>${label}</li>`
      : markup`<li>${label}: ${showValue(name, value, texts)}</li>`;
  });
  return markup`${lines.length > 0 && markup`<ul class="details">${lines}</ul>`}`;
}

function showValue(name: string, value: string | number, texts: ConsoleTexts): string | Html {
  const { words: { states, langs, sources }, number, lang } = texts;
  if (name === "overlapSeconds") return showDuration(lang, Number(value));
  if (typeof value === "number") return number(value);
  const groups: Record<string, Partial<Record<string, string>>> = {
    state: states,
    lang: langs,
    source: sources,
  };
  switch (name) {
    case "before":
    case "since":
      return value.length > 10 ? showTime(value) : value;
    case "wave":
    case "keyId":
    case "checksum":
      return markup`<code>${value}</code>`;
    default:
      return groups[name]?.[value] ?? value;
  }
}

const UNIT_SECONDS = { day: 86_400, hour: 3_600, second: 1 } as const;

/** Writes a time in its largest whole unit, such as `7 days`. */
function showDuration(lang: string, seconds: number): string {
  const unit =
    (["day", "hour"] as const).find((unit) => seconds > 0 && seconds % UNIT_SECONDS[unit] === 0) ??
      "second";
  const format = new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" });
  return format.format(seconds / UNIT_SECONDS[unit]);
}
