/**
 * The form for a schedule of waves, and the way from the form to the plan (`schedule_plan.ts`) and to the schedule. The
 * encrypted query of the URL holds the fields of the form and of the plan, so that the browser's "Back" works. @module
 */
import { SCHEDULE_ID } from "../../../shared/name_patterns.ts";
import type { Overview, ScheduleRequest } from "../../../shared/operator_schemas.ts";
import { TIME_OF_DAY, WEEKDAYS } from "../../../shared/schedule_times.ts";
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import { isSafeLink } from "../../waitlist/mod.ts";
import { failedView, type FailureMessages, failureNote, statusOf } from "../components.ts";
import {
  button,
  checkbox,
  field,
  isConfirmed,
  postForm,
  type SentFields,
  zoneSuggestions,
} from "../forms.ts";
import {
  type ConsolePage,
  type PageContext,
  type PageFailure,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";
import { faultOfZone, zoneOfText } from "../zones.ts";
import {
  badLinkMessage,
  linkField,
  noLettersMessage,
  peopleFields,
  readLastLink,
} from "./form_parts.ts";
import { countForMenus, type MenuCounts } from "./invitable.ts";
import { schedulePlanBody } from "./schedule_plan.ts";
import { NEW_SCHEDULE_PATH, SCHEDULE_LIST_PATH } from "./schedules.ts";
import {
  filterOfForm,
  isPeopleCount,
  LETTERS_FIELD,
  LINK_FIELD,
  mustConfirmNoCode,
  SHOW_FORM_FIELD,
  textOfField,
} from "./wave_of_form.ts";

/** The time of day that the form for a new schedule suggests. */
const SUGGESTED_TIME = "09:00";

export const schedulePage: ConsolePage = {
  path: NEW_SCHEDULE_PATH,
  async get(pageContext) {
    const { encryptedFields, may } = pageContext;
    if (!may("createSchedule")) return seeOther(PATHS.invite);
    if (encryptedFields) return await showFormOrPlan(pageContext, encryptedFields);
    const fields = new Map([
      [LETTERS_FIELD, "yes"],
      [LINK_FIELD, await readLastLink(pageContext)],
      ["at", SUGGESTED_TIME],
      ["zone", await lastZone(pageContext)],
    ]);
    return await formView(pageContext, fields);
  },
  async post(pageContext, form) {
    if (isConfirmed(form)) return await createSchedule(pageContext, form);
    const path = pageContext.encryptedPath(NEW_SCHEDULE_PATH, form);
    return path ? seeOther(path) : await showFormOrPlan(pageContext, form);
  },
};

/**
 * Returns the time zone that the form for a new schedule suggests: the zone of the last schedule in the list, or `UTC`.
 */
async function lastZone({ operations }: PageContext): Promise<string> {
  const scheduleList = await operations.listSchedules({});
  return "schedules" in scheduleList ? scheduleList.schedules.at(-1)?.zone ?? "UTC" : "UTC";
}

/** Reads a schedule from a form. Its values are checked only by the operation `createSchedule`. */
function scheduleOfForm(form: SentFields): ScheduleRequest {
  const text = (name: string) => textOfField(form, name);
  const weekday = text("weekday");
  return {
    id: text("id"),
    next: Number(text("next")),
    link: text(LINK_FIELD),
    ...filterOfForm(form),
    letters: form.has(LETTERS_FIELD),
    ...text("days") && { expiresAfterDays: Number(text("days")) },
    // The cast is safe, because the operation refuses a value that is no weekday.
    ...weekday
      ? { every: "week", weekday: weekday as NonNullable<ScheduleRequest["weekday"]> }
      : { every: "day" },
    at: text("at"),
    zone: zoneOfText(text("zone")),
    ...text("until") && { until: text("until") },
    ...text("times") && { times: Number(text("times")) },
  };
}

/** Shows the form if it has {@linkcode SHOW_FORM_FIELD}, and otherwise the plan of the schedule in the form. */
async function showFormOrPlan(pageContext: PageContext, form: SentFields): Promise<View> {
  if (form.has(SHOW_FORM_FIELD)) return await formView(pageContext, form);
  return await showPlan(pageContext, form);
}

/** Shows the page with the plan of a schedule. @param fault why the plan is shown again; absent for the first time */
async function showPlan(pageContext: PageContext, form: SentFields, fault?: string): Promise<View> {
  const schedule = scheduleOfForm(form);
  const plan = await pageContext.operations.createSchedule({ ...schedule, dryRun: true });
  if ("failure" in plan) return await failedScheduleView(pageContext, form, plan);
  if (!("passedOver" in plan)) throw new Error("The dry run of a schedule returned no plan");
  return {
    title: titleIn(pageContext.texts),
    body: schedulePlanBody(pageContext, plan, { schedule, form, fault }),
    ...fault && { status: 409 },
  };
}

/**
 * Creates the schedule. Shows the plan again if the operator has not confirmed that letters go out without a code.
 */
async function createSchedule(
  pageContext: PageContext,
  form: SentFields,
): Promise<View | Response> {
  const { operations, texts: { invite } } = pageContext;
  if (mustConfirmNoCode(form)) return await showPlan(pageContext, form, invite.unsure);
  const outcome = await operations.createSchedule(scheduleOfForm(form));
  if ("failure" in outcome) return await failedScheduleView(pageContext, form, outcome);
  return seeOther(SCHEDULE_LIST_PATH);
}

/** The title of the form and of the plan. */
const titleIn = ({ invite }: ConsoleTexts): string => invite.schedules.make;

/**
 * Says why the service refuses a schedule or its plan. If the operator can correct the fault, shows the form again
 * below the reason.
 */
async function failedScheduleView(
  pageContext: PageContext,
  form: SentFields,
  failure: PageFailure,
): Promise<View> {
  const { texts } = pageContext;
  const status = statusOf(failure);
  if (status !== 400 && status !== 409) {
    return failedView(failure, texts, { title: titleIn(texts), back: PATHS.invite });
  }
  const schedule = scheduleOfForm(form);
  const { id, letters } = schedule;
  const faults = describeFaults(schedule, texts);
  const messages: FailureMessages = {
    conflict: noLettersMessage(pageContext, letters) ??
      texts.invite.schedules.otherChoices({ id }),
    ...faults.length > 0 && { invalid_request: faults.join(" ") },
  };
  return { ...await formView(pageContext, form, failureNote(failure, texts, messages)), status };
}

/** Says which of the operator's choices for a refused schedule are wrong, in a sentence each. */
function describeFaults(
  { next: peopleCount, link, at, zone, until }: ScheduleRequest,
  texts: ConsoleTexts,
): string[] {
  const { badNumber, schedules: labels } = texts.invite;
  const zoneFault = faultOfZone(zone, texts);
  const faults = [
    ...!isPeopleCount(peopleCount) ? [badNumber] : [],
    ...!isSafeLink(link) ? [badLinkMessage(texts, link)] : [],
    ...!TIME_OF_DAY.test(at) ? [labels.badTime] : [],
    ...zoneFault !== undefined ? [zoneFault] : [],
  ];
  // If no other fault explains the refusal, the schedule ends before its first run.
  return faults.length === 0 && until !== undefined ? [labels.noRun] : faults;
}

/** The page with the form for a schedule. @param fault why the form is shown again; absent for the first time */
async function formView(pageContext: PageContext, values: SentFields, fault?: Html): Promise<View> {
  const { operations, texts, previewInvitation } = pageContext;
  const { invite: { schedules: labels }, words } = texts;
  const title = titleIn(texts);
  const overview = await operations.getOverview({});
  if ("failure" in overview) return failedView(overview, texts, { title, back: PATHS.invite });
  const menuCounts = await countForMenus(pageContext, overview);
  return {
    title,
    body: markup`${fault}
<p class="soft">${labels.about}</p>
${!previewInvitation && markup`<p class="notice">${words.noMail} ${labels.linksOfWaves}</p>`}
${scheduleForm(pageContext, values, { overview, menuCounts })}
<p><a class="button" href="${PATHS.invite}">${words.back}</a></p>`,
  };
}

/** The form for a schedule. @param values the values of its fields */
function scheduleForm(
  { texts, previewInvitation }: PageContext,
  values: SentFields,
  counted: { overview: Overview; menuCounts: MenuCounts },
): Html {
  const { invite: { schedules: labels }, words } = texts;
  const valueOf = (name: string) => values.get(name) ?? "";
  const valueField = (name: string, { attributes, ...others }: Parameters<typeof field>[1]) =>
    field(name, { attributes: markup` value="${valueOf(name)}"${attributes}`, ...others });
  const wholeNumber = markup` type="number" min="1" step="1"`;
  const days = [
    // Without a weekday, the schedule runs every day.
    ["", labels.days.day] as const,
    ...WEEKDAYS.map((weekday) => [weekday, labels.days[weekday]] as const),
  ];
  const weekdayMenu = { name: "weekday", label: labels.when, chosen: valueOf("weekday") };
  // The operation `createSchedule` has the same limits as the fields.
  const nameField = valueField("id", {
    label: labels.name,
    attributes: markup` required maxlength="53" pattern="${SCHEDULE_ID.source}"`,
    hint: labels.nameHint,
  });
  const timeField = valueField("at", {
    label: labels.at,
    attributes: markup` type="time" required`,
  });
  const zoneField = valueField("zone", {
    label: labels.zone,
    attributes: markup` required maxlength="64" list="zone-known" spellcheck="false"`,
  });
  const validDaysField = valueField("days", {
    label: labels.validDays,
    attributes: markup`${wholeNumber} max="3650"`,
    hint: labels.validHint,
  });
  const lastDayField = valueField("until", {
    label: labels.until,
    attributes: markup` type="date"`,
    hint: labels.untilHint,
  });
  const mostRunsField = valueField("times", {
    label: labels.most,
    attributes: wholeNumber,
    hint: labels.mostHint,
  });
  const lettersCheckbox = previewInvitation &&
    checkbox(LETTERS_FIELD, { label: words.sendLetters, checked: values.has(LETTERS_FIELD) });
  return postForm(
    { action: NEW_SCHEDULE_PATH, attributes: markup` class="wave" autocomplete="off"` },
    markup`${nameField}
<div class="filters">
${select(weekdayMenu, days)}
${timeField}
${zoneField}
</div>
${zoneSuggestions()}
${peopleFields(texts, values, counted)}
${linkField(texts, values)}
${validDaysField}
${lastDayField}
${mostRunsField}
${lettersCheckbox}
${button(labels.preview, "primary")}`,
  );
}
