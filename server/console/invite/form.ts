/**
 * The page with a form for a wave, either for the next people or for chosen people. If the service refuses the wave,
 * the page shows the form again below the reason. `form_parts.ts` has the fields that the form for a schedule shares,
 * and `wave_of_form.ts` reads the form. @module
 */
import { WAVE_ID } from "../../../shared/name_patterns.ts";
import type { Overview } from "../../../shared/operator_schemas.ts";
import { type Html, markup } from "../../content/mod.ts";
import { isSafeLink } from "../../waitlist/mod.ts";
import { failedView, type FailureMessages, failureNote, statusOf } from "../components.ts";
import {
  button,
  checkbox,
  chosenPeopleFields,
  field,
  postForm,
  type SentFields,
} from "../forms.ts";
import { pauseIn, pauseWarning } from "../letter_pause.ts";
import { type PageContext, type PageFailure, PATHS, type View } from "../page_context.ts";
import {
  backLink,
  badLinkMessage,
  linkField,
  noLettersMessage,
  peopleFields,
  readLastLink,
} from "./form_parts.ts";
import { countForMenus, type MenuCounts, waitingPart } from "./invitable.ts";
import { schedulesSection } from "./schedules.ts";
import {
  BACK_FIELD,
  chosenEmails,
  isPeopleCount,
  LETTERS_FIELD,
  LINK_FIELD,
  type RequestedWave,
} from "./wave_of_form.ts";
import { wavesSection } from "./waves.ts";

/**
 * Shows the page with a form for a wave. If the operator has chosen people, the page has the form for these people
 * only. Otherwise, it has the form for the next people, and the lists of schedules and waves below the form.
 * @param fault why the form is shown again; absent for the first time
 */
export async function formView(
  pageContext: PageContext,
  form: SentFields,
  fault?: Html,
): Promise<View> {
  const { operations, texts, previewInvitation, may } = pageContext;
  const title = texts.pages.invite;
  if (chosenEmails(form).length > 0) return await chosenPeopleView(pageContext, form, fault);
  const overview = await operations.getOverview({});
  if ("failure" in overview) return failedView(overview, texts, { title });
  const menuCounts = await countForMenus(pageContext, overview);
  const { about, codesAsFile } = texts.invite;
  const mayStart = may("startWave");
  const noMail = mayStart && !previewInvitation;
  const pauseSentence = pauseIn(overview, texts);
  return {
    title,
    body: markup`${fault}
${pauseSentence && pauseWarning(pauseSentence, texts)}
${mayStart && markup`<p class="soft">${about}</p>`}
${await waitingPart(pageContext, overview, menuCounts)}
${noMail && markup`<p class="notice">${texts.words.noMail} ${codesAsFile}</p>`}
${mayStart && nextPeopleForm(pageContext, form, { overview, menuCounts })}
${await schedulesSection(pageContext)}
${await wavesSection(pageContext, overview.outbox.pause)}`,
  };
}

/** The form for a wave of the next people. */
function nextPeopleForm(
  pageContext: PageContext,
  values: SentFields,
  counted: { overview: Overview; menuCounts: MenuCounts },
): Html {
  return postForm(
    { action: PATHS.invite, attributes: markup` class="wave" autocomplete="off"` },
    markup`${peopleFields(pageContext.texts, values, counted)}
${invitationFields(pageContext, values)}`,
  );
}

/** The page with the form for a wave of chosen people. @param fault why the form is shown again */
async function chosenPeopleView(
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

/**
 * The fields that the forms for the next people and for chosen people share: the link of the invitation, its last day,
 * whether letters go out, and the wave's id, which the page calls its name.
 */
function invitationFields({ texts, previewInvitation }: PageContext, values: SentFields): Html {
  const { words, invite: labels } = texts;
  const expiresAttributes = markup` type="date" value="${values.get("expires") ?? ""}"`;
  const lettersCheckbox = previewInvitation &&
    checkbox(LETTERS_FIELD, { label: words.sendLetters, checked: values.has(LETTERS_FIELD) });
  const waveId = values.get("wave") ?? "";
  const waveAttributes =
    markup` maxlength="64" value="${waveId}" pattern="${WAVE_ID.source}" title="${labels.waveHint}"`;
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

/**
 * Says why the service refuses a wave or its plan. If the operator can correct the fault, shows the form again below
 * the reason.
 */
export async function failedWaveView(
  pageContext: PageContext,
  failure: PageFailure,
  { wave, form }: { wave: RequestedWave; form: SentFields },
): Promise<View> {
  const { texts } = pageContext;
  const status = statusOf(failure);
  if (status !== 400 && status !== 409) {
    return failedView(failure, texts, { title: texts.pages.invite, back: PATHS.invite });
  }
  const { wave: id, letters } = wave;
  // The status 409 has two causes: letters are chosen although the service sends no letters, or a wave with this id
  // exists with other choices.
  const noLetters = noLettersMessage(pageContext, letters);
  const faults = describeFaults(wave, pageContext);
  const messages: FailureMessages = {
    conflict: noLetters ?? texts.invite.otherChoices({ wave: id }),
    ...faults.length > 0 && { invalid_request: faults.join(" ") },
  };
  // If a wave with this id exists, the form shows the id, because the error message quotes the id.
  const isIdTaken = status === 409 && !noLetters;
  const formWithId = isIdTaken ? new Map([...form, ["wave", id]]) : form;
  const fault = failureNote(failure, texts, messages);
  return { ...await formView(pageContext, formWithId, fault), status };
}

/** Says which of the operator's choices for a wave are wrong, in a sentence each. */
function describeFaults(
  { next: peopleCount, link, expires }: RequestedWave,
  { texts, now }: PageContext,
): string[] {
  const { badNumber, badExpires } = texts.invite;
  const hasBadNumber = peopleCount !== undefined && !isPeopleCount(peopleCount);
  // A text that is no date becomes `NaN`, which is not later than any moment.
  const hasBadExpiry = expires !== undefined && !(Date.parse(expires) > now);
  return [
    ...hasBadNumber ? [badNumber] : [],
    ...!isSafeLink(link) ? [badLinkMessage(texts, link)] : [],
    ...hasBadExpiry ? [badExpires] : [],
  ];
}
