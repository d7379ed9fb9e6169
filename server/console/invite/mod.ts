/**
 * The page "Invite". It leads from the form for a wave (`form.ts`) to the plan (`plan.ts`), then to the start
 * (`start_wave.ts`), and then to the page of the wave (`wave.ts`). It also leads to the form for a schedule of waves
 * (`schedule.ts`). The encrypted query of the URL holds the fields of the form and of the plan, so that the browser's
 * "Back" works. @module
 */
import { momentId } from "../../../shared/moments.ts";
import {
  chosenPeopleFields,
  type FieldValues,
  isConfirmed,
  type SentFields,
  toFields,
} from "../forms.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import { codesPage } from "./codes.ts";
import { formView } from "./form.ts";
import { readLastLink } from "./form_parts.ts";
import { letterPage } from "./letter.ts";
import { showPlan } from "./plan.ts";
import { schedulePage } from "./schedule.ts";
import { changeSchedulePage } from "./schedules.ts";
import { isStarted, startPlannedWave } from "./start_wave.ts";
import { asksForTest, TEST_RESULT_FIELD, testPlannedInvitation } from "./test_invitation.ts";
import { wavePage } from "./wave.ts";
import {
  BACK_FIELD,
  LETTERS_FIELD,
  LINK_FIELD,
  NEW_WAVE_FIELD,
  SHOW_FORM_FIELD,
  waveOfForm,
} from "./wave_of_form.ts";
import { wavePath } from "./waves.ts";
export { SCHEDULE_LIST_PATH } from "./schedules.ts";
export { describeStage, wavePath } from "./waves.ts";

const invitePage: ConsolePage = {
  path: PATHS.invite,
  async get(pageContext) {
    const { encryptedFields } = pageContext;
    if (encryptedFields) return await showFormOrPlan(pageContext, encryptedFields);
    const link = await readLastLink(pageContext);
    return await formView(pageContext, new Map([[LETTERS_FIELD, "yes"], [LINK_FIELD, link]]));
  },
  async post(pageContext, sentForm) {
    // Only the console itself gives the result of a test, so that the result needs no check when it is shown.
    const form = new Map(sentForm);
    form.delete(TEST_RESULT_FIELD);
    if (asksForTest(form)) {
      return await redirectToFormOrPlan(
        pageContext,
        await testPlannedInvitation(pageContext, form),
      );
    }
    if (isConfirmed(form)) return await startPlannedWave(pageContext, form);
    // If the operator has given no id, the wave gets one before its plan is shown, so that a form that is sent twice
    // starts only one wave.
    const needsId = !form.get("wave")?.trim() && !form.has(SHOW_FORM_FIELD);
    const formWithId = needsId
      ? new Map([...form, [NEW_WAVE_FIELD, momentId(pageContext.now)]])
      : form;
    return await redirectToFormOrPlan(pageContext, formWithId);
  },
};

/**
 * Redirects to the form or the plan, with the fields of the form in the URL. If the fields are too long for a URL,
 * shows the form or the plan without a redirect.
 */
async function redirectToFormOrPlan(
  pageContext: PageContext,
  form: SentFields,
): Promise<View | Response> {
  const path = pageContext.encryptedPath(PATHS.invite, form);
  return path ? seeOther(path) : await showFormOrPlan(pageContext, form);
}

/** Leads to the form for a wave of chosen people. @param back the path of the page on which the people were chosen */
export function inviteChosenPeople(
  pageContext: PageContext,
  emails: string[],
  back: string,
): Promise<View | Response> {
  const values = { ...chosenPeopleFields(emails), [BACK_FIELD]: back, [SHOW_FORM_FIELD]: true };
  return redirectToFormOrPlan(pageContext, toFields(values));
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
  const form = toFields({ ...values, ...suggestions, [SHOW_FORM_FIELD]: true });
  return await redirectToFormOrPlan(pageContext, form);
}

/** Shows the form if its fields have {@linkcode SHOW_FORM_FIELD}, and otherwise the plan of the wave in the form. */
async function showFormOrPlan(
  pageContext: PageContext,
  form: SentFields,
): Promise<View | Response> {
  if (form.has(SHOW_FORM_FIELD)) return await formView(pageContext, form);
  const wave = waveOfForm(form, pageContext.now);
  // The browser's "Back" can lead to the plan of a wave that has started meanwhile. The page of the wave is shown then.
  const { wave: id } = wave;
  if (form.has(NEW_WAVE_FIELD) && await isStarted(pageContext, id)) return seeOther(wavePath(id));
  return await showPlan(pageContext, { wave, form });
}

export const INVITE_PAGES: ConsolePage[] = [
  invitePage,
  letterPage,
  wavePage,
  codesPage,
  schedulePage,
  changeSchedulePage,
];
