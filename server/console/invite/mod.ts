/** Invites the next of those who wait: the choice, then who would come and the letter, then the wave. @module */
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type Html, markup, select } from "../../content/mod.ts";
import { isSafeLink } from "../../waitlist/mod.ts";
import { failedView, failureNote, type KnownFailures, nameIn, statusOf } from "../components.ts";
import { field, type Fields, filter, isConfirmed, pathWith, postForm } from "../form_fields.ts";
import {
  type ConsolePage,
  momentId,
  type PageContext,
  type PageFailure,
  PATHS,
  seeOther,
  type View,
} from "../page_context.ts";
import { codesPage } from "./codes.ts";
import { badLink, invitationFields, isUnsure, lastLink, letterPage } from "./letter.ts";
import { BACK, namedFields, namedFormView, namedIn, namedResultView } from "./named.ts";
import { type AskedWave, canInvite, planView, POSITION, type Shown, waveOfForm } from "./plan.ts";
import { wavePage, wavePath, wavesList } from "./wave.ts";
export { wavePath } from "./wave.ts";

const invitePage: ConsolePage = {
  path: PATHS.invite,
  async get(pageContext) {
    if (pageContext.sealed) return await chosenView(pageContext, pageContext.sealed);
    const fields = new Map([["letters", "yes"], ["link", await lastLink(pageContext)]]);
    return await formView(pageContext, fields);
  },
  async post(pageContext, form) {
    if (isConfirmed(form)) return await startWave(pageContext, form);
    // A new wave has its id from here on, so that a form that is sent twice starts one.
    const isNew = !form.get("wave")?.trim() && !form.has("change");
    const fields = isNew ? new Map([...form, ["new_wave", momentId(pageContext.now)]]) : form;
    return await showForm(pageContext, fields);
  },
};

/** Shows what a form asks for, by a redirect where a URL has room for the fields. */
async function showForm(pageContext: PageContext, form: Fields): Promise<View | Response> {
  const path = pageContext.sealedPath(PATHS.invite, form);
  return path ? seeOther(path) : await chosenView(pageContext, form);
}

/** Asks for what a wave of the people with these addresses needs. @param back the path of the page before */
export function inviteNamed(pageContext: PageContext, emails: string[], back: string) {
  return showForm(pageContext, new Map([...namedFields(emails), [BACK, back], ["change", "yes"]]));
}

async function chosenView(pageContext: PageContext, form: Fields): Promise<View | Response> {
  if (form.has("change")) return await formView(pageContext, form);
  const wave = waveOfForm(form, pageContext.now);
  // Who goes back to the plan of a wave sees what has become of it.
  const isKnown = form.has("new_wave") && await isStarted(pageContext, wave.wave);
  if (isKnown) return seeOther(wavePath(wave.wave));
  return await showPlan(pageContext, { wave, form });
}

async function showPlan(pageContext: PageContext, shown: Shown): Promise<View> {
  const { form, wave, fault } = shown;
  // A part of a plan takes a second at the most. The plan is made whole where a URL cannot say how far it is.
  for (const part of [positionIn(form), {}]) {
    const plan = await pageContext.operations.startWave({ ...wave, dryRun: true, ...part });
    if ("failure" in plan) return await failedWave(pageContext, form, wave, plan);
    const view = "wouldInvite" in plan && planView(pageContext, plan, shown);
    if (view) return { ...view, ...fault && { status: 409 } };
  }
  throw new Error("The plan of a wave has no end");
}

/** A form that somebody has changed begins the plan again. */
function positionIn(form: Fields) {
  try {
    return { after: JSON.parse(form.get(POSITION) ?? "{}") };
  } catch {
    return {};
  }
}

async function isStarted({ operations }: PageContext, id: string): Promise<boolean> {
  return !("failure" in await operations.showWave({ id }));
}

/** Starts a wave, or shows its plan again where it would invite other people than the operator has seen. */
async function startWave(pageContext: PageContext, form: Fields): Promise<View | Response> {
  const { operations, texts: { invite: labels } } = pageContext;
  const wave = waveOfForm(form, pageContext.now);
  const seen = form.get("shown")?.split(" ");
  if ((seen || isUnsure(form)) && !await isStarted(pageContext, wave.wave)) {
    const isAgain = seen !== undefined && !await canInvite(pageContext, wave, seen);
    const fault = isAgain ? labels.hasChanged : isUnsure(form) ? labels.unsure : undefined;
    if (fault) return await showPlan(pageContext, { wave, form, fault, isAgain });
  }
  const started = await operations.startWave(wave);
  if ("failure" in started) return await failedWave(pageContext, form, wave, started);
  if ("wouldInvite" in started) {
    return await showPlan(pageContext, { wave, form, fault: labels.hasChanged, isAgain: true });
  }
  const left = started.notInvited ?? [];
  const path = wavePath(wave.wave);
  if (left.length === 0) return seeOther(path);
  return namedResultView(pageContext.texts, { form, wave: wave.wave, path, left });
}

/** Says why a wave failed, above the form where the operator can set that right. */
async function failedWave(
  pageContext: PageContext,
  form: Fields,
  wave: AskedWave,
  failed: PageFailure,
): Promise<View> {
  const { texts } = pageContext;
  const status = statusOf(failed);
  if (status !== 400 && status !== 409) {
    return failedView(failed, texts, { title: texts.pages.invite, back: PATHS.invite });
  }
  const { wave: id, next, link, letters, expires } = wave;
  const { badNumber, badExpires, withoutLetters, otherChoices } = texts.invite;
  const canSend = !letters || pageContext.previewInvitation !== undefined;
  const isAhead = expires === undefined || Date.parse(expires) > pageContext.now;
  const faults = [
    ...next !== undefined && !(Number.isSafeInteger(next) && next > 0) ? [badNumber] : [],
    ...!isSafeLink(link) ? [badLink(texts, link)] : [],
    ...!isAhead ? [badExpires] : [],
  ];
  const known: KnownFailures = {
    conflict: canSend ? otherChoices({ wave: id }) : `${texts.words.noMail} ${withoutLetters}`,
    ...faults.length > 0 && { invalid_request: faults.join(" ") },
  };
  // The sentence about a wave that was begun with other choices speaks of its id.
  const fields = status === 409 && canSend ? new Map([...form, ["wave", id]]) : form;
  const fault = failureNote(failed, texts, known);
  return { ...await formView(pageContext, fields, fault), status };
}

async function formView(pageContext: PageContext, form: Fields, fault?: Html): Promise<View> {
  const { operations, texts, previewInvitation, may } = pageContext;
  const title = texts.pages.invite;
  if (namedIn(form).length > 0) return await namedFormView(pageContext, form, fault);
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
${mayStart && waveForm(pageContext, form, overview)}
${await wavesList(pageContext)}`,
  };
}

function waveForm(pageContext: PageContext, given: Fields, overview: Overview): Html {
  const { texts } = pageContext;
  const { invite: labels, words } = texts;
  const value = (name: string) => given.get(name) ?? "";
  const answers = (name: "role" | "building", counts: Record<string, number>) => {
    const names = Object.keys(counts).sort()
      .map((slug) => [slug, nameIn(texts.answers[name], slug)] as const);
    const field = { name, label: words.fields[name], chosen: value(name) };
    return names.length > 0 && select(field, [["", words.all], ...names]);
  };
  const nextInput = markup` type="number" min="1" step="1" required value="${value("next")}"`;
  return postForm(
    { action: PATHS.invite, attributes: markup` class="wave" autocomplete="off"` },
    markup`<div class="filters">
${field("next", labels.next, nextInput)}
${filter(words, "lang", value("lang"))}
${filter(words, "source", value("source"))}
${answers("role", overview.byRole)}
${answers("building", overview.byBuilding)}
</div>
${invitationFields(pageContext, given)}`,
  );
}

export const INVITE_PAGES: ConsolePage[] = [invitePage, letterPage, wavePage, codesPage];
