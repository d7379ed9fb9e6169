/**
 * The page that counts the people in a selection, the page that then asks an operator before a job reminds or erases
 * all of them, and the start of the job. `jobs.ts` shows the jobs that were started. @module
 */
import { momentId } from "../../../shared/moments.ts";
import type { PeopleSelection, SignupCountRequest } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import { failedView, faultNote, listLink, pathOfList, statusNote } from "../components.ts";
import { button, field, postForm, type SentFields, toFields } from "../forms.ts";
import { type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import { actLabel, eraseQuestion } from "./acts.ts";
import { selectionFacts } from "./filter_facts.ts";
import { jobPath } from "./jobs.ts";
import { type ListQuery, readListQuery, selectionOf, valuesOf } from "./list_query.ts";
import { COUNT_ACT, countFieldsOf, SELECTION_PATH } from "./selection_buttons.ts";

type JobAct = "remind" | "erase";

/** The acts before which the people in the selection are counted: those of a job, and the count alone. */
export const COUNTING_ACTS = ["remind", "erase", COUNT_ACT] as const;

type CountingAct = typeof COUNTING_ACTS[number];

/** The form field with the position, as JSON, at which the service continues a long count. */
const POSITION_FIELD = "position";

/** The form field with the number of people that the page has shown. The job acts on at most this number of people. */
const COUNT_FIELD = "most";

/** The form field into which the operator types the number of people before an erasure. */
const TYPED_COUNT_FIELD = "typed";

/** The people on whom an act acts: everybody whom the filters find, or for a reminder those who are unconfirmed. */
const selectionOfAct = (act: CountingAct, listQuery: ListQuery): PeopleSelection => ({
  ...selectionOf(listQuery),
  ...act === "remind" && { state: "unconfirmed" as const },
});

/**
 * Redirects to the page that counts the people in the selection. The selection is encrypted in the URL of this page,
 * because the text of a search can be an e-mail address. If the selection is too long for a URL, shows the page without
 * a redirect.
 */
export async function redirectToCount(
  pageContext: PageContext,
  form: SentFields,
  act: CountingAct,
): Promise<View | Response> {
  const fields = toFields({ ...valuesOf(readListQuery(form)), act, list: form.get("list") });
  const path = pageContext.encryptedPath(SELECTION_PATH, fields);
  return path ? seeOther(path) : await countThenGoOn(pageContext, fields, act);
}

/**
 * Counts the people in the selection. Then asks for confirmation before the act of a job, or goes back to the list,
 * which shows the number. The service makes a long count in parts, and the page shows the number so far and loads the
 * next part by itself.
 */
export async function countThenGoOn(
  pageContext: PageContext,
  fields: SentFields,
  act: CountingAct,
): Promise<View | Response> {
  const { operations, texts, encryptedPath, readClock } = pageContext;
  const title = act === COUNT_ACT ? texts.jobs.counting : texts.people.acts[act];
  const listQuery = readListQuery(fields);
  const selection = selectionOfAct(act, listQuery);
  let after = positionIn(fields);
  while (true) {
    const part = await operations.countSignups({ ...selection, ...after && { after } });
    if ("failure" in part) {
      const back = pathOfList(fields.get("list"));
      return failedView(part, texts, { title, back });
    }
    const { count, next } = part;
    if (!next) {
      if (act !== COUNT_ACT) return questionView(pageContext, { fields, act, count });
      const counted = { count, at: new Date(readClock()).toISOString() };
      const listFields = toFields({ ...valuesOf(listQuery), ...countFieldsOf(counted) });
      return seeOther(encryptedPath(PATHS.people, listFields) ?? pathOfList(fields.get("list")));
    }
    const nextFields = new Map([...fields, [POSITION_FIELD, JSON.stringify(next)]]);
    const nextPath = encryptedPath(SELECTION_PATH, nextFields);
    if (nextPath) {
      return countingView(texts, { title, act, count, until: next.createdAt, nextPath });
    }
    // The fields are too long for a URL, so this request counts the next part as well.
    after = next;
  }
}

/**
 * The page of an unfinished count. The page of a count alone has no second heading, because its title says the same.
 * @param options.count the number of people so far
 * @param options.until the first sign-up of the last person who was looked at
 * @param options.nextPath the path of the next part, which the page loads at once
 */
function countingView(
  { people, jobs: labels, number, date }: ConsoleTexts,
  { title, act, count, until, nextPath }: {
    title: string;
    act: CountingAct;
    count: number;
    until: string;
    nextPath: string;
  },
): View {
  const searchedTo = people.searchedUp({ day: date(until.slice(0, 10)) });
  return {
    title,
    body: markup`<meta http-equiv="refresh" content="0; url=${nextPath}">
${act !== COUNT_ACT && markup`<h2>${labels.counting}</h2>`}
<p role="status">${labels.countedSoFar({ count: number(count) })}. ${searchedTo}.</p>`,
  };
}

/**
 * Returns the position at which the service continues a count. If the position cannot be read, the count begins anew.
 */
function positionIn(fields: SentFields): SignupCountRequest["after"] {
  const position = fields.get(POSITION_FIELD);
  if (position === undefined) return undefined;
  try {
    return JSON.parse(position);
  } catch {
    return undefined;
  }
}

/**
 * Asks whether to act on the people in the selection. If the selection has nobody, says so.
 * @param options.count how many people the selection has
 * @param options.fault why the page asks again; absent if it asks for the first time
 */
function questionView(
  pageContext: PageContext,
  { fields, act, count, fault }: {
    fields: SentFields;
    act: JobAct;
    count: number;
    fault?: string;
  },
): View {
  const { texts } = pageContext;
  const { people, person, jobs: labels, words } = texts;
  const title = people.acts[act];
  if (count === 0) {
    return {
      title,
      body: markup`${statusNote(people.none, "warning")}
${listLink(fields.get("list"), words.back)}`,
    };
  }
  const explanation = act === "erase" ? eraseQuestion(person) : markup`<p>${labels.remindWhat}</p>`;
  return {
    title: `${actLabel(title, count, texts)}?`,
    ...fault !== undefined && { status: 409 },
    body: markup`${fault !== undefined && faultNote(fault)}
${selectionFacts(selectionOfAct(act, readListQuery(fields)), texts)}
${explanation}
<p>${labels.howItWorks}</p>
${startForm(pageContext, { fields, act, count })}`,
  };
}

/** The form that starts the job. For an erasure, the operator must type the number of people into this form. */
function startForm(
  { texts, now, newToken }: PageContext,
  { fields, act, count }: { fields: SentFields; act: JobAct; count: number },
): Html {
  const { people, jobs: labels, words } = texts;
  const list = fields.get("list");
  const isErasure = act === "erase";
  const hiddenFields = {
    ...valuesOf(readListQuery(fields)),
    act,
    list,
    [COUNT_FIELD]: count,
    // The form holds the id of the job, so that a form that is sent twice starts only one job.
    job: `${momentId(now)}-${newToken()}`,
    confirmed: true,
  };
  const numberField = field(TYPED_COUNT_FIELD, {
    // The number has no separators, because the operator types it as it is shown.
    label: labels.typeNumber({ count: String(count) }),
    attributes: markup` required inputmode="numeric" pattern="${count}" autocomplete="off"`,
  });
  return postForm(
    { action: SELECTION_PATH, fields: hiddenFields },
    markup`${isErasure && markup`<p><strong>${words.cannotUndo}</strong></p>`}
${isErasure && numberField}
<div class="actions">
${button(actLabel(people.acts[act], count, texts), isErasure ? "danger" : "primary")}
<a class="button" href="${pathOfList(list)}">${words.back}</a>
</div>`,
  );
}

/** Starts the job, and leads to its page. Before an erasure, the operator must have typed the number of people. */
export async function startSelectionJob(
  pageContext: PageContext,
  form: SentFields,
  act: JobAct,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const count = form.get(COUNT_FIELD) ?? "";
  if (act === "erase" && form.get(TYPED_COUNT_FIELD)?.trim() !== count) {
    // The people are not counted again, because the pages of a long count would not keep the message.
    const fault = texts.jobs.wrongNumber;
    return questionView(pageContext, { fields: form, act, count: Number(count), fault });
  }
  const jobId = form.get("job") ?? "";
  const selection = selectionOfAct(act, readListQuery(form));
  const outcome = await operations.startJob({ job: jobId, act, selection, most: Number(count) });
  if (!("failure" in outcome)) return seeOther(jobPath(jobId));
  const back = pathOfList(form.get("list"));
  return failedView(outcome, texts, { title: texts.people.acts[act], back });
}
