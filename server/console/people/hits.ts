/**
 * Everybody who fits the choices of the list of people: the buttons below the list, and the page that acts. `chosen.ts`
 * acts on some of these people. @module
 */
import type { SignupPage } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { forbiddenView, pathOfList } from "../components.ts";
import { downloadList } from "../downloads.ts";
import { knownValue, postForm } from "../forms.ts";
import { inviteNext } from "../invite/mod.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther } from "../page_context.ts";
import { ACTS } from "./acts.ts";
import { type ListQuery, readListQuery, selectionOf, valuesOf } from "./list_query.ts";

/** The path to which the list sends the choices and the act. */
const HITS_PATH = "/operator/people/hits/";

/** The acts on everybody who fits the choices, in the order of their buttons. */
const HIT_ACTS = ["invite", "export"] as const;

/** The choices that a wave has as well. */
const WAVE_CHOICES = ["lang", "source", "role", "building", "referrals"] as const;

/** The buttons below the list, one for each act that the operator's role and the choices allow. */
export function hitButtons(
  page: SignupPage,
  listQuery: ListQuery,
  { texts: { people: labels }, may, query }: PageContext,
): Html | undefined {
  const count = countOf(page, listQuery);
  const buttons = HIT_ACTS
    .filter((name) => may(ACTS[name].needs) && (name !== "invite" || canInvite(listQuery)))
    .map((name) => {
      const act = labels.acts[name];
      const label = count === undefined ? act : labels.actOnMany({ act, count });
      return markup`<button name="act" value="${name}">${label}${name === "invite" && " …"}</button>`;
    });
  if (buttons.length === 0) return undefined;
  const fields = {
    ...valuesOf({ ...listQuery, after: undefined }),
    count,
    list: query.toString(),
  };
  return postForm(
    { action: HITS_PATH, fields },
    markup`<p class="actions">${labels.withAll} ${buttons}</p>`,
  );
}

/** Returns how many people fit the choices; `undefined` if the list has not been read to its end. */
function countOf({ people, count, next }: SignupPage, { after }: ListQuery): number | undefined {
  if (count !== undefined) return count;
  return next ? undefined : (after?.hits ?? 0) + people.length;
}

/** Whether a wave invites the people who fit the choices: a wave has only some of the choices, and invites who wait. */
function canInvite({ state, oldest: _, after: _after, ...choices }: ListQuery): boolean {
  return state === "waiting" && Object.entries(choices)
    .every(([name, value]) => !value || WAVE_CHOICES.some((each) => each === name));
}

/** Acts on everybody who fits the choices of the list. */
export const hitsPage: ConsolePage = {
  path: HITS_PATH,
  get: () => seeOther(PATHS.people),
  async post(pageContext, form) {
    const { texts, may } = pageContext;
    const act = knownValue(HIT_ACTS, form.get("act"));
    if (!act) return seeOther(PATHS.people);
    if (!may(ACTS[act].needs)) return forbiddenView(texts);
    const listQuery = readListQuery(form);
    switch (act) {
      case "invite": {
        const filter = Object.fromEntries(WAVE_CHOICES.map((name) => [name, listQuery[name]]));
        return await inviteNext(pageContext, { ...filter, next: form.get("count") });
      }
      case "export": {
        const back = pathOfList(form.get("list"));
        return await downloadList(pageContext, selectionOf(listQuery), { format: "csv", back });
      }
    }
  },
};
