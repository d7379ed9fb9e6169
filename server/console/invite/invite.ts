/**
 * Invites the next people of those who wait: the choice, then who would come and the letter, then the wave.
 *
 * @module
 */
import type { InvitationRequest, Overview } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { isSafeLink } from "../../waitlist/mod.ts";
import { isConfirmed } from "../confirm.ts";
import { type Fields, LANGS, named, select, SOURCES } from "../fields.ts";
import { pageName, PATHS } from "../layout.ts";
import {
  expiredNote,
  type FailedCall,
  failedView,
  failureNote,
  type KnownFailures,
} from "../failures.ts";
import { showNumber } from "../components.ts";
import { PEOPLE_TEXTS } from "../people_texts.ts";
import type { ConsolePage, PageContext, View } from "../page_context.ts";
import { runView } from "./run.ts";
import { digestOfPlan, type Plan, planView, readPlan } from "./plan.ts";
import { INVITE_TEXTS } from "./texts.ts";
import { type NextWave, waveOf, waveOfForm } from "./wave.ts";

/** The form of a wave, who would come, and the wave itself. */
export const invitePage: ConsolePage = {
  path: PATHS.invite,
  async get(pageContext) {
    if (pageContext.form) return await chosenView(pageContext, pageContext.form);
    return await formView(pageContext, new Map([["letters", "yes"]]), expiredNote(pageContext));
  },
  async post(pageContext, form) {
    if (isConfirmed(form)) return await runWave(pageContext, form);
    // A new wave has its id from here on, so that who goes back to its plan sees what has become of it.
    const isNew = !form.get("wave")?.trim() && !form.has("change");
    const fields = isNew ? new Map([...form, ["new_wave", waveOf(pageContext.now)]]) : form;
    return await pageContext.redirectWith(PATHS.invite, fields) ??
      await chosenView(pageContext, fields);
  },
};

/** Shows the plan of what was chosen, or the choices, to change them. */
async function chosenView(pageContext: PageContext, form: Fields): Promise<View> {
  if (form.has("change")) return await formView(pageContext, form);
  const { wave, plan, failed } = await makePlan(pageContext, form);
  return failed ?? planView(pageContext, wave, plan);
}

/** Runs a wave, or shows its plan again where it would invite other people than the operator has seen. */
async function runWave(pageContext: PageContext, form: Fields): Promise<View> {
  const shown = form.get("shown");
  if (shown !== undefined) {
    const { wave, plan, failed } = await makePlan(pageContext, form);
    if (failed) return failed;
    // A wave that has begun goes on.
    const isSame = plan.before > 0 || digestOfPlan(plan) === shown;
    if (!isSame) return planView(pageContext, wave, plan, { hasChanged: true });
  }
  const wave = waveOfForm(form, pageContext.now);
  const answer = await invite(pageContext, wave);
  return answer.data
    ? runView(pageContext, wave, answer.data)
    : await failedWave(pageContext, form, wave, answer);
}

/** Asks what a wave would do; says why where that fails. */
async function makePlan(
  pageContext: PageContext,
  form: Fields,
): Promise<{ wave: NextWave } & ({ plan: Plan; failed?: never } | { plan?: never; failed: View })> {
  const wave = waveOfForm(form, pageContext.now);
  const answer = await invite(pageContext, { ...wave, dryRun: true });
  const plan = answer.data && await readPlan(answer.data);
  return plan
    ? { wave, plan }
    : { wave, failed: await failedWave(pageContext, form, wave, answer) };
}

function invite({ operations }: PageContext, body: InvitationRequest) {
  return operations.POST("/operator/v1/signups/invite", { body, parseAs: "stream" });
}

/** Says why a wave failed, above the form where the operator can set that right. */
async function failedWave(
  pageContext: PageContext,
  form: Fields,
  wave: NextWave,
  failed: FailedCall,
): Promise<View> {
  const { response: { status } } = failed;
  if (status !== 400 && status !== 409) {
    return failedView(failed, {
      ...pageContext,
      title: texts(pageContext).title,
      back: PATHS.invite,
    });
  }
  // The sentence about a wave that was begun with other choices speaks of its id.
  const isOther = status === 409 && sendsLetters(pageContext, wave);
  const fields = isOther ? new Map([...form, ["wave", wave.wave]]) : form;
  const fault = failureNote(failed, pageContext.lang, failuresOf(pageContext, wave));
  return { ...await formView(pageContext, fields, fault), status };
}

/** Says what can be wrong with a wave. */
function failuresOf(pageContext: PageContext, wave: NextWave): KnownFailures {
  const { badNumber, noLetters, otherChoices } = texts(pageContext);
  const { next, link } = wave;
  return {
    conflict: sendsLetters(pageContext, wave) ? otherChoices(wave.wave) : noLetters,
    ...!isSafeLink(link) && { invalid_request: PEOPLE_TEXTS[pageContext.lang].badLink(link) },
    ...!(Number.isSafeInteger(next) && next > 0) && { invalid_request: badNumber },
  };
}

/** Whether the service can send the letters that a wave asks for, if it asks for any. */
function sendsLetters({ previewInvitation }: PageContext, { letters }: NextWave): boolean {
  return !letters || previewInvitation !== undefined;
}

const texts = ({ lang }: PageContext) => INVITE_TEXTS[lang];

async function formView(
  pageContext: PageContext,
  form: Fields,
  fault?: Html,
): Promise<View> {
  const { operations, lang, previewInvitation } = pageContext;
  const title = pageName(lang, "invite");
  const { data, ...failed } = await operations.GET("/operator/v1/overview");
  if (!data) return failedView(failed, { lang, title });
  const { about, waiting, mailOff } = texts(pageContext);
  return {
    title,
    body: markup`${fault}
<p class="soft">${about}</p>
<p><b>${waiting(showNumber(lang, data.states.waiting))}</b></p>
${!previewInvitation && markup`<p class="notice">${mailOff}</p>`}
${fieldsOf(pageContext, form, data)}`,
  };
}

/** The form, with the choices that the list has. */
function fieldsOf(pageContext: PageContext, form: Fields, overview: Overview): Html {
  const t = texts(pageContext);
  const { langs, sources } = PEOPLE_TEXTS[pageContext.lang];
  const value = (name: string) => form.get(name) ?? "";
  const answers = (name: "role" | "building", counts: Record<string, number>) => {
    const slugs = Object.keys(counts).sort();
    const all = [["", t.all], ...slugs.map((slug) => [slug, slug] as const)] as const;
    return slugs.length > 0 && select(name, t[name], all, value(name));
  };
  return markup`<form class="wave" method="post" action="${PATHS.invite}" autocomplete="off">
<div class="filters">
<div class="field">
<label for="next">${t.next}</label>
<input id="next" name="next" type="number" min="1" step="1" required value="${value("next")}">
</div>
${select("lang", t.language, [["", t.all], ...named(LANGS, langs)], value("lang"))}
${select("source", t.form, [["", t.all], ...named(SOURCES, sources)], value("source"))}
${answers("role", overview.byRole)}
${answers("building", overview.byBuilding)}
</div>
<div class="field">
<label for="link">${t.link}</label>
<input id="link" name="link" type="url" required maxlength="2000" value="${value("link")}"
 placeholder="https://app.example.com/welcome?code={code}" aria-describedby="link-hint">
<p class="hint" id="link-hint">${t.linkHint}</p>
</div>
${
    pageContext.previewInvitation && markup`<div class="field">
<label><input type="checkbox" name="letters" value="yes"${
      form.has("letters") && markup` checked`
    }> ${t.letters}</label>
</div>`
  }
<details${value("wave") && markup` open`}>
<summary>${t.more}</summary>
<div class="field">
<label for="wave">${t.wave}</label>
<input id="wave" name="wave" maxlength="64" value="${value("wave")}"
 pattern="[\\-A-Za-z0-9_]+" aria-describedby="wave-hint">
<p class="hint" id="wave-hint">${t.waveHint}</p>
</div>
</details>
<button class="primary" type="submit">${t.preview}</button>
</form>`;
}
