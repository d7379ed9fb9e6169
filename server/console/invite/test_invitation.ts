/**
 * The form that sends the invitation letter of a planned wave to a test address, and the page with the result. @module
 */
import { type ConsoleTexts, type Html, markup } from "../../content/mod.ts";
import type { ResultOf } from "../../operator/mod.ts";
import { type Lang, LANGS } from "../../waitlist/mod.ts";
import { failureNote, faultNote, statusNote, statusOf } from "../components.ts";
import { button, field, type FieldValues, postForm } from "../forms.ts";
import { type ConsolePage, type PageContext, PATHS, seeOther, type View } from "../page_context.ts";
import { TOKEN_FIELD } from "../repeated_forms.ts";
import { fieldsWithout, waveOfForm } from "./wave_of_form.ts";

const TEST_PATH = "/operator/invite/test/";

const ADDRESS_FIELD = "test_email";

/** The field with the languages of the letters, separated by spaces. */
const LANGS_FIELD = "test_langs";

/**
 * The form that sends the invitation letter of a plan to a test address; `undefined` if the operator's role does not
 * allow the test.
 * @param planFields the fields of the plan, with which the page of the result leads back to the plan
 */
export function testInvitationForm(
  { texts: { letters, outbox }, may, newToken }: PageContext,
  planFields: FieldValues,
  langs: readonly Lang[],
): Html | undefined {
  if (!may("testInvitation")) return undefined;
  const attributes = markup` type="email" required maxlength="254" autocomplete="off"`;
  return postForm(
    {
      action: TEST_PATH,
      fields: { ...planFields, [LANGS_FIELD]: langs.join(" "), [TOKEN_FIELD]: newToken() },
      attributes: markup` class="wave"`,
    },
    markup`${
      field(ADDRESS_FIELD, {
        label: outbox.testAddress,
        attributes,
        hint: letters.testHint,
      })
    }
${button(letters.testSubmit)}`,
  );
}

/** Sends the letter to the test address, and shows the page with the result. */
export const testInvitationPage: ConsolePage = {
  path: TEST_PATH,
  // The page only acts on its form. Without the form, there is nothing to show.
  get: () => seeOther(PATHS.invite),
  async post(pageContext, form): Promise<View> {
    const { operations, texts, now } = pageContext;
    const { link, expires } = waveOfForm(form, now);
    const requestedLangs = form.get(LANGS_FIELD)?.split(" ") ?? [];
    const outcome = await operations.testInvitation({
      email: form.get(ADDRESS_FIELD)?.trim() ?? "",
      link,
      ...expires && { expires },
      langs: LANGS.filter((lang) => requestedLangs.includes(lang)),
    });
    const planFields = fieldsWithout(form, [ADDRESS_FIELD, LANGS_FIELD, TOKEN_FIELD]);
    const backForm = postForm(
      { action: PATHS.invite, fields: planFields },
      button(texts.words.back),
    );
    const notes = "failure" in outcome ? failureNote(outcome, texts) : letterNotes(outcome, texts);
    return {
      title: texts.letters.testSubmit,
      ..."failure" in outcome && { status: statusOf(outcome) },
      body: markup`${notes}
${backForm}`,
    };
  },
};

/** Says of each letter whether the mail server has taken the letter, and what the mail server answered. */
function letterNotes(
  { letters }: ResultOf<"testInvitation">,
  { outbox, words }: ConsoleTexts,
): Html[] {
  return letters.map(({ lang, delivered, ms, answer }) => {
    const verdict = delivered ? outbox.taken({ ms }) : outbox.notTaken;
    const message = markup`${words.langs[lang]}: ${verdict} <code>${answer}</code>`;
    return delivered ? statusNote(message) : faultNote(message);
  });
}
