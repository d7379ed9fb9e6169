/**
 * The start of a planned wave: the checks before the start, the start itself, and the page about chosen people who were
 * not invited. `plan.ts` has the page with the plan. @module
 */
import type { NotInvited } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, markup } from "../../content/mod.ts";
import { statusNote } from "../components.ts";
import type { SentFields } from "../forms.ts";
import { type PageContext, seeOther, type View } from "../page_context.ts";
import { failedWaveView } from "./form.ts";
import { backLink } from "./form_parts.ts";
import { passedOverTable } from "./passed_over.ts";
import { type PlanViewOptions, requestPlan, SEEN_EMAILS_FIELD, showPlan } from "./plan.ts";
import { chosenEmails, mustConfirmNoCode, type RequestedWave, waveOfForm } from "./wave_of_form.ts";
import { wavePath } from "./waves.ts";

/** Whether a wave with this id exists. If the wave cannot be read, its start reports the reason. */
export async function isStarted({ operations }: PageContext, id: string): Promise<boolean> {
  return !("failure" in await operations.showWave({ id }));
}

/**
 * Whether a wave can still invite all people whom the operator has seen. Also returns `true` if the operation that
 * checks this fails, because the start of the wave then reports the reason.
 */
async function canInviteAll(
  pageContext: PageContext,
  emails: string[],
  { link, letters }: RequestedWave,
): Promise<boolean> {
  const plan = await requestPlan(pageContext, { emails, link, letters });
  return "failure" in plan || plan.wouldInvite === emails.length;
}

/**
 * Starts a wave, and leads to its page. Shows the plan again if the wave cannot invite everybody whom the operator has
 * seen in the plan, if it can invite nobody, or if the operator has not confirmed that letters go out without a code.
 */
export async function startPlannedWave(
  pageContext: PageContext,
  form: SentFields,
): Promise<View | Response> {
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
  const { wave: id, notInvited = [] } = outcome;
  if (notInvited.length === 0) return seeOther(wavePath(id));
  return partlyInvitedView(texts, { form, waveId: id, notInvited });
}

/** Why a plan is shown again in place of the start of its wave. */
type Objection = Required<Pick<PlanViewOptions, "fault">> & Pick<PlanViewOptions, "hasChanged">;

/** The objection that the people in the plan have changed since the operator saw the plan. */
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
