/** Form fields about people: state, language, source, answers and campaign. `forms.ts` has the other fields. @module */
import { SLUG } from "../../shared/name_patterns.ts";
import type { Overview } from "../../shared/operator_schemas.ts";
import { ownMember } from "../../shared/own_member.ts";
import { type ConsoleTexts, type Html, markup, select } from "../content/mod.ts";
import { CAMPAIGN_FIELDS, type CampaignField, OTHER_VALUES } from "../waitlist/mod.ts";
import { field } from "./forms.ts";

/** A menu to filter by state, language or source. Its first choice does not filter. */
export function filterField(
  name: "state" | "lang" | "source",
  { words, chosen }: { words: ConsoleTexts["words"]; chosen?: string | undefined },
): Html {
  const names = { state: words.states, lang: words.langs, source: words.sources }[name];
  return select({ name, label: words.fields[name], chosen }, [
    ["", words.all],
    ...Object.entries(names),
  ]);
}

/**
 * The field for a role or a use case (`building`): a menu if `isMenu` is set or the brand offers answers, and otherwise
 * a text field with suggestions.
 */
export function answerField(
  name: "role" | "building",
  {
    texts: { words, answers, person },
    id = name,
    value,
    suggestions = [],
    emptyLabel = "",
    isMenu = false,
  }: {
    texts: Pick<ConsoleTexts, "words" | "answers" | "person">;
    /** The name of the field in the form, and its `id` in the HTML; `name` by default. */
    id?: string;
    value: string;
    /** The answers of other people, which the field suggests besides those of the brand. */
    suggestions?: string[];
    /** The label of the empty choice, which means no answer or, in a filter, every answer. */
    emptyLabel?: string;
    /**
     * Whether the field is a menu even if the brand offers no answers. A filter is such a menu, because it needs only
     * the answers that people have given.
     */
    isMenu?: boolean;
  },
): Html {
  const label = words.fields[name];
  const names = answers[name];
  const slugs = new Set([...Object.keys(names), ...suggestions]);
  if (value) slugs.add(value);
  const sortedSlugs = [...slugs].sort();
  if (isMenu || Object.keys(names).length > 0) {
    const options = sortedSlugs.map((slug) => [slug, ownMember(names, slug) ?? slug] as const);
    return select({ name: id, label, chosen: value }, [["", emptyLabel], ...options]);
  }
  const input = markup` value="${value}" list="${id}-known" maxlength="40" pattern="${SLUG.source}"
 title="${person.answerHint}" autocapitalize="none" autocomplete="off" spellcheck="false"`;
  return markup`${field(id, { label, attributes: input })}
<datalist id="${id}-known">${
    sortedSlugs.map((slug) => markup`<option value="${slug}">`)
  }</datalist>`;
}

/**
 * The fields that filter people by campaign. They suggest the campaigns that are counted by name. They accept any text,
 * because the console normalises the value as a sign-up does (`campaignValue`).
 */
export function campaignFields(
  { words }: Pick<ConsoleTexts, "words">,
  { valueOf, counts }: {
    valueOf: (name: CampaignField) => string;
    /** How many people each campaign has brought, by the values of each field. */
    counts: Overview["campaigns"];
  },
): Html[] {
  return CAMPAIGN_FIELDS.map((name) => {
    const values = Object.keys(counts?.[name] ?? {}).filter((value) => value !== OTHER_VALUES);
    const input = markup` value="${valueOf(name)}" list="${name}-known" autocapitalize="none"
 autocomplete="off" spellcheck="false"`;
    return markup`${field(name, { label: words.fields[name], attributes: input })}
<datalist id="${name}-known">${
      values.sort().map((value) => markup`<option value="${value}">`)
    }</datalist>`;
  });
}
