/**
 * The two forms for a wave: for the next people, and for chosen people. The form for a schedule has some of the same
 * fields. What the forms need is here as well: the link that a form suggests, the message about a bad link, and the
 * link back to the chosen people. `wave_of_form.ts` reads the forms. @module
 */
import { WAVE_ID } from "../../../shared/name_patterns.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type ConsoleTexts, type Html, markup, select } from "../../content/mod.ts";
import { CAMPAIGN_FIELDS } from "../../waitlist/mod.ts";
import { nameIn, statusNote } from "../components.ts";
import {
  button,
  checkbox,
  chosenPeopleFields,
  field,
  postForm,
  type SentFields,
} from "../forms.ts";
import { type PageContext, PATHS, type View } from "../page_context.ts";
import { campaignFields, filterField } from "../person_fields.ts";
import {
  BACK_FIELD,
  chosenEmails,
  CODE_PLACEHOLDER,
  lacksCode,
  LETTERS_FIELD,
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
export function withoutCodeField(link: string, { invite: labels }: ConsoleTexts): Html | undefined {
  if (!lacksCode(link)) return undefined;
  return markup`${statusNote(labels.noCode({ code: CODE_PLACEHOLDER }), "warning")}
${checkbox(WITHOUT_CODE_FIELD, { label: labels.sureWithoutCode, checked: false })}`;
}

/** Says that `link` cannot be the link of an invitation. */
export function badLinkMessage({ words }: ConsoleTexts, link: string): string {
  return words.badLink({ link, example: EXAMPLE_LINK });
}

/**
 * Returns the link of the newest wave, which the form suggests; empty if there is no wave, or if waves cannot be read.
 */
export async function readLastLink({ operations }: PageContext): Promise<string> {
  const waveList = await operations.listWaves({});
  return "waves" in waveList ? waveList.waves[0]?.link ?? "" : "";
}

/** The form for a wave of the next people. */
export function nextPeopleForm(
  pageContext: PageContext,
  values: SentFields,
  overview: Overview,
): Html {
  return postForm(
    { action: PATHS.invite, attributes: markup` class="wave" autocomplete="off"` },
    markup`${peopleFields(pageContext.texts, values, overview)}
${invitationFields(pageContext, values)}`,
  );
}

/** The fields of a wave of the next people: the number of people, and the filters that these people must fit. */
export function peopleFields(texts: ConsoleTexts, values: SentFields, overview: Overview): Html {
  const { invite: labels, words } = texts;
  const valueOf = (name: string) => values.get(name) ?? "";
  const answerMenu = (name: "role" | "building", counts: Record<string, number>) => {
    const options = Object.keys(counts).sort()
      .map((slug) => [slug, nameIn(texts.answers[name], slug)] as const);
    const menu = { name, label: words.fields[name], chosen: valueOf(name) };
    return options.length > 0 && select(menu, [["", words.all], ...options]);
  };
  const countAttributes = (name: string) =>
    markup` type="number" min="1" step="1" value="${valueOf(name)}"`;
  const nextAttributes = markup`${countAttributes("next")} required`;
  const referralsAttributes = countAttributes("referrals");
  const campaigns = needsCampaignFields(values, overview) &&
    campaignFields(texts, { valueOf, counts: overview.campaigns });
  return markup`<div class="filters">
${field("next", { label: labels.next, attributes: nextAttributes })}
${filterField("lang", { words, chosen: valueOf("lang") })}
${filterField("source", { words, chosen: valueOf("source") })}
${answerMenu("role", overview.byRole)}
${answerMenu("building", overview.byBuilding)}
${campaigns}
${field("referrals", { label: texts.people.atLeastReferrals, attributes: referralsAttributes })}
</div>`;
}

/** Whether a campaign has brought people, or the form already filters by campaign. */
function needsCampaignFields(values: SentFields, { campaigns }: Overview): boolean {
  const hasCounts = Object.values(campaigns ?? {}).some((counts) => Object.keys(counts).length > 0);
  return hasCounts || CAMPAIGN_FIELDS.some((name) => values.get(name));
}

/** The page with the form for a wave of chosen people. @param fault why the form is shown again */
export async function chosenPeopleView(
  pageContext: PageContext,
  form: SentFields,
  fault?: Html,
): Promise<View> {
  const { texts, previewInvitation } = pageContext;
  const { invite: labels, people, person, words } = texts;
  const emails = chosenEmails(form);
  // A form that the operator has sent has the field for the link. When the form is shown for the first time, it
  // suggests to send letters, and the link of the newest wave.
  const isShownAgain = form.has(LINK_FIELD);
  const values = isShownAgain
    ? form
    : new Map([...form, [LETTERS_FIELD, "yes"], [LINK_FIELD, await readLastLink(pageContext)]]);
  const hiddenFields = { ...chosenPeopleFields(emails), [BACK_FIELD]: form.get(BACK_FIELD) };
  const waveForm = postForm(
    {
      action: PATHS.invite,
      fields: hiddenFields,
      attributes: markup` class="wave" autocomplete="off"`,
    },
    invitationFields(pageContext, values),
  );
  const count = emails.length;
  return {
    title: count > 1 ? people.actOnMany({ act: people.acts.invite, count }) : people.acts.invite,
    body: markup`${fault}
<p class="soft">${labels.aboutChosen}</p>
<ul class="bullets">
${emails.map((email) => markup`<li>${email}</li>`)}
</ul>
${!previewInvitation && markup`<p class="notice">${words.noMail} ${person.linkHere}</p>`}
${waveForm}
${backLink(form, words.back)}`,
  };
}

/** A link to the page on which the operator chose the people: the list or the page of a person. */
export function backLink(form: SentFields, label: string): Html {
  const back = form.get(BACK_FIELD) ?? "";
  // The path is checked, because a browser can send any text in the field.
  const path = back.startsWith(PATHS.people) ? back : PATHS.people;
  return markup`<a class="button" href="${path}">${label}</a>`;
}

/**
 * The fields that the forms for the next people and for chosen people share: the link of the invitation, its last day,
 * whether letters go out, and the wave's name.
 */
function invitationFields({ texts, previewInvitation }: PageContext, values: SentFields): Html {
  const { words, invite: labels } = texts;
  const expiresAttributes = markup` type="date" value="${values.get("expires") ?? ""}"`;
  const lettersCheckbox = previewInvitation &&
    checkbox(LETTERS_FIELD, { label: words.sendLetters, checked: values.has(LETTERS_FIELD) });
  const waveId = values.get("wave") ?? "";
  const waveAttributes = markup` maxlength="64" value="${waveId}" pattern="${WAVE_ID.source}"`;
  return markup`${linkField(texts, values)}
${
    field("expires", {
      label: words.expires,
      attributes: expiresAttributes,
      hint: words.expiresHint,
    })
  }
${lettersCheckbox}
${field("wave", { label: labels.waveName, attributes: waveAttributes, hint: labels.waveHint })}
${button(labels.preview, "primary")}`;
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
