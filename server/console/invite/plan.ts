/**
 * The page with the plan of a wave: which people the wave would invite, which people it would pass over, and the
 * letter. Nobody is invited yet. The service makes a long plan in parts, and the page of each part loads the next part.
 * `start_wave.ts` starts the wave. @module
 */
import type { WavePlan, WaveRequest } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { FILTERS, type Lang, LANGS } from "../../waitlist/mod.ts";
import { answerColumnsOf, answerOf } from "../answer_columns.ts";
import {
  countLink,
  type Fact,
  facts,
  faultNote,
  personLink,
  progressBar,
  showTime,
  statusNote,
  table,
} from "../components.ts";
import { button, type FieldValues, postForm, type SentFields } from "../forms.ts";
import { describePause, pauseWarning } from "../letter_pause.ts";
import { type PageContext, type PageFailure, PATHS, type View } from "../page_context.ts";
import { failedWaveView } from "./form.ts";
import { backLink, withoutCodeCheckbox } from "./form_parts.ts";
import { letterPreviews } from "./letter.ts";
import { PASSED_OVER_FILTERS, passedOverFacts, passedOverTable } from "./passed_over.ts";
import { TEST_FIELDS, testInvitationForm, testResultNotes } from "./test_invitation.ts";
import { choiceFacts, describePeople } from "./wave_choices.ts";
import {
  fieldsWithout,
  type RequestedWave,
  SHOW_FORM_FIELD,
  WITHOUT_CODE_FIELD,
} from "./wave_of_form.ts";

/** The form field with the position, as JSON, at which the next part of a plan begins. */
const POSITION_FIELD = "position";

/** The field with the addresses that the operator has seen in the plan, separated by spaces. */
export const SEEN_EMAILS_FIELD = "shown";

/**
 * The fields that belong to the plan itself. Their sent values are not copied into the forms of the page. For example,
 * a form with a copied `confirmed` would start the wave although the operator only wants to change it.
 */
const FIELDS_OF_PLAN = [
  "confirmed",
  POSITION_FIELD,
  SEEN_EMAILS_FIELD,
  WITHOUT_CODE_FIELD,
  ...TEST_FIELDS,
];

/** The options of the page that shows a plan. */
export interface PlanViewOptions {
  /** The wave of the plan, as {@linkcode form} describes it. */
  wave: RequestedWave;
  /** The form that the operator has sent. */
  form: SentFields;
  /** Why the plan is shown again; absent if the plan is shown for the first time. */
  fault?: string | undefined;
  /**
   * Whether the plan is shown again because its people have changed. The wave then starts without another comparison,
   * because the plan of a growing list could change again and again.
   */
  hasChanged?: boolean;
}

/** The position at which a part of a plan begins; the first part begins at the position `{}`. */
type PlanPosition = NonNullable<WaveRequest["after"]>;

/**
 * Shows one part of a plan, which takes the service about a second at most. Shows the whole plan instead if the
 * position in the form cannot be read, or if the position of the next part does not fit into a URL.
 */
export async function showPlan(pageContext: PageContext, options: PlanViewOptions): Promise<View> {
  const { wave, form } = options;
  const position = positionIn(form);
  if (position !== undefined) {
    const part = await requestPlan(pageContext, { ...wave, after: position });
    const partView = await viewOfPlan(pageContext, part, options);
    if (partView) return partView;
  }
  const wholePlan = await requestPlan(pageContext, wave);
  const wholeView = await viewOfPlan(pageContext, wholePlan, options);
  if (!wholeView) throw new Error("The plan of a wave has no end");
  return wholeView;
}

/** Returns the position in the form, or the position of the first part. `undefined` if the position cannot be read. */
function positionIn(form: SentFields): PlanPosition | undefined {
  try {
    return JSON.parse(form.get(POSITION_FIELD) ?? "{}");
  } catch {
    return undefined;
  }
}

/**
 * Makes the plan of a wave with the operation `startWave`, which starts nothing in a dry run. Makes one part of the
 * plan if the request has the position `after`, and otherwise the whole plan.
 */
export async function requestPlan(
  { operations }: PageContext,
  request: WaveRequest,
): Promise<WavePlan | PageFailure> {
  const plan = await operations.startWave({ ...request, dryRun: true });
  if ("failure" in plan || "wouldInvite" in plan) return plan;
  throw new Error("The dry run of a wave returned no plan");
}

/**
 * The page of a plan: a finished plan, a part of an unfinished plan, or the reason why the plan failed. Returns
 * `undefined` if the position of the next part does not fit into a URL.
 */
async function viewOfPlan(
  pageContext: PageContext,
  plan: WavePlan | PageFailure,
  options: PlanViewOptions,
): Promise<View | undefined> {
  if ("failure" in plan) return await failedWaveView(pageContext, plan, options);
  const view = plan.next
    ? unfinishedPlanView(pageContext, plan, options.form)
    : await finishedPlanView(pageContext, plan, options);
  return view && { ...view, ...options.fault && { status: 409 } };
}

/**
 * The page of an unfinished plan: a progress bar. The page loads the next part at once. Returns `undefined` if the
 * position of the next part does not fit into a URL.
 */
function unfinishedPlanView(
  { texts, encryptedPath }: PageContext,
  { read, total, next: nextPosition }: WavePlan,
  form: SentFields,
): View | undefined {
  const { pages, invite: labels } = texts;
  const nextForm = new Map([...form, [POSITION_FIELD, JSON.stringify(nextPosition)]]);
  const nextPath = encryptedPath(PATHS.invite, nextForm);
  if (nextPath === undefined) return undefined;
  const text = labels.lookedAt({ read, total });
  return {
    title: pages.invite,
    body: markup`<meta http-equiv="refresh" content="0; url=${nextPath}">
<h2>${labels.looking}</h2>
${progressBar({ label: labels.looking, done: read, whole: total, text })}`,
  };
}

/** The page of a finished plan. */
async function finishedPlanView(
  pageContext: PageContext,
  plan: WavePlan,
  options: PlanViewOptions,
): Promise<View> {
  const { texts } = pageContext;
  const title = texts.pages.invite;
  const { wave } = options;
  const pauseSentence = wave.letters !== false && await describePause(pageContext);
  // A plan has no number of chosen people, so the addresses are counted.
  const choices = { ...wave, ...wave.emails && { named: wave.emails.length } };
  return {
    title,
    heading: markup`${title}: ${describePeople(choices, texts)}`,
    body: markup`${pauseSentence && pauseWarning(pauseSentence, texts)}
${pauseSentence && plan.wouldInvite > 0 && markup`<p>${texts.invite.waitsInPause}</p>`}
${planBody(pageContext, plan, options)}`,
  };
}

/** What the page of a finished plan has: numbers, the operator's choices, buttons, letters, and the first people. */
function planBody(
  pageContext: PageContext,
  plan: WavePlan,
  { wave, form, fault, hasChanged = false }: PlanViewOptions,
): Html {
  const { texts } = pageContext;
  const { invite: labels, words } = texts;
  const { wouldInvite, people, notInvited } = plan;
  const choiceFields = fieldsWithout(form, FIELDS_OF_PLAN);
  const nobodyNote = wouldInvite === 0 &&
    statusNote(notInvited ? labels.nobodyChosen : labels.nobody, "warning");
  const waveFacts = facts([
    [labels.wave, markup`<code>${wave.wave}</code>`],
    ...choiceFacts(wave, texts),
    [labels.languages, describeLanguages(plan, texts)],
  ]);
  const changeForm = postForm(
    { action: PATHS.invite, fields: { ...choiceFields, [SHOW_FORM_FIELD]: true } },
    button(labels.change),
  );
  const langs = languagesOf(plan, wave.lang);
  const sendsLetters = wave.letters && wouldInvite > 0;
  const isFiltered = FILTERS.some((name) => wave[name] !== undefined);
  const countsPassedOver = !notInvited && isFiltered &&
    Object.values(plan.passedOver).some((count) => count > 0);
  const { link, expires } = wave;
  return markup`${fault && faultNote(fault)}
${testResultNotes(form, texts)}
${nobodyNote || fewerNote(plan, wave, texts)}
${facts(planFigures(plan, wave, texts), "figures")}
${countsPassedOver && markup`<p class="soft">${labels.passedOverFit}</p>`}
<section>${waveFacts}</section>
${sendsLetters && testInvitationForm(pageContext, form, { planFields: choiceFields, langs })}
<section><div class="actions">
${wouldInvite > 0 && startForm(plan, { wave, choiceFields, hasChanged }, texts)}
${changeForm}
${notInvited && backLink(form, words.back)}
</div></section>
${notInvited && notInvited.length > 0 && passedOverTable(notInvited, texts)}
${sendsLetters && letterPreviews(pageContext, { link, expires, langs })}
${people.length > 0 && markup`<div class="rows">${peopleTable(plan, pageContext)}</div>`}`;
}

/** Says that fewer people fit than the operator has asked for; `undefined` otherwise. */
function fewerNote(
  { wouldInvite: count, remaining }: WavePlan,
  { next: asked = 0 }: RequestedWave,
  { invite: labels, number }: ConsoleTexts,
): Html | undefined {
  if (remaining !== 0 || count >= asked) return undefined;
  const askedCount = number(asked);
  return statusNote(
    count === 1
      ? labels.oneFits({ asked: askedCount })
      : labels.manyFit({ asked: askedCount, count: number(count) }),
    "neutral",
  );
}

/** Says how many of the people have each language; `undefined` if the plan does not know this. */
function describeLanguages(
  { byLang, wouldInvite }: WavePlan,
  { words, number }: ConsoleTexts,
): string | undefined {
  if (!byLang || wouldInvite === 0) return undefined;
  return LANGS.filter((lang) => byLang[lang] > 0)
    .map((lang) => `${words.langs[lang]}: ${number(byLang[lang])}`).join(", ");
}

/**
 * How many people the wave would invite, would leave for later waves, and would pass over. For the next people, there is
 * a number of passed-over people for each reason. For chosen people, one number is enough, because a table has the reason
 * for each person.
 */
function planFigures(
  { wouldInvite, remaining, passedOver, notInvited }: WavePlan,
  wave: RequestedWave,
  texts: ConsoleTexts,
): Fact[] {
  const { invite: labels, number } = texts;
  const invitedFigure: Fact = [labels.wouldInvite, number(wouldInvite)];
  if (notInvited) return [invitedFigure, [labels.chosenPassedOver, number(notInvited.length)]];
  const filtersOfWave = Object.fromEntries(FILTERS.map((name) => [name, wave[name]]));
  const passedOverFigures = passedOverFacts(
    passedOver,
    texts,
    (count, reason) =>
      countLink(count, { ...PASSED_OVER_FILTERS[reason], ...filtersOfWave }, texts),
  );
  return [
    invitedFigure,
    [labels.remaining, remaining !== undefined && number(remaining)],
    ...passedOverFigures,
  ];
}

/** The form that starts the wave of a plan. @param options.choiceFields the choices of the operator */
function startForm(
  { wouldInvite: count, people, notInvited }: WavePlan,
  { wave, choiceFields, hasChanged }: {
    wave: RequestedWave;
    choiceFields: FieldValues;
    hasChanged: boolean;
  },
  texts: ConsoleTexts,
): Html {
  const { invite: labels } = texts;
  // A wave of chosen people needs no comparison with the people in the plan, because the form names the people.
  const needsComparison = !hasChanged && !notInvited;
  const seenEmails = needsComparison ? people.map(({ email }) => email).join(" ") : undefined;
  const submit = wave.letters ? labels.send({ count }) : labels.sendWithout({ count });
  return postForm(
    {
      action: PATHS.invite,
      fields: { ...choiceFields, [SEEN_EMAILS_FIELD]: seenEmails, confirmed: true },
    },
    markup`${wave.letters && withoutCodeCheckbox(wave.link, texts)}
<p id="undo">${wave.letters ? labels.cannotCallBack : labels.staysInvited}</p>
<button class="primary" type="submit" aria-describedby="undo">${submit}</button>`,
  );
}

/** The people whom the wave would invite. The plan lists only the first people of a large wave. */
function peopleTable(
  { people, wouldInvite }: WavePlan,
  { texts, personPath }: PageContext,
): Html {
  const { invite: labels, words } = texts;
  const columns = answerColumnsOf(people);
  const listedCount = people.length;
  const count = listedCount < wouldInvite ? labels.first({ count: listedCount }) : listedCount;
  return table({
    caption: labels.caption({ count }),
    head: [
      words.address,
      labels.since,
      words.fields.lang,
      ...columns.map((name) => words.fields[name]),
    ],
    rows: people.map((person) => {
      const { email, id, createdAt, lang } = person;
      return [
        { rowHeading: id === undefined ? email : personLink({ id, email }, personPath) },
        showTime(createdAt, texts),
        words.langs[lang],
        ...columns.map((name) => answerOf(person, name, texts)),
      ];
    }),
  });
}

/** The languages of the people whom a wave would invite; all languages if the plan does not know them. */
function languagesOf({ byLang }: WavePlan, lang: Lang | undefined): readonly Lang[] {
  if (lang) return [lang];
  return byLang ? LANGS.filter((each) => byLang[each] > 0) : LANGS;
}
