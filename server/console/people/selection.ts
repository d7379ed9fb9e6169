/**
 * Acts on everybody who fits the selection: the filters that the operator has set in the list of people. This file has
 * the buttons below the list, and the page that asks for confirmation and acts. `chosen.ts` acts on people who are
 * chosen one by one, and `jobs.ts` shows the jobs that remind and erase everybody in a selection. @module
 */
import { momentId } from "../../../shared/moments.ts";
import type { SignupCountRequest, SignupPage } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { FILTERS } from "../../waitlist/mod.ts";
import {
  failedView,
  faultNote,
  forbiddenView,
  listLink,
  pathOfList,
  statusNote,
} from "../components.ts";
import { downloadList } from "../downloads.ts";
import {
  button,
  field,
  isConfirmed,
  knownValue,
  postForm,
  type SentFields,
  toFields,
} from "../forms.ts";
import { inviteNextPeople } from "../invite/mod.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import { actLabel, ACTS, eraseQuestion } from "./acts.ts";
import { jobPath, selectionFacts } from "./jobs.ts";
import { type ListQuery, readListQuery, selectionOf, valuesOf } from "./list_query.ts";

/** The path to which the list sends the selection and the act. */
const SELECTION_PATH = "/operator/people/hits/";

/** The acts on a selection, in the order of their buttons. */
const SELECTION_ACTS = ["invite", "remind", "export", "erase"] as const;

type SelectionAct = typeof SELECTION_ACTS[number];

/** The acts that a job does. */
const JOB_ACTS = ["remind", "erase"] as const;

type JobAct = typeof JOB_ACTS[number];

/** The form field with the position, as JSON, at which the service continues a long count. */
const POSITION_FIELD = "position";

/** The buttons below the list, one for each act that the operator's role and the selection allow. */
export function selectionButtons(
  page: SignupPage,
  listQuery: ListQuery,
  pageContext: PageContext,
): Html | undefined {
  const { texts, query } = pageContext;
  const { people: labels } = texts;
  const count = countOf(page, listQuery);
  const buttons = SELECTION_ACTS.filter((name) => isPossible(name, listQuery, pageContext))
    .map((name) => {
      const act = labels.acts[name];
      const label = count === undefined ? labels.actOnAll({ act }) : actLabel(act, count, texts);
      return markup`<button name="act" value="${name}">${label}${
        name !== "export" && " …"
      }</button>`;
    });
  if (buttons.length === 0) return undefined;
  const fields = {
    ...valuesOf({ ...listQuery, after: undefined }),
    list: query.toString(),
  };
  return postForm(
    { action: SELECTION_PATH, fields },
    markup`<p class="actions">${labels.withAll} ${buttons}</p>`,
  );
}

/**
 * The button in the form with the filters, which downloads everybody who fits these filters without showing the list
 * first; `undefined` if the operator's role does not allow the download.
 */
export function downloadButton({ may, texts }: PageContext): Html | undefined {
  if (!may(ACTS.export.operation)) return undefined;
  const { people: { download } } = texts;
  return markup`<button formaction="${SELECTION_PATH}" name="act" value="export">${download}</button>`;
}

/** Returns how many people fit the selection; `undefined` if the list has not been read to its end. */
function countOf({ people, count, next }: SignupPage, { after }: ListQuery): number | undefined {
  if (count !== undefined) return count;
  return next ? undefined : (after?.hits ?? 0) + people.length;
}

/** Whether the operator's role allows an act, and whether the act can be done with everybody in the selection. */
function isPossible(
  name: SelectionAct,
  listQuery: ListQuery,
  { may, previewInvitation }: PageContext,
): boolean {
  if (!may(ACTS[name].operation)) return false;
  switch (name) {
    case "invite":
      return canBeWave(listQuery);
    case "remind": {
      const sendsLetters = previewInvitation !== undefined;
      return may("startJob") && listQuery.state === "unconfirmed" && sendsLetters;
    }
    case "export":
      return true;
    case "erase":
      return may("startJob");
  }
}

/**
 * Whether a wave can invite everybody who fits the selection. A wave invites only people who wait, and has only the
 * filters in `FILTERS`.
 */
function canBeWave(listQuery: ListQuery): boolean {
  const { state, ...filters } = selectionOf(listQuery);
  return state === "waiting" &&
    Object.keys(filters).every((name) => FILTERS.some((filter) => filter === name));
}

export const selectionPage: ConsolePage = {
  path: SELECTION_PATH,
  get(pageContext) {
    const { encryptedFields } = pageContext;
    const act = knownValue(JOB_ACTS, encryptedFields?.get("act"));
    return encryptedFields && act
      ? countThenAsk(pageContext, encryptedFields, act)
      : redirectToList();
  },
  async post(pageContext, form) {
    const { operations, texts } = pageContext;
    const act = knownValue(SELECTION_ACTS, form.get("act"));
    if (!act) return redirectToList();
    const listQuery = readListQuery(form);
    if (!isPossible(act, listQuery, pageContext)) return forbiddenView(texts);
    switch (act) {
      case "invite": {
        const counted = await operations.countSignups(selectionOf(listQuery));
        if ("failure" in counted) {
          return failedView(counted, texts, { title: texts.pages.invite, back: PATHS.people });
        }
        // If the count of a long list is unfinished, the form gets no number of people, because the number so far is
        // too small.
        const next = counted.next ? undefined : counted.count;
        const filter = Object.fromEntries(FILTERS.map((name) => [name, listQuery[name]]));
        return await inviteNextPeople(pageContext, { ...filter, next });
      }
      case "export": {
        const back = pathOfList(form.get("list"));
        return await downloadList(pageContext, selectionOf(listQuery), { format: "csv", back });
      }
      case "remind":
      case "erase":
        if (isConfirmed(form)) return await startJob(pageContext, form, act);
        return await redirectToQuestion(pageContext, form, act);
    }
  },
};

const redirectToList = () => seeOther(PATHS.people);

/**
 * Redirects to the page that asks for confirmation. The selection is encrypted in the URL of this page, because the
 * text of a search can be an e-mail address. If the selection is too long for a URL, shows the page without a redirect.
 */
async function redirectToQuestion(
  pageContext: PageContext,
  form: SentFields,
  act: JobAct,
): Promise<View | Response> {
  const fields = toFields({ ...valuesOf(readListQuery(form)), act, list: form.get("list") });
  const path = pageContext.encryptedPath(SELECTION_PATH, fields);
  return path ? seeOther(path) : await countThenAsk(pageContext, fields, act);
}

/**
 * Counts the people in the selection, and then asks for confirmation. The service makes a long count in parts, and the
 * page shows the number so far and loads the next part by itself.
 */
async function countThenAsk(
  pageContext: PageContext,
  fields: SentFields,
  act: JobAct,
): Promise<View> {
  const { operations, texts, encryptedPath } = pageContext;
  const { jobs: labels, number } = texts;
  const title = texts.people.acts[act];
  const back = pathOfList(fields.get("list"));
  const selection = selectionOf(readListQuery(fields));
  let after = positionIn(fields);
  while (true) {
    const counted = await operations.countSignups({ ...selection, ...after && { after } });
    if ("failure" in counted) return failedView(counted, texts, { title, back });
    const { count, next } = counted;
    if (!next) return questionView(pageContext, { fields, act, count });
    const nextFields = new Map([...fields, [POSITION_FIELD, JSON.stringify(next)]]);
    const path = encryptedPath(SELECTION_PATH, nextFields);
    if (path) {
      return {
        title,
        body: markup`<meta http-equiv="refresh" content="0; url=${path}">
<h2>${labels.counting}</h2>
<p role="status">${labels.countedSoFar({ count: number(count) })}</p>`,
      };
    }
    // The fields are too long for a URL, so this request counts the next part as well.
    after = next;
  }
}

/**
 * Returns the position at which the service continues a count. If the position cannot be read, the count begins anew.
 */
function positionIn(fields: SentFields): SignupCountRequest["after"] {
  try {
    return JSON.parse(fields.get(POSITION_FIELD) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Asks whether to act on the people, who have been counted.
 * @param fault why the page asks again; absent if it asks for the first time
 */
function questionView(
  { texts, now, newToken }: PageContext,
  { fields, act, count, fault }: {
    fields: SentFields;
    act: JobAct;
    count: number;
    fault?: string;
  },
): View {
  const { people, person, jobs: labels, words } = texts;
  const list = fields.get("list");
  const selection = selectionOf(readListQuery(fields));
  const title = people.acts[act];
  if (count === 0) {
    return {
      title,
      body: markup`${statusNote(people.none, "warning")}
${listLink(list, words.back)}`,
    };
  }
  const submit = actLabel(title, count, texts);
  const explanation = act === "erase" ? eraseQuestion(person) : markup`<p>${labels.remindWhat}</p>`;
  const numberField = act === "erase" && field("typed", {
    // The number has no separators, because the operator types it as it is shown.
    label: labels.typeNumber({ count: String(count) }),
    attributes: markup` required inputmode="numeric" pattern="${count}" autocomplete="off"`,
  });
  const hidden = {
    ...valuesOf(readListQuery(fields)),
    act,
    list,
    most: count,
    // The form holds the id of the job, so that a form that is sent twice starts only one job.
    job: `${momentId(now)}-${newToken()}`,
    confirmed: true,
  };
  const form = postForm(
    { action: SELECTION_PATH, fields: hidden },
    markup`${act === "erase" && markup`<p><strong>${words.cannotUndo}</strong></p>`}
${numberField}
<div class="actions">
${button(submit, act === "erase" ? "danger" : "primary")}
<a class="button" href="${pathOfList(list)}">${words.back}</a>
</div>`,
  );
  return {
    title: `${submit}?`,
    ...fault !== undefined && { status: 409 },
    body: markup`${fault !== undefined && faultNote(fault)}
${selectionFacts(selection, texts)}
${explanation}
<p>${labels.howItWorks}</p>
${form}`,
  };
}

/** Starts the job, and leads to its page. Before an erasure, the operator must have typed the number of people. */
async function startJob(
  pageContext: PageContext,
  form: SentFields,
  act: JobAct,
): Promise<View | Response> {
  const { operations, texts } = pageContext;
  const most = form.get("most") ?? "";
  if (act === "erase" && form.get("typed")?.trim() !== most) {
    // The people are not counted again, because the pages of a long count would not keep the message.
    const fault = texts.jobs.wrongNumber;
    return questionView(pageContext, { fields: form, act, count: Number(most), fault });
  }
  const job = form.get("job") ?? "";
  const selection = selectionOf(readListQuery(form));
  const started = await operations.startJob({ job, act, selection, most: Number(most) });
  if (!("failure" in started)) return seeOther(jobPath(job));
  const back = pathOfList(form.get("list"));
  return failedView(started, texts, { title: texts.people.acts[act], back });
}
