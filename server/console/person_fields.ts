/** Form fields about people: state, language, source, answers, campaign and wave. `forms.ts` has the other fields. @module */
import { SLUG, WAVE_ID } from "../../shared/name_patterns.ts";
import type { Overview } from "../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup, select } from "../content/mod.ts";
import { CAMPAIGN_FIELDS, type CampaignField, OTHER_VALUES } from "../waitlist/mod.ts";
import { nameIn, type Names } from "./components.ts";
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
 * The field for a wave. It is a text field with suggestions and not a menu, because a page knows only the newest waves.
 * @param waveIds the ids that the field suggests
 */
export function waveField(
  wave: string,
  waveIds: string[],
  { invite }: Pick<ConsoleTexts, "invite">,
): Html {
  const attributes = markup` value="${wave}" list="wave-known" maxlength="64"
 pattern="${WAVE_ID.source}" autocapitalize="none" autocomplete="off" spellcheck="false"`;
  return markup`${field("wave", { label: invite.wave, attributes })}
<datalist id="wave-known">${waveIds.map((id) => markup`<option value="${id}">`)}</datalist>`;
}

/** A question about a person: the role, or the use case (`building`). */
type Question = "role" | "building";

/** What a field for the answer to a question shows. */
interface AnswerChoices {
  /** The chosen answer; empty if there is none. */
  answer: string;
  /** The answers of other people, which the field offers besides those of the brand. */
  otherAnswers: string[];
}

/** A menu that filters people by their answer to a question. Its first choice does not filter. */
export function answerFilter(
  question: Question,
  choices: AnswerChoices,
  texts: Pick<ConsoleTexts, "words" | "answers">,
): Html {
  const { all } = texts.words;
  return answerMenu(question, { ...choices, name: question, emptyLabel: all }, texts);
}

/**
 * The field in which an operator answers a question for a person: a menu if the brand offers answers, and otherwise a
 * text field with suggestions.
 * @param options.name the name of the field in the form
 */
export function answerField(
  question: Question,
  { name, ...choices }: AnswerChoices & { name: string },
  texts: Pick<ConsoleTexts, "words" | "answers" | "person">,
): Html {
  const { words, answers, person } = texts;
  if (Object.keys(answers[question]).length > 0) {
    return answerMenu(question, { ...choices, name, emptyLabel: "" }, texts);
  }
  const attributes = markup` value="${choices.answer}" list="${name}-known" maxlength="40"
 pattern="${SLUG.source}" title="${person.answerHint}" autocapitalize="none" autocomplete="off" spellcheck="false"`;
  const options = offeredSlugs(choices, {}).map((slug) => markup`<option value="${slug}">`);
  return markup`${field(name, { label: words.fields[question], attributes })}
<datalist id="${name}-known">${options}</datalist>`;
}

/**
 * The menu of the answers that a field offers.
 * @param options.emptyLabel the label of the empty choice, which means no answer or, in a filter, every answer
 */
function answerMenu(
  question: Question,
  { name, emptyLabel, ...choices }: AnswerChoices & { name: string; emptyLabel: string },
  { words, answers }: Pick<ConsoleTexts, "words" | "answers">,
): Html {
  const brandAnswers = answers[question];
  const options = offeredSlugs(choices, brandAnswers)
    .map((slug) => [slug, nameIn(brandAnswers, slug)] as const);
  const label = words.fields[question];
  return select({ name, label, chosen: choices.answer }, [["", emptyLabel], ...options]);
}

/** Returns the slugs of all answers that a field offers, in alphabetical order. */
function offeredSlugs({ answer, otherAnswers }: AnswerChoices, brandAnswers: Names): string[] {
  const slugs = new Set([...Object.keys(brandAnswers), ...otherAnswers]);
  if (answer) slugs.add(answer);
  return [...slugs].sort();
}

/**
 * The fields that filter people by campaign. Each field suggests the campaigns that are counted by name, and accepts
 * any text, because the console normalises the text as a sign-up does (`campaignValue`).
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
    const attributes = markup` value="${valueOf(name)}" list="${name}-known" autocapitalize="none"
 autocomplete="off" spellcheck="false"`;
    return markup`${field(name, { label: words.fields[name], attributes })}
<datalist id="${name}-known">${
      values.sort().map((value) => markup`<option value="${value}">`)
    }</datalist>`;
  });
}
