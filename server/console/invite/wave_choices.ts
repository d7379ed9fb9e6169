/**
 * Writes what an operator has chosen for a wave or for a schedule of waves: the people, the link, and when the
 * invitations expire. `wave_of_form.ts` reads these choices from a form. @module
 */
import type { ScheduleRequest, WaveReport } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, markup } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS, type FILTERS } from "../../waitlist/mod.ts";
import { type Fact, nameIn, showEnd } from "../components.ts";
import { lacksCode, type RequestedWave } from "./wave_of_form.ts";

/**
 * Which people to invite: `next` is the number of the next people, who must fit the filters, and `named` is the number
 * of people whom an operator has chosen by their addresses. A wave has either `next` or `named`. These are the names of
 * the API.
 */
type PeopleChoices = Pick<WaveReport, "next" | "named" | typeof FILTERS[number]>;

/** All choices for a wave or a schedule. The request for a wave of chosen people has `emails` in place of `named`. */
type WaveChoices =
  & PeopleChoices
  & Pick<WaveReport, "link">
  & Pick<RequestedWave, "emails" | "expires">
  & Pick<ScheduleRequest, "expiresAfterDays">;

/** Says in a few words which people a wave or a schedule invites. */
export function describePeople(
  { next: nextCount = 0, named: chosenCount, ...filters }: PeopleChoices,
  { invite: labels, words, answers }: ConsoleTexts,
): string {
  const { lang, source, role, building, referrals } = filters;
  const people = chosenCount === undefined
    ? labels.nextPeople({ count: nextCount })
    : labels.chosenPeople({ count: chosenCount });
  const filterTexts = [
    lang && words.langs[lang],
    source && words.sources[source],
    role && nameIn(answers.role, role),
    building && nameIn(answers.building, building),
    ...CAMPAIGN_FIELDS.map((field) =>
      filters[field] && `${words.fields[field]}: ${filters[field]}`
    ),
    referrals !== undefined && labels.withReferrals({ count: referrals }),
  ];
  return [people, ...filterTexts.filter(Boolean)].join(", ");
}

/**
 * Lists the choices for a wave or a schedule. The people are left out if the choices have their addresses, because the
 * heading of the page has the number of these people.
 */
export function choiceFacts(choices: WaveChoices, texts: ConsoleTexts): Fact[] {
  const { words, person, invite: labels } = texts;
  const { link, expires, expiresAfterDays, emails } = choices;
  // Each run of a schedule can have an end of its own, which the page of the schedule shows beside the run.
  const expiry = expires ? showEnd(expires, texts) : !expiresAfterDays && words.noExpiry;
  return [
    [labels.whom, !emails && describePeople(choices, texts)],
    [words.link, markup`<code>${link}</code>${lacksCode(link) && ` (${labels.withoutCode})`}`],
    [person.expiresAt, expiry],
  ];
}
