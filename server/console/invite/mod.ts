/**
 * The page "Invite". It leads from the form for a wave (`form.ts`) to the plan (`plan.ts`), and then to the page of the
 * wave (`wave.ts`). It also leads to the form for a schedule of waves (`schedule.ts`). The encrypted query of the URL
 * holds the fields of the form and of the plan, so that the browser's "Back" works. @module
 */
import { momentId } from "../../../shared/moments.ts";
import type { NotInvited, WaveRequest } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { isSafeLink } from "../../waitlist/mod.ts";
import {
  failedView,
  type FailureMessages,
  failureNote,
  statusNote,
  statusOf,
} from "../components.ts";
import {
  chosenPeopleFields,
  type FieldValues,
  isConfirmed,
  pathWith,
  type SentFields,
  toFields,
} from "../forms.ts";
import {
  type ConsolePage,
  type PageContext,
  type PageFailure,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";
import { codesPage } from "./codes.ts";
import {
  backLink,
  badLinkMessage,
  chosenPeopleView,
  nextPeopleForm,
  readLastLink,
} from "./form.ts";
import { letterPage } from "./letter.ts";
import { passedOverTable } from "./passed_over.ts";
import { planView, type PlanViewOptions, POSITION_FIELD, SEEN_EMAILS_FIELD } from "./plan.ts";
import { schedulePage } from "./schedule.ts";
import { changeSchedulePage, schedulesList } from "./schedules.ts";
import { testInvitationPage } from "./test_invitation.ts";
import { wavePage } from "./wave.ts";
import {
  BACK_FIELD,
  chosenEmails,
  isPeopleCount,
  LETTERS_FIELD,
  LINK_FIELD,
  mustConfirmNoCode,
  NEW_WAVE_FIELD,
  type RequestedWave,
  SHOW_FORM_FIELD,
  waveOfForm,
} from "./wave_of_form.ts";
import { wavePath, wavesList } from "./waves.ts";
export { describeStage, wavePath } from "./waves.ts";

const invitePage: ConsolePage = {
  path: PATHS.invite,
  async get(pageContext) {
    const { encryptedFields } = pageContext;
    if (encryptedFields) return await showFormOrPlan(pageContext, encryptedFields);
    const fields = new Map([[LETTERS_FIELD, "yes"], [LINK_FIELD, await readLastLink(pageContext)]]);
    return await formView(pageContext, fields);
  },
  async post(pageContext, form) {
    if (isConfirmed(form)) return await startWave(pageContext, form);
    // If the operator has given no name, the wave gets its id before its plan is shown, so that a form that is sent
    // twice starts only one wave.
    const needsId = !form.get("wave")?.trim() && !form.has(SHOW_FORM_FIELD);
    const fields = needsId ? new Map([...form, [NEW_WAVE_FIELD, momentId(pageContext.now)]]) : form;
    return await redirectToFormOrPlan(pageContext, fields);
  },
};

/**
 * Redirects to the form or the plan, with the given fields in the URL. If the fields are too long for a URL, shows the
 * form or the plan without a redirect.
 */
async function redirectToFormOrPlan(
  pageContext: PageContext,
  fields: SentFields,
): Promise<View | Response> {
  const path = pageContext.encryptedPath(PATHS.invite, fields);
  return path ? seeOther(path) : await showFormOrPlan(pageContext, fields);
}

/** Leads to the form for a wave of chosen people. @param back the path of the page on which the people were chosen */
export function inviteChosenPeople(
  pageContext: PageContext,
  emails: string[],
  back: string,
): Promise<View | Response> {
  const fields = { ...chosenPeopleFields(emails), [BACK_FIELD]: back, [SHOW_FORM_FIELD]: true };
  return redirectToFormOrPlan(pageContext, toFields(fields));
}

/**
 * Leads to the form for a wave of the next people who fit some filters.
 * @param values the filters and the number of people, as values of the fields of the form
 */
export async function inviteNextPeople(
  pageContext: PageContext,
  values: FieldValues,
): Promise<View | Response> {
  const link = await readLastLink(pageContext);
  const suggestions = { [LETTERS_FIELD]: true, [LINK_FIELD]: link };
  const fields = toFields({ ...values, ...suggestions, [SHOW_FORM_FIELD]: true });
  return await redirectToFormOrPlan(pageContext, fields);
}

/** Shows the form if it has {@linkcode SHOW_FORM_FIELD}, and otherwise the plan of the wave in the form. */
async function showFormOrPlan(
  pageContext: PageContext,
  form: SentFields,
): Promise<View | Response> {
  if (form.has(SHOW_FORM_FIELD)) return await formView(pageContext, form);
  const wave = waveOfForm(form, pageContext.now);
  // The browser's "Back" can lead to the plan of a wave that has started meanwhile. The page of the wave is shown then.
  const hasStarted = form.has(NEW_WAVE_FIELD) && await isStarted(pageContext, wave.wave);
  if (hasStarted) return seeOther(wavePath(wave.wave));
  return await showPlan(pageContext, { wave, form });
}

/**
 * Shows one part of a plan, which takes the service about a second at most. If the position of the next part does not
 * fit into a URL, shows the whole plan.
 */
async function showPlan(pageContext: PageContext, options: PlanViewOptions): Promise<View> {
  const view = await makePlanView(pageContext, options, positionIn(options.form)) ??
    await makePlanView(pageContext, options, {});
  if (!view) throw new Error("The plan of a wave has no end");
  return view;
}

/**
 * Makes the page with one part of a plan, or with the whole plan. Returns `undefined` if the position of the next part
 * does not fit into a URL.
 * @param position where the part begins; without `after`, the service makes the whole plan
 */
async function makePlanView(
  pageContext: PageContext,
  options: PlanViewOptions,
  position: Pick<WaveRequest, "after">,
): Promise<View | undefined> {
  const { wave, form, fault } = options;
  const plan = await pageContext.operations.startWave({ ...wave, dryRun: true, ...position });
  if ("failure" in plan) return await failedWaveView(pageContext, plan, { wave, form });
  const view = "wouldInvite" in plan && planView(pageContext, plan, options);
  return view ? { ...view, ...fault && { status: 409 } } : undefined;
}

/**
 * Returns the position at which the service continues a plan. Without a position in the form, this is the empty position
 * `{}`, at which the first part begins. If the position cannot be read, the service makes the whole plan at once.
 */
function positionIn(form: SentFields): Pick<WaveRequest, "after"> {
  try {
    return { after: JSON.parse(form.get(POSITION_FIELD) ?? "{}") };
  } catch {
    return {};
  }
}

/** Whether a wave with this id exists. If the wave cannot be read, its start reports the reason. */
async function isStarted({ operations }: PageContext, id: string): Promise<boolean> {
  return !("failure" in await operations.showWave({ id }));
}

/**
 * Whether a wave can still invite all people whom the operator has seen. Also returns `true` if the operation that
 * checks this fails, because the start of the wave then reports the reason.
 */
async function canInviteAll(
  { operations }: PageContext,
  emails: string[],
  { link, letters }: RequestedWave,
): Promise<boolean> {
  const plan = await operations.startWave({ emails, link, letters, dryRun: true });
  return !("wouldInvite" in plan) || plan.wouldInvite === emails.length;
}

/**
 * Starts a wave. Shows the plan again if the wave cannot invite everybody whom the operator has seen in the plan, if it
 * can invite nobody, or if the operator has not confirmed that letters go out without a code.
 */
async function startWave(pageContext: PageContext, form: SentFields): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const wave = waveOfForm(form, pageContext.now);
  const objection = await objectionToStart(pageContext, wave, form);
  if (objection) return await showPlan(pageContext, { wave, form, ...objection });
  const outcome = await operations.startWave(wave);
  if ("failure" in outcome) return await failedWaveView(pageContext, outcome, { wave, form });
  // The service returns a plan in place of a wave if the wave can invite nobody.
  if ("wouldInvite" in outcome) {
    return await showPlan(pageContext, { wave, form, ...planHasChanged(texts) });
  }
  const notInvited = outcome.notInvited ?? [];
  if (notInvited.length === 0) return seeOther(wavePath(wave.wave));
  return partlyInvitedView(texts, { form, waveId: wave.wave, notInvited });
}

/** Why a plan is shown again in place of the start of its wave. */
type Objection = Required<Pick<PlanViewOptions, "fault">> & Pick<PlanViewOptions, "hasChanged">;

const planHasChanged = ({ invite: labels }: ConsoleTexts): Objection => ({
  fault: labels.hasChanged,
  hasChanged: true,
});

/**
 * Says why the wave must not start yet. Returns `undefined` if the wave can start, or if it has started already, for
 * example because the form was sent twice.
 */
async function objectionToStart(
  pageContext: PageContext,
  wave: RequestedWave,
  form: SentFields,
): Promise<Objection | undefined> {
  const { texts } = pageContext;
  const seenEmails = form.get(SEEN_EMAILS_FIELD)?.split(" ");
  const lacksConfirmation = mustConfirmNoCode(form);
  if (!seenEmails && !lacksConfirmation) return undefined;
  if (await isStarted(pageContext, wave.wave)) return undefined;
  if (seenEmails && !await canInviteAll(pageContext, seenEmails, wave)) {
    return planHasChanged(texts);
  }
  return lacksConfirmation ? { fault: texts.invite.unsure } : undefined;
}

/** The page after the start of a wave of chosen people that passes over some of these people. */
function partlyInvitedView(
  texts: ConsoleTexts,
  { form, waveId, notInvited }: { form: SentFields; waveId: string; notInvited: NotInvited[] },
): View {
  const { invite: labels, number } = texts;
  const count = chosenEmails(form).length - notInvited.length;
  return {
    title: count === 1 ? labels.oneInvited : labels.manyInvited({ count: number(count) }),
    body: markup`${statusNote(labels.lookOn({ wave: waveId }))}
${passedOverTable(notInvited, texts)}
<div class="actions">
<a class="button primary" href="${wavePath(waveId)}">${labels.open}</a>
${backLink(form, labels.backToPeople)}
</div>`,
  };
}

/** Says why a wave failed. If the operator can correct the fault, shows the form again below the reason. */
async function failedWaveView(
  pageContext: PageContext,
  failure: PageFailure,
  { wave, form }: { wave: RequestedWave; form: SentFields },
): Promise<View> {
  const { texts } = pageContext;
  const status = statusOf(failure);
  if (status !== 400 && status !== 409) {
    return failedView(failure, texts, { title: texts.pages.invite, back: PATHS.invite });
  }
  const { wave: id, letters } = wave;
  const { withoutLetters, otherChoices } = texts.invite;
  // The status 409 has two causes: letters are chosen although the service sends no letters, or a wave of this name
  // exists with other choices.
  const needsMail = letters && pageContext.previewInvitation === undefined;
  const faults = describeFaults(wave, pageContext);
  const messages: FailureMessages = {
    conflict: needsMail ? `${texts.words.noMail} ${withoutLetters}` : otherChoices({ wave: id }),
    ...faults.length > 0 && { invalid_request: faults.join(" ") },
  };
  // If a wave of this name exists, the form shows the name, because the error message quotes the name.
  const fields = status === 409 && !needsMail ? new Map([...form, ["wave", id]]) : form;
  const fault = failureNote(failure, texts, messages);
  return { ...await formView(pageContext, fields, fault), status };
}

/** Says which of the operator's choices for a wave are wrong, in a sentence each. */
function describeFaults(
  { next: peopleCount, link, expires }: RequestedWave,
  { texts, now }: PageContext,
): string[] {
  const { badNumber, badExpires } = texts.invite;
  const hasBadNumber = peopleCount !== undefined && !isPeopleCount(peopleCount);
  // A text that is no date becomes `NaN`, which is not later than any moment.
  const hasBadExpiry = expires !== undefined && !(Date.parse(expires) > now);
  return [
    ...hasBadNumber ? [badNumber] : [],
    ...!isSafeLink(link) ? [badLinkMessage(texts, link)] : [],
    ...hasBadExpiry ? [badExpires] : [],
  ];
}

/**
 * Shows the page with a form for a wave. If the operator has chosen people, the page has the form for these people
 * only. Otherwise, it has the form for the next people, and the lists of schedules and waves below the form.
 */
async function formView(pageContext: PageContext, form: SentFields, fault?: Html): Promise<View> {
  const { operations, texts, previewInvitation, may } = pageContext;
  const title = texts.pages.invite;
  if (chosenEmails(form).length > 0) return await chosenPeopleView(pageContext, form, fault);
  const overview = await operations.getOverview({});
  if ("failure" in overview) return failedView(overview, texts, { title });
  const { about, waiting, codesAsFile } = texts.invite;
  const mayStart = may("startWave");
  const noMail = mayStart && !previewInvitation;
  const path = pathWith(PATHS.people, { state: "waiting" });
  return {
    title,
    body: markup`${fault}
${mayStart && markup`<p class="soft">${about}</p>`}
<p><a class="lead" href="${path}">${waiting({ count: overview.states.waiting })}</a></p>
${noMail && markup`<p class="notice">${texts.words.noMail} ${codesAsFile}</p>`}
${mayStart && nextPeopleForm(pageContext, form, overview)}
${await schedulesList(pageContext)}
${await wavesList(pageContext)}`,
  };
}

export const INVITE_PAGES: ConsolePage[] = [
  invitePage,
  letterPage,
  testInvitationPage,
  wavePage,
  codesPage,
  schedulePage,
  changeSchedulePage,
];
