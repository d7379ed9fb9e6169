/**
 * The parts that the forms for a wave (`form.ts`) and for a schedule of waves (`schedule.ts`) share: the fields for the
 * people and for the link, and the messages about a bad link and about letters. The link back to the chosen people is
 * here as well. `wave_of_form.ts` reads the fields. @module
 */
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS } from "../../waitlist/mod.ts";
import { nameIn, statusNote } from "../components.ts";
import { checkbox, field, type SentFields } from "../forms.ts";
import { type PageContext, PATHS } from "../page_context.ts";
import { campaignFields } from "../person_fields.ts";
import { COUNTED_MENUS, type MenuCounts } from "./invitable.ts";
import {
  BACK_FIELD,
  CODE_PLACEHOLDER,
  lacksCode,
  LINK_FIELD,
  WITHOUT_CODE_FIELD,
} from "./wave_of_form.ts";

/** The example of a link, which the field for the link and the message about a bad link show. */
const EXAMPLE_LINK = `https://app.example.com/welcome?code=${CODE_PLACEHOLDER}`;

/** The link in the previewed letter until the operator has given a link. */
export const PREVIEW_LINK = EXAMPLE_LINK.replace(CODE_PLACEHOLDER, "…");

/**
 * The warning and the checkbox with which the operator confirms that letters go out without an invitation code;
 * `undefined` if the link has a place for the code.
 */
export function withoutCodeCheckbox(
  link: string,
  { invite: labels }: ConsoleTexts,
): Html | undefined {
  if (!lacksCode(link)) return undefined;
  return markup`${statusNote(labels.noCode({ code: CODE_PLACEHOLDER }), "warning")}
${checkbox(WITHOUT_CODE_FIELD, { label: labels.sureWithoutCode, checked: false })}`;
}

/** Says that `link` cannot be the link of an invitation. */
export function badLinkMessage({ words }: ConsoleTexts, link: string): string {
  return words.badLink({ link, example: EXAMPLE_LINK });
}

/**
 * The message about letters that the operator has chosen although the service sends none; `undefined` if there is no
 * such fault. The service looks for this fault before it looks for a wave or a schedule with the same name, so the
 * status 409 has this cause whenever there is this fault.
 */
export function noLettersMessage(
  { texts: { words, invite }, previewInvitation }: PageContext,
  letters: boolean | undefined,
): string | undefined {
  return letters && !previewInvitation ? `${words.noMail} ${invite.withoutLetters}` : undefined;
}

/**
 * Returns the link of the newest wave, which the form suggests; empty if there is no wave, or if waves cannot be read.
 */
export async function readLastLink({ operations }: PageContext): Promise<string> {
  const waveList = await operations.listWaves({});
  return "waves" in waveList ? waveList.waves[0]?.link ?? "" : "";
}

/**
 * The fields of a wave of the next people: the number of people, and the filters that these people must fit, with a
 * number of people beside each value of a menu.
 */
export function peopleFields(
  texts: ConsoleTexts,
  values: SentFields,
  { overview, menuCounts: { counts, invitable } }: { overview: Overview; menuCounts: MenuCounts },
): Html {
  const { invite: labels, words, answers, number } = texts;
  const valueOf = (name: string) => values.get(name) ?? "";
  const namesOfAnswers = (name: "role" | "building", slugs: Record<string, number>) =>
    Object.fromEntries(
      Object.keys(slugs).sort().map((slug) => [slug, nameIn(answers[name], slug)]),
    );
  const namesOfMenus: Record<typeof COUNTED_MENUS[number], Readonly<Record<string, string>>> = {
    lang: words.langs,
    source: words.sources,
    role: namesOfAnswers("role", overview.byRole),
    building: namesOfAnswers("building", overview.byBuilding),
  };
  const menus = COUNTED_MENUS.flatMap((name) => {
    const options = Object.entries(namesOfMenus[name])
      .map(([value, text]) => [value, `${text} (${number(counts[name][value] ?? 0)})`] as const);
    const menu = { name, label: words.fields[name], chosen: valueOf(name) };
    return options.length > 0 ? [select(menu, [["", words.all], ...options])] : [];
  });
  const countAttributes = (name: string) =>
    markup` type="number" min="1" step="1" value="${valueOf(name)}"`;
  const nextAttributes = markup`${countAttributes("next")} required`;
  const referralsAttributes = countAttributes("referrals");
  const campaigns = needsCampaignFields(values, overview) &&
    campaignFields(texts, { valueOf, counts: overview.campaigns });
  return markup`<div class="filters">
${field("next", { label: labels.next, attributes: nextAttributes })}
${menus}
${campaigns}
${field("referrals", { label: texts.people.atLeastReferrals, attributes: referralsAttributes })}
<p class="hint">${invitable === undefined ? labels.countsOfList : labels.countsOfInvitable}</p>
</div>`;
}

/** Whether a campaign has brought people, or the form already filters by campaign. */
function needsCampaignFields(values: SentFields, { campaigns }: Overview): boolean {
  const hasCounts = Object.values(campaigns ?? {}).some((counts) => Object.keys(counts).length > 0);
  return hasCounts || CAMPAIGN_FIELDS.some((name) => values.get(name));
}

/** A link to the page on which the operator chose the people: the list or the page of a person. */
export function backLink(form: SentFields, label: string): Html {
  const back = form.get(BACK_FIELD) ?? "";
  // The path is checked, because a browser can send any text in the field.
  const path = back.startsWith(PATHS.people) ? back : PATHS.people;
  return markup`<a class="button" href="${path}">${label}</a>`;
}

/** The field for the link of the invitation. */
export function linkField({ words }: ConsoleTexts, values: SentFields): Html {
  const link = values.get(LINK_FIELD) ?? "";
  const attributes = markup` type="url" required maxlength="2000" value="${link}"
 placeholder="${EXAMPLE_LINK}"`;
  return field(LINK_FIELD, {
    label: words.link,
    attributes,
    hint: words.linkHint({ code: CODE_PLACEHOLDER }),
  });
}
