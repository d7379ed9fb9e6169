import type { AuditEntry } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { type Lang, STATES } from "../../waitlist/mod.ts";
import { knownValue, LANGS, SOURCES } from "../fields.ts";
import { showNumber, showTime, stateName } from "../components.ts";
import { PEOPLE_TEXTS } from "../people_texts.ts";
import { DETAIL_TEXTS } from "./detail_texts.ts";

type Details = NonNullable<AuditEntry["details"]>;

/** Shows the details of an entry, line by line; a name that is not known stands as it is. */
export function describeDetails(details: Details = {}, lang: Lang): Html {
  // That something was not so tells nothing.
  const told = Object.entries(details).filter(([, value]) => value !== false);
  const names: Partial<Record<string, string>> = DETAIL_TEXTS[lang].names;
  const lines = told.map(([name, value]) => {
    const label = names[name] ?? name;
    return typeof value === "boolean"
      ? markup`<li>${label}</li>`
      : markup`<li>${label}: ${showValue(name, value, lang)}</li>`;
  });
  return markup`${lines.length > 0 && markup`<ul class="details">${lines}</ul>`}`;
}

function showValue(name: string, value: string | number, lang: Lang): string | Html {
  const { langs, sources } = PEOPLE_TEXTS[lang];
  if (name === "overlapSeconds") return showDuration(lang, Number(value));
  if (typeof value === "number") return showNumber(lang, value);
  switch (name) {
    case "state": {
      const state = knownValue(STATES, value);
      return state ? stateName(lang, state) : value;
    }
    case "lang": {
      const known = knownValue(LANGS, value);
      return known ? langs[known] : value;
    }
    case "source": {
      const known = knownValue(SOURCES, value);
      return known ? sources[known] : value;
    }
    case "before":
    case "since":
      return value.length > 10 ? showTime(value) : value;
    case "wave":
    case "keyId":
    case "checksum":
      return markup`<code>${value}</code>`;
    default:
      return value;
  }
}

const UNIT_SECONDS = { day: 86_400, hour: 3_600, second: 1 } as const;

/** Writes a time in its largest whole unit, such as `7 days`. */
function showDuration(lang: Lang, seconds: number): string {
  const unit =
    (["day", "hour"] as const).find((unit) => seconds > 0 && seconds % UNIT_SECONDS[unit] === 0) ??
      "second";
  const format = new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" });
  return format.format(seconds / UNIT_SECONDS[unit]);
}
