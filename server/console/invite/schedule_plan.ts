/**
 * The page with the plan of a schedule of waves: what the next runs would do, and the forms that create or change the
 * schedule. `schedule.ts` asks the service for the plan. @module
 */
import type { SchedulePlan, ScheduleRequest } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { type Cell, facts, faultNote, showEnd, showTime, table } from "../components.ts";
import { button, type FieldValues, postForm, type SentFields } from "../forms.ts";
import type { PageContext } from "../page_context.ts";
import { withoutCodeCheckbox } from "./form_parts.ts";
import { letterPreviews } from "./letter.ts";
import { passedOverFacts } from "./passed_over.ts";
import { describeTimes, NEW_SCHEDULE_PATH } from "./schedules.ts";
import { choiceFacts } from "./wave_choices.ts";
import { fieldsWithout, SHOW_FORM_FIELD, WITHOUT_CODE_FIELD } from "./wave_of_form.ts";

/**
 * The fields that belong to the plan itself. Their sent values are not copied into the forms of the page. A copied
 * `confirmed` would create the schedule although the operator only wants to change it, and the operator must tick the
 * checkbox `without_code` anew.
 */
const FIELDS_OF_PLAN = ["confirmed", WITHOUT_CODE_FIELD];

/**
 * The content of the page: the next runs, the operator's choices, buttons, and letters.
 * @param options.form the form that the operator has sent, with the choices for `schedule`
 * @param options.fault why the plan is shown again; `undefined` for the first time
 */
export function schedulePlanBody(
  pageContext: PageContext,
  { runs, passedOver }: SchedulePlan,
  { schedule, form, fault }: {
    schedule: ScheduleRequest;
    form: SentFields;
    fault: string | undefined;
  },
): Html {
  const { texts } = pageContext;
  const { link, lang, letters } = schedule;
  const choiceFields = fieldsWithout(form, FIELDS_OF_PLAN);
  const changeForm = postForm(
    { action: NEW_SCHEDULE_PATH, fields: { ...choiceFields, [SHOW_FORM_FIELD]: true } },
    button(texts.invite.change),
  );
  return markup`${fault && faultNote(fault)}
<p class="soft">${texts.invite.schedules.planAbout}</p>
${runsTable(runs, texts)}
${facts(passedOverFacts(passedOver, texts, (count) => texts.number(count)), "figures")}
<section>${scheduleFacts(schedule, texts)}
<div class="actions">
${createForm(schedule, choiceFields, texts)}
${changeForm}
</div></section>
${
    letters && letterPreviews(pageContext, {
      link,
      expires: runs[0]?.expires,
      ...lang && { langs: [lang] },
    })
  }`;
}

/** The next runs: when each run is due, the wave that it would start, and how many people the wave would invite. */
function runsTable(runs: SchedulePlan["runs"], texts: ConsoleTexts): Html {
  const { invite, person, number } = texts;
  const { schedules: labels } = invite;
  return table({
    caption: labels.planCaption,
    head: [labels.nextRun, invite.wave, { number: invite.wouldInvite }, person.expiresAt],
    rows: runs.map(({ wave, dueAt, expires, wouldInvite }): Cell[] => [
      { rowHeading: showTime(dueAt, texts) },
      wave,
      { number: number(wouldInvite) },
      expires !== undefined && showEnd(expires, texts),
    ]),
  });
}

/** What the operator has chosen for the schedule. */
function scheduleFacts(schedule: ScheduleRequest, texts: ConsoleTexts): Html {
  const { invite: { schedules: labels }, number } = texts;
  const { id, times: mostRuns } = schedule;
  return facts([
    [labels.schedule, markup`<code>${id}</code>`],
    [labels.times, describeTimes(schedule, texts)],
    [labels.most, mostRuns !== undefined && number(mostRuns)],
    ...choiceFacts(schedule, texts),
  ]);
}

/** The form that creates the schedule. @param choiceFields the choices of the operator */
function createForm(
  { letters, link }: ScheduleRequest,
  choiceFields: FieldValues,
  texts: ConsoleTexts,
): Html {
  const { schedules: labels } = texts.invite;
  return postForm(
    { action: NEW_SCHEDULE_PATH, fields: { ...choiceFields, confirmed: true } },
    markup`${letters && withoutCodeCheckbox(link, texts)}
<p id="byItself">${labels.byItself}</p>
<button class="primary" type="submit" aria-describedby="byItself">${labels.makeNow}</button>`,
  );
}
