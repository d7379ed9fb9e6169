/** The plan of a schedule of waves: what its next runs would do. @module */
import type { SchedulePlan, ScheduleRequest } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { type Cell, facts, faultNote, showTime, table } from "../components.ts";
import { button, postForm, type SentFields } from "../forms.ts";
import type { PageContext } from "../page_context.ts";
import { withoutCodeField } from "./form.ts";
import { letterPreviews } from "./letter.ts";
import { passedOverFacts } from "./passed_over.ts";
import { describeTimes, SCHEDULE_PATH } from "./schedules.ts";
import { choiceFacts } from "./wave_choices.ts";
import { CHANGE_FIELD, fieldsWithout, WITHOUT_CODE_FIELD } from "./wave_of_form.ts";

/**
 * The fields that belong to the plan itself. Their sent values are not copied into the forms of the page, because
 * `confirmed` would create the schedule although the operator only wants to change it, and the operator must tick the
 * checkbox `without_code` again.
 */
const FIELDS_OF_PLAN = ["confirmed", WITHOUT_CODE_FIELD];

/**
 * What the page with the plan has: what the next runs would do, and the forms that create or change the schedule.
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
  const { invite, person } = texts;
  const { schedules: labels } = invite;
  const rows = runs.map(({ wave, dueAt, expires, wouldInvite }): Cell[] => [
    { rowHeading: showTime(dueAt, texts) },
    wave,
    { number: texts.number(wouldInvite) },
    expires === undefined ? "" : showTime(expires, texts),
  ]);
  const head = [labels.nextRun, invite.wave, { number: invite.wouldInvite }, person.expiresAt];
  const { times: mostRuns, link, lang } = schedule;
  const scheduleFacts = facts([
    [labels.schedule, markup`<code>${schedule.id}</code>`],
    [labels.times, describeTimes(schedule, texts)],
    [labels.most, mostRuns !== undefined && texts.number(mostRuns)],
    ...choiceFacts(schedule, texts),
  ]);
  const fields = fieldsWithout(form, FIELDS_OF_PLAN);
  const createForm = postForm(
    { action: SCHEDULE_PATH, fields: { ...fields, confirmed: true } },
    markup`${schedule.letters && withoutCodeField(link, texts)}
<p id="byItself">${labels.byItself}</p>
<button class="primary" type="submit" aria-describedby="byItself">${labels.makeNow}</button>`,
  );
  const changeForm = postForm(
    { action: SCHEDULE_PATH, fields: { ...fields, [CHANGE_FIELD]: true } },
    button(invite.change),
  );
  return markup`${fault && faultNote(fault)}
<p class="soft">${labels.planAbout}</p>
${table({ caption: labels.planCaption, head, rows })}
${facts(passedOverFacts(passedOver, texts, (count) => texts.number(count)), "figures")}
<section>${scheduleFacts}
<div class="actions">
${createForm}
${changeForm}
</div></section>
${schedule.letters && letterPreviews(pageContext, { link, ...lang && { langs: [lang] } })}`;
}
