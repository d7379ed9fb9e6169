/**
 * Acts on everybody who fits the choices (the filters) of the list of people: the buttons below the list, and the page
 * that asks for confirmation and acts. `chosen.ts` acts on some of these people, and `jobs.ts` shows the jobs that
 * remind and erase everybody. @module
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
import { actLabel, ACTS } from "./acts.ts";
import { jobPath, selectionFacts } from "./jobs.ts";
import { type ListQuery, readListQuery, selectionOf, valuesOf } from "./list_query.ts";

/** The path to which the list sends the choices and the act. */
const HITS_PATH = "/operator/people/hits/";

/** The acts on everybody who fits the choices, in the order of their buttons. */
const HIT_ACTS = ["invite", "remind", "export", "erase"] as const;

type HitAct = typeof HIT_ACTS[number];

/** The form field with the position, as JSON, at which the service continues a long count. */
const POSITION_FIELD = "position";

/** The buttons below the list, one for each act that the operator's role and the choices allow. */
export function hitButtons(
  page: SignupPage,
  listQuery: ListQuery,
  pageContext: PageContext,
): Html | undefined {
  const { texts, query } = pageContext;
  const { people: labels } = texts;
  const count = countOf(page, listQuery);
  const buttons = HIT_ACTS.filter((name) => isPossible(name, listQuery, pageContext))
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
    { action: HITS_PATH, fields },
    markup`<p class="actions">${labels.withAll} ${buttons}</p>`,
  );
}

/**
 * The button that downloads everybody who fits the choices (the filters) of the form, without showing a list first;
 * `undefined` if the operator's role does not allow the download.
 */
export function downloadButton({ may, texts }: PageContext): Html | undefined {
  if (!may(ACTS.export.operation)) return undefined;
  const { people: { download } } = texts;
  return markup`<button formaction="${HITS_PATH}" name="act" value="export">${download}</button>`;
}

/** Returns how many people fit the choices; `undefined` if the list has not been read to its end. */
function countOf({ people, count, next }: SignupPage, { after }: ListQuery): number | undefined {
  if (count !== undefined) return count;
  return next ? undefined : (after?.hits ?? 0) + people.length;
}

/** Whether the operator's role allows an act, and whether the act can be done with everybody who fits the choices. */
function isPossible(
  name: HitAct,
  listQuery: ListQuery,
  { may, previewInvitation }: PageContext,
): boolean {
  if (!may(ACTS[name].operation)) return false;
  switch (name) {
    case "invite":
      return canBeWave(listQuery);
    case "remind":
      return may("startJob") && listQuery.state === "unconfirmed" &&
        previewInvitation !== undefined;
    case "export":
      return true;
    case "erase":
      return may("startJob");
  }
}

/**
 * Whether a wave can invite everybody who fits the choices. A wave invites only people who wait, and has only the
 * filters in `FILTERS`.
 */
function canBeWave({ state, oldest: _, after: _after, ...choices }: ListQuery): boolean {
  return state === "waiting" && Object.entries(choices)
    .every(([name, value]) => !value || FILTERS.some((filter) => filter === name));
}

/** Acts on everybody who fits the choices of the list. */
export const hitsPage: ConsolePage = {
  path: HITS_PATH,
  get(pageContext) {
    const { encryptedFields } = pageContext;
    const act = knownValue(["remind", "erase"], encryptedFields?.get("act"));
    return encryptedFields && act ? askView(pageContext, encryptedFields, act) : redirectToList();
  },
  async post(pageContext, form) {
    const { operations, texts } = pageContext;
    const act = knownValue(HIT_ACTS, form.get("act"));
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
        return askOnPage(pageContext, form, act);
    }
  },
};

const redirectToList = () => seeOther(PATHS.people);

/**
 * Leads to the page that asks for confirmation. The choices are encrypted in the URL of this page, because the text of
 * a search can be an e-mail address.
 */
async function askOnPage(
  pageContext: PageContext,
  form: SentFields,
  act: "remind" | "erase",
): Promise<View | Response> {
  const fields = toFields({ ...valuesOf(readListQuery(form)), act, list: form.get("list") });
  const path = pageContext.encryptedPath(HITS_PATH, fields);
  return path ? seeOther(path) : await askView(pageContext, fields, act);
}

/** Counts the people, and asks for confirmation. During a long count, the page loads the next part by itself. */
async function askView(
  pageContext: PageContext,
  fields: SentFields,
  act: "remind" | "erase",
): Promise<View> {
  const { operations, texts, encryptedPath } = pageContext;
  const { jobs: labels, number } = texts;
  const title = texts.people.acts[act];
  const back = pathOfList(fields.get("list"));
  const selection = selectionOf(readListQuery(fields));
  for (let after = positionIn(fields);;) {
    const counted = await operations.countSignups({ ...selection, ...after && { after } });
    if ("failure" in counted) return failedView(counted, texts, { title, back });
    if (!counted.next) {
      return questionView(pageContext, { fields, act, count: counted.count });
    }
    const nextFields = new Map([...fields, [POSITION_FIELD, JSON.stringify(counted.next)]]);
    const path = encryptedPath(HITS_PATH, nextFields);
    if (path) {
      return {
        title,
        body: markup`<meta http-equiv="refresh" content="0; url=${path}">
<h2>${labels.counting}</h2>
<p role="status">${labels.countedSoFar({ count: number(counted.count) })}</p>`,
      };
    }
    after = counted.next;
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

/** Asks whether to act on the people. @param fault why the page asks again; absent if it asks for the first time */
function questionView(
  { texts, now, newToken }: PageContext,
  { fields, act, count, fault }: {
    fields: SentFields;
    act: "remind" | "erase";
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
  const erase = ACTS.erase;
  const explanation = act === "erase" && erase.kind === "change" && erase.question
    ? erase.question(person)
    : markup`<p>${labels.remindWhat}</p>`;
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
    { action: HITS_PATH, fields: hidden },
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
  act: "remind" | "erase",
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
