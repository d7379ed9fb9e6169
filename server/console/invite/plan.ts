/**
 * The plan of a wave: whom the wave would invite, whom it passes over, and the letter. Nobody is invited yet. @module
 */
import type { NotInvited, WavePlan, WaveReport } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS, FILTERS, type Lang, LANGS } from "../../waitlist/mod.ts";
import {
  breakable,
  countLink,
  type Fact,
  facts,
  faultNote,
  nameIn,
  progressBar,
  showTime,
  statusNote,
  table,
} from "../components.ts";
import { button, type FieldValues, postForm, type SentFields } from "../forms.ts";
import { type PageContext, PATHS, type View } from "../page_context.ts";
import { backLink, withoutCodeField } from "./form.ts";
import { letterPreviews } from "./letter.ts";
import { testInvitationForm } from "./test_invitation.ts";
import { chosenEmails, lacksCode, type RequestedWave, WITHOUT_CODE_FIELD } from "./wave_of_form.ts";

/**
 * The form field with the position, as JSON, at which the service continues a plan. The service makes a long plan in
 * parts.
 */
export const POSITION_FIELD = "position";

/** The field with the addresses that the operator has seen in the plan, separated by spaces. */
export const SEEN_EMAILS_FIELD = "shown";

/**
 * Whether a wave can still invite all people whom the operator has seen. Also returns `true` if the operation that
 * checks this fails, because the start of the wave then reports the reason.
 */
export async function canInvite(
  { operations }: PageContext,
  { link, letters }: RequestedWave,
  emails: string[],
): Promise<boolean> {
  const plan = await operations.startWave({ emails, link, letters, dryRun: true });
  return !("wouldInvite" in plan) || plan.wouldInvite === emails.length;
}

/**
 * The fields that belong to the plan itself. The other forms of the page do not send them again. For example, a form
 * with `confirmed` would start the wave although the operator only wants to change it.
 */
const FIELDS_OF_PLAN = ["confirmed", POSITION_FIELD, SEEN_EMAILS_FIELD, WITHOUT_CODE_FIELD];

/** The options of the page that shows a plan. */
export interface ShownPlan {
  wave: RequestedWave;
  form: SentFields;
  /** Why the plan is shown again; absent if the plan is shown for the first time. */
  fault?: string | undefined;
  /**
   * Whether the plan is shown again because its people have changed. The wave then starts without another comparison,
   * because the plan of a growing list could change again and again.
   */
  hasChanged?: boolean;
}

/**
 * Shows a plan. For an unfinished plan, shows a progress bar on a page that loads the next part by itself. Returns
 * `undefined` if the position of the next part does not fit into a URL.
 */
export function planView(
  pageContext: PageContext,
  plan: WavePlan,
  options: ShownPlan,
): View | undefined {
  const { texts, encryptedPath } = pageContext;
  const { pages: { invite: title }, invite: labels } = texts;
  const { next, read, total } = plan;
  if (!next) {
    const { wave } = options;
    const named = wave.emails && { named: wave.emails.length };
    const heading = markup`${title}: ${describePeople({ ...wave, ...named }, texts)}`;
    return { title, heading, body: planBody(pageContext, plan, options) };
  }
  const fields = new Map([...options.form, [POSITION_FIELD, JSON.stringify(next)]]);
  const path = encryptedPath(PATHS.invite, fields);
  if (!path) return undefined;
  const text = labels.lookedAt({ read, total });
  return {
    title,
    body: markup`<meta http-equiv="refresh" content="0; url=${path}">
<h2>${labels.looking}</h2>
${progressBar({ label: labels.looking, done: read, whole: total, text })}`,
  };
}

/** The filters with which the list of people shows the people whom a wave passes over, by reason. */
export const PASSED_OVER_FILTERS = {
  unconfirmed: { state: "unconfirmed" },
  undeliverable: { state: "waiting", mark: "undeliverable" },
  complained: { state: "waiting", mark: "complained" },
  invited: { reached: "invited" },
} as const satisfies Record<keyof WavePlan["passedOver"], FieldValues>;

/** The reasons why a wave passes over people, in the order in which a plan shows them. */
// The cast is needed because the type of `Object.keys()` loses the names of the members.
export const PASSED_OVER_REASONS = Object.keys(
  PASSED_OVER_FILTERS,
) as (keyof typeof PASSED_OVER_FILTERS)[];

/** The page of a finished plan: the numbers, the operator's choices, the buttons, the letters, and the first people. */
function planBody(
  pageContext: PageContext,
  plan: WavePlan,
  { wave, form, fault, hasChanged = false }: ShownPlan,
): Html {
  const { texts } = pageContext;
  const { invite: labels, words, number } = texts;
  const { wouldInvite, people, notInvited } = plan;
  const choices = new Map([...form].filter(([name]) => !FIELDS_OF_PLAN.includes(name)));
  const fields = Object.fromEntries(choices);
  const langs = languagesOf(plan, wave.lang);
  const figures: Fact[] = [
    [labels.wouldInvite, number(wouldInvite)],
    ...passedOverFacts(plan, wave, texts),
  ];
  const waveFacts: Fact[] = [
    [labels.wave, markup`<code>${wave.wave}</code>`],
    ...choiceFacts(wave, texts),
  ];
  const letters = wave.letters && wouldInvite > 0 && letterPreviews(pageContext, {
    link: wave.link,
    langs,
    after: testInvitationForm(pageContext, choices, langs),
  });
  return markup`${fault && faultNote(fault)}
${wouldInvite === 0 && statusNote(notInvited ? labels.nobodyNamed : labels.nobody, "warning")}
${facts(figures, "figures")}
<section>${facts(waveFacts)}
<div class="actions">
${wouldInvite > 0 && startForm(plan, { wave, fields, hasChanged }, texts)}
${postForm({ action: PATHS.invite, fields: { ...fields, change: true } }, button(labels.change))}
${notInvited && backLink(form, words.back)}
</div></section>
${notInvited && notInvited.length > 0 && notInvitedTable(notInvited, texts)}
${letters}
${people.length > 0 && markup`<div class="rows">${peopleTable(plan, texts)}</div>`}`;
}

/** The form that starts the wave of a plan. @param options.fields the choices of the operator */
function startForm(
  { wouldInvite: count, people, notInvited }: WavePlan,
  { wave, fields, hasChanged }: { wave: RequestedWave; fields: FieldValues; hasChanged: boolean },
  texts: ConsoleTexts,
): Html {
  const { invite: labels, words } = texts;
  // A wave of chosen people needs no comparison with the people in the plan, because the form names the people.
  const seen = hasChanged || notInvited ? undefined : people.map(({ email }) => email).join(" ");
  const submit = wave.letters ? labels.send({ count }) : labels.sendWithout({ count });
  return postForm(
    { action: PATHS.invite, fields: { ...fields, [SEEN_EMAILS_FIELD]: seen, confirmed: true } },
    markup`${wave.letters && withoutCodeField(wave.link, texts)}
<p id="undo">${words.cannotUndo}</p>
<button class="primary" type="submit" aria-describedby="undo">${submit}</button>`,
  );
}

/**
 * How many people the wave passes over. For chosen people, this is one number. For a wave of the next people, there is
 * a number for each reason.
 */
function passedOverFacts(
  { notInvited, passedOver }: WavePlan,
  wave: RequestedWave,
  texts: ConsoleTexts,
): Fact[] {
  const { invite: labels, number } = texts;
  if (notInvited) return [[labels.passedOverNamed, number(notInvited.length)]];
  const filtersOfWave = Object.fromEntries(FILTERS.map((name) => [name, wave[name]]));
  return PASSED_OVER_REASONS.map((reason) => {
    const count = passedOver[reason];
    const filters = { ...PASSED_OVER_FILTERS[reason], ...filtersOfWave };
    return [
      labels.passedOver({ reason: nameIn(labels.reasons, reason) }),
      count > 0 && countLink(count, filters, texts),
    ];
  });
}

/** The people whom the wave would invite. The plan lists only the first people of a large wave. */
function peopleTable({ people, wouldInvite }: WavePlan, texts: ConsoleTexts): Html {
  const { invite: labels, words } = texts;
  const listed = people.length;
  return table({
    caption: labels.caption({
      count: listed < wouldInvite ? labels.first({ count: listed }) : listed,
    }),
    head: [words.address, labels.since, words.fields.lang, words.fields.source],
    rows: people.map(({ email, createdAt, lang, source }) => [
      { row: email },
      showTime(createdAt, texts),
      words.langs[lang],
      source && words.sources[source],
    ]),
  });
}

/**
 * The languages of the people whom a wave would invite. Without a filter by language, these are the languages of the
 * people in the plan, or all languages if the plan lists only the first people.
 */
function languagesOf({ people, wouldInvite }: WavePlan, lang: Lang | undefined): readonly Lang[] {
  if (lang) return [lang];
  if (people.length < wouldInvite) return LANGS;
  return LANGS.filter((lang) => people.some((person) => person.lang === lang));
}

/** The choices with which a wave was started, or would be started. */
type WaveChoices =
  & Pick<WaveReport, "next" | "named" | "link" | typeof FILTERS[number]>
  & Pick<RequestedWave, "emails" | "expires">;

/** Says in a few words whom a wave or a schedule invites. */
export function describePeople(
  { named, next = 0, lang, source, role, building, referrals, ...campaign }: Omit<
    WaveChoices,
    "link"
  >,
  { invite: labels, words, answers }: ConsoleTexts,
): string {
  const whom = named === undefined
    ? labels.theNext({ count: next })
    : labels.byName({ count: named });
  const filters = [
    lang && words.langs[lang],
    source && words.sources[source],
    nameIn(answers.role, role ?? ""),
    nameIn(answers.building, building ?? ""),
    ...CAMPAIGN_FIELDS.map((field) =>
      campaign[field] && `${words.fields[field]}: ${campaign[field]}`
    ),
    referrals !== undefined && labels.withReferrals({ count: referrals }),
  ];
  return [whom, ...filters.filter(Boolean)].join(", ");
}

/** Lists what was chosen for a wave or a schedule: the people, the link, and when the invitations expire. */
export function choiceFacts(wave: WaveChoices, texts: ConsoleTexts): Fact[] {
  const { words, person, invite: labels } = texts;
  const { link, expires } = wave;
  return [
    [labels.chosen, !wave.emails && describePeople(wave, texts)],
    [words.link, markup`<code>${link}</code>${lacksCode(link) && ` (${labels.withoutCode})`}`],
    [person.expiresAt, expires && showTime(expires, texts)],
  ];
}

/** The chosen people whom a wave does not invite, each with the reason. */
function notInvitedTable(notInvited: NotInvited[], { invite: labels, words }: ConsoleTexts): Html {
  return table({
    caption: labels.passedOverNamed,
    head: [words.address, labels.why],
    rows: notInvited.map((
      { email, reason },
    ) => [{ row: breakable(email) }, labels.reasons[reason]]),
  });
}

/** The page after a wave that has not invited all of the chosen people. @param path the path of the wave's page */
export function partlyInvitedView(
  texts: ConsoleTexts,
  { form, wave, path, notInvited }: {
    form: SentFields;
    wave: string;
    path: string;
    notInvited: NotInvited[];
  },
): View {
  const { invite: labels, number } = texts;
  const count = chosenEmails(form).length - notInvited.length;
  return {
    title: count === 1 ? labels.oneInvited : labels.manyInvited({ count: number(count) }),
    body: markup`${statusNote(labels.lookOn({ wave }))}
${notInvitedTable(notInvited, texts)}
<div class="actions">
<a class="button primary" href="${path}">${labels.open}</a>
${backLink(form, labels.backToPeople)}
</div>`,
  };
}
