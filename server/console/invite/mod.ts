/** Invites the next of those who wait: the choice, then who would come and the letter, then the wave. @module */
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { isSafeLink } from "../../waitlist/mod.ts";
import {
  type FailedCall,
  failedView,
  failureNote,
  faultNote,
  type KnownFailures,
} from "../components.ts";
import { button, field, type Fields, filter, isConfirmed, postForm } from "../form_fields.ts";
import { type ConsolePage, momentId, type PageContext, PATHS, type View } from "../page_context.ts";
import { badLink, invitationFields, letterPage } from "./letter.ts";
import {
  askForInvitations,
  digestOfPlan,
  type NextWave,
  type Plan,
  planView,
  readPlan,
  waveOfForm,
} from "./plan.ts";
import { codesPage, endedView, runView } from "./run.ts";
export { badLink, invitationFields, letterPreviews } from "./letter.ts";
export { askForInvitations } from "./plan.ts";

const invitePage: ConsolePage = {
  path: PATHS.invite,
  async get(pageContext) {
    if (pageContext.form) return await chosenView(pageContext, pageContext.form);
    const { hasExpired, texts } = pageContext;
    const note = hasExpired ? faultNote(texts.failures.expired) : undefined;
    return await formView(pageContext, new Map([["letters", "yes"]]), note);
  },
  async post(pageContext, form) {
    if (isConfirmed(form)) return await runWave(pageContext, form);
    // A new wave has its id from here on, so that who goes back to its plan sees what has become of it.
    const isNew = !form.get("wave")?.trim() && !form.has("change");
    const fields = isNew ? new Map([...form, ["new_wave", momentId(pageContext.now)]]) : form;
    return await pageContext.redirectWith(PATHS.invite, fields) ??
      await chosenView(pageContext, fields);
  },
};

async function chosenView(pageContext: PageContext, form: Fields): Promise<View> {
  if (form.has("change")) return await formView(pageContext, form);
  const wave = waveOfForm(form, pageContext.now);
  const plan = await makePlan(pageContext, form, wave);
  if ("body" in plan) return plan;
  return endedView(pageContext, wave, plan) ?? planView(pageContext, wave, plan);
}

/** Runs a wave, or shows its plan again where it would invite other people than the operator has seen. */
async function runWave(pageContext: PageContext, form: Fields): Promise<View> {
  const wave = waveOfForm(form, pageContext.now);
  const shown = form.get("shown");
  if (shown !== undefined) {
    const plan = await makePlan(pageContext, form, wave);
    if ("body" in plan) return plan;
    // A wave that has begun goes on.
    const isSame = plan.before > 0 || digestOfPlan(plan) === shown;
    if (!isSame) return planView(pageContext, wave, plan, { hasChanged: true });
  }
  const answer = await askForInvitations(pageContext, wave);
  return answer.data
    ? await runView(pageContext, wave, answer.data)
    : await failedWave(pageContext, form, wave, answer);
}

/** Asks what a wave would do; gives the page that says why where that fails. */
async function makePlan(
  pageContext: PageContext,
  form: Fields,
  wave: NextWave,
): Promise<Plan | View> {
  const answer = await askForInvitations(pageContext, { ...wave, dryRun: true });
  const plan = answer.data && await readPlan(answer.data);
  return plan ?? await failedWave(pageContext, form, wave, answer);
}

/** Says why a wave failed, above the form where the operator can set that right. */
async function failedWave(
  pageContext: PageContext,
  form: Fields,
  wave: NextWave,
  failed: FailedCall,
): Promise<View> {
  const { texts } = pageContext;
  const { response: { status } } = failed;
  if (status !== 400 && status !== 409) {
    return failedView(failed, texts, { title: texts.pages.invite, back: PATHS.invite });
  }
  const { wave: id, next, link, letters } = wave;
  const { badNumber, withoutLetters, otherChoices } = texts.invite;
  const canSend = !letters || pageContext.previewInvitation !== undefined;
  const faults = [
    ...!(Number.isSafeInteger(next) && next > 0) ? [badNumber] : [],
    ...!isSafeLink(link) ? [badLink(texts, link)] : [],
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
  const { operations, texts, previewInvitation } = pageContext;
  const title = texts.pages.invite;
  const { data, ...failed } = await operations.GET("/operator/v1/overview");
  if (!data) return failedView(failed, texts, { title });
  const { about, waiting, codesAsFile } = texts.invite;
  return {
    title,
    body: markup`${fault}
<p class="soft">${about}</p>
<p><b>${waiting({ count: data.states.waiting })}</b></p>
${!previewInvitation && markup`<p class="notice">${texts.words.noMail} ${codesAsFile}</p>`}
${waveForm(pageContext, form, data)}`,
  };
}

function waveForm(pageContext: PageContext, given: Fields, overview: Overview): Html {
  const { invite: labels, words } = pageContext.texts;
  const { langs, sources } = words;
  const value = (name: string) => given.get(name) ?? "";
  const choose = (name: "lang" | "source" | "role" | "building", names: Record<string, string>) =>
    filter(words, name, { names, chosen: value(name) });
  const answers = (name: "role" | "building", counts: Record<string, number>) => {
    const slugs = Object.keys(counts).sort();
    return slugs.length > 0 && choose(name, Object.fromEntries(slugs.map((slug) => [slug, slug])));
  };
  const waveInput = markup` maxlength="64" value="${value("wave")}" pattern="[\\-A-Za-z0-9_]+"`;
  const nextInput = markup` type="number" min="1" step="1" required value="${value("next")}"`;
  const letters = given.has("letters");
  return postForm(
    { action: PATHS.invite, attributes: markup` class="wave" autocomplete="off"` },
    markup`<div class="filters">
${field("next", labels.next, nextInput)}
${choose("lang", langs)}
${choose("source", sources)}
${answers("role", overview.byRole)}
${answers("building", overview.byBuilding)}
</div>
${invitationFields(pageContext, { link: value("link"), letters })}
<details${value("wave") && markup` open`}>
<summary>${labels.more}</summary>
${field("wave", labels.wave, waveInput, labels.waveHint)}
</details>
${button(labels.preview, "primary")}`,
  );
}

export const INVITE_PAGES: ConsolePage[] = [invitePage, letterPage, codesPage];
